"""What stands below the tables: enough to paste them into a paper, and nothing that is not so."""

import re

import numpy as np
import pytest

import metameasure as mm
from meta_cases import matrix, noisy, three_measures

QUICK = {"trials": 100, "seed": 0}


@pytest.fixture(scope="module")
def summary():
    return mm.meta.summary(three_measures(), splits=20, **QUICK)


class TestLatex:
    def test_says_the_packages_and_what_a_caption_needs(self):
        """The commands that come from packages: rules from booktabs, colours from xcolor's colortbl, ticks from amssymb."""
        for found in (mm.meta.similarity(three_measures(), **QUICK), mm.meta.consistency(three_measures(), splits=20, **QUICK)):
            told = found.render("latex")
            assert r"% Needs \usepackage{booktabs,adjustbox,amssymb} and \usepackage[table]{xcolor}." in told
        assert re.findall(r"^\\caption\{(.*)\}$", told, re.MULTILINE) == ["System ranking consistency."]
        (notes,) = re.findall(r"^\\parbox\{\\linewidth\}\{(.*)\}$", told, re.MULTILINE)
        assert "Significance: by leaving out one topic at a time" in notes
        assert ": significantly outperforms the worst" in notes

    def test_summary_explains_its_numbered_columns(self, summary):
        told = summary.render("latex")
        head, _ = told.split(r"\midrule")
        numbered = re.findall(r"\(([IV]+)\)", head.splitlines()[-1])
        assert numbered == ["I", "II", "III", "IV", "V", "VI"]
        assert all(f" ({number}) " in told or f"% ({number}) " in told for number in numbered)

    def test_summary_is_as_wide_as_a_page(self, summary):
        """Advice is a comment: sentences in a column run off the paper."""
        table, comments = told = summary.render("latex").split(r"\end{tabular}")
        assert len(told) == 2
        assert "stable" not in table
        said = " ".join(comments.replace("%", " ").split())
        assert all(row.advice.split(":")[0] in said for row in summary.rows)
        assert all(line.startswith(("%", r"\end{adjustbox}", r"\end{table", r"\par")) for line in comments.strip().splitlines())

    def test_deltas_have_the_papers_symbols(self):
        found = mm.meta.deltas(three_measures(), "r1", "r2", measures="cem_ord,mae")
        assert r"$\Delta$ $\mathrm{CEM}^{\mathrm{ORD}}$" in found.render("latex")


def test_nobody_is_stressed_where_both_win_as_many_topics():
    """Two topics, one for each run."""
    found = mm.meta.deltas([matrix("accuracy", [[1, 0], [0, 1]])])
    assert found.wins().tolist() == [[1, 1, 0]]
    assert "**" not in found.render("markdown")
    twice = mm.meta.deltas({"x": [matrix("accuracy", [[1, 0], [0, 1]])], "y": [matrix("accuracy", [[0, 1], [0, 1]])]})
    assert [line.count("**") // 2 for line in twice.render("markdown").splitlines()[2:5]] == [0, 1, 1]


class TestOneMeasure:
    def test_pairs_of_measures_say_that_there_are_none(self):
        alone = [matrix("accuracy", noisy())]
        for ask in (mm.meta.similarity, mm.meta.overlap, mm.meta.contradictions):
            assert "There is one measure, and nothing to compare it with" in str(ask(alone, trials=50))

    def test_undefined_is_a_dash(self):
        assert "V_E2 = –" in str(mm.meta.consistency([matrix("accuracy", noisy())], splits=20, trials=50))


def test_notes_about_the_data_come_before_the_advice():
    scores = [*three_measures(), matrix("gold_entropy", noisy())]
    told = str(mm.meta.summary(scores, splits=20, **QUICK))
    assert told.index("Left out because they do not score runs: gold_entropy.") < told.index("contradict")


def test_coverage_says_who_has_the_highest_without_a_reference_measure():
    found = mm.meta.coverage(three_measures(runs=13))
    best = found.measures[int(np.argmax(found.without["mae"]))]
    told = str(found)
    assert f"without mae: {best} ({found.without['mae'].max():.3f})" in told
    assert "more pairs: .render('json')" in told


class TestAdvice:
    def test_where_nothing_is_found_nothing_is_recommended(self):
        """Runs that all tie: every measure has tau 0 and power 0."""
        found = mm.meta.summary([matrix(measure, np.ones((12, 3))) for measure in ("accuracy", "mae")], splits=20, **QUICK)
        for row in found.rows:
            why = "all runs are alike: no measure finds two that differ significantly"
            assert row.advice.startswith(f"these data cannot tell ({why}); ranks like no other;")

    def test_of_one_measure_nothing_is_said_beside_others(self):
        found = mm.meta.summary([matrix("accuracy", noisy())], splits=20, **QUICK)
        rating, *lacking = found.rows[0].advice.split("; ")
        assert rating == "the only measure here: there is nothing to rate it against"
        assert lacking == ["is blind to the order of the classes", "is blind to class imbalance"]

    def test_a_pair_more_or_less_is_chance(self):
        """Three measures of the same runs with noise of their own: a pair or two more or less says nothing about them."""
        values = noisy(40, 8, seed=7)
        rng = np.random.default_rng(5)
        scores = [
            matrix(name, values + rng.normal(0, 0.3, values.shape)) for name in ("cem_ord", "alpha_ordinal", "kappa_linear")
        ]
        found = mm.meta.summary(scores, splits=100, trials=1000)
        assert len(set(found.discrimination.counts.tolist())) > 1
        assert {row.discrimination for row in found.rows} == {"alike"}
        shown = [f"{100 * row.power:.1f}" for row in found.rows]
        assert all(f"  {one}%" in str(found) for one in shown)  # no word says that one is better
        assert all("to tell more runs apart" in row.advice for row in found.rows if "worse than" not in row.advice)

    def test_who_contradicts_most_others_is_not_recommended(self):
        """Three measures agree; the fourth turns every conclusion round, however stable and sharp it is."""
        rng, values = np.random.default_rng(1), noisy(60, 8, noise=0.5)
        scores = [
            matrix(name, values + rng.normal(0, 0.4, values.shape)) for name in ("cem_ord", "alpha_ordinal", "kappa_linear")
        ]
        found = mm.meta.summary([*scores, matrix("mae_macro", values)], splits=50, **QUICK)
        rows = {row.measure: row for row in found.rows}
        assert rows["cem_ord"].advice.startswith("fit to be the primary measure")
        assert rows["mae_macro"].advice.startswith("at most a secondary measure")
        assert "contradicts most of the others" in rows["mae_macro"].advice
        assert found.rows[-1].measure == "mae_macro"

    def test_mirror_images_are_as_good_as_each_other(self):
        """x and 1 - x: equal in everything, so neither is called best or worst."""
        values = noisy()
        found = mm.meta.summary([matrix("cem_ord", values), matrix("mae_macro", 1 - values)], splits=20, **QUICK)
        assert {row.advice.split(";")[0] for row in found.rows} == {
            "fit to be the primary measure: no other is shown to be more stable or to tell more runs apart"
        }

    def test_entailment_has_no_order_to_be_blind_to(self):
        """A3 and kappa are not blamed; A2 merges classes, which is not handling their sizes (it is accuracy on two of them)."""
        scores = [matrix(measure, noisy(seed=seed)) for seed, measure in enumerate(("a3", "a2", "a3_macro", "kappa"))]
        found = mm.meta.summary(scores, splits=20, **QUICK)
        assert [ability.id for ability in found.abilities()] == ["constant_runs", "imbalance_aware"]
        assert "order of the classes" not in str(found)
        sizes = {row.measure: row.can(found.abilities()[1]) for row in found.rows}
        assert sizes == {"a3": False, "a2": False, "a3_macro": True, "kappa": True}
