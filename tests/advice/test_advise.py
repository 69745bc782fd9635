"""Advice on data made so that the papers' recommendations apply, and on data that cannot tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metameasure as mm
from metameasure.advice.advising import Advice
from metameasure.cli.main import main

CLASSES = [1, 2, 3, 4, 5]


def labels(topics: int = 20, items: int = 30, constant: int = 0, rates: Any = (0.05, 0.2, 0.35, 0.5, 0.65), seed: int = 0) -> Any:
    """Gold and runs that err by so much, to a neighbouring class, and runs that always give one class."""
    draw = np.random.default_rng(seed)
    gold = draw.choice(CLASSES, p=(0.1, 0.15, 0.4, 0.25, 0.1), size=topics * items)
    keys = {"topic": np.repeat(np.arange(topics), items), "item": np.arange(topics * items)}
    runs = {}
    for rate in rates:
        moved = np.clip(gold + draw.choice((-1, 1), size=len(gold)), 1, 5)
        runs[f"errs {rate}"] = np.where(draw.random(len(gold)) < rate, moved, gold)
    runs |= {f"always {answer}": np.full(len(gold), answer) for answer in CLASSES[:constant]}
    return frame(keys | {"label": gold}), {name: frame(keys | {"label": given}) for name, given in runs.items()}


def frame(columns: dict[str, Any]) -> Any:
    polars = pytest.importorskip("polars")
    return polars.DataFrame({name: np.asarray(column).tolist() for name, column in columns.items()})


def entailment(column: str) -> Any:
    """One test set of 400 judgements, and five runs that also say something in a column."""
    draw = np.random.default_rng(1)
    names = np.array(["E", "N", "C"])
    gold = draw.choice(3, p=(0.5, 0.35, 0.15), size=400)
    runs = {}
    for rate in (0.1, 0.25, 0.4, 0.5, 0.6):
        given = np.where(draw.random(400) < rate, draw.choice(3, size=400), gold)
        runs[f"errs {rate}"] = frame({"item": np.arange(400), "label": names[given], column: draw.random(400)})
    return frame({"item": np.arange(400), "label": names[gold]}), runs


def distributions(classes: int = 5, topics: int = 40) -> Any:
    draw = np.random.default_rng(2)
    gold = draw.dirichlet(np.ones(classes), size=topics)

    def table(masses: Any) -> Any:
        return frame({"topic": np.arange(topics), **{str(place + 1): masses[:, place] for place in range(classes)}})

    runs = {}
    for weight in (0.1, 0.3, 0.5, 0.7, 0.9):
        runs[f"noise {weight}"] = table((1 - weight) * gold + weight * draw.dirichlet(np.ones(classes), size=topics))
    return table(gold), runs


def rankings(*, ties: bool) -> Any:
    draw = np.random.default_rng(3)
    segments, items = 60, 5
    keys = {"segment": np.repeat(np.arange(segments), items), "item": np.tile(np.arange(items), segments)}
    gold = draw.permuted(np.tile(np.arange(1, items + 1), (segments, 1)), axis=1).astype(float)
    runs = {}
    for noise in (0.3, 1.0, 2.0, 4.0):
        order = (gold + noise * draw.standard_normal(gold.shape)).argsort(axis=1).argsort(axis=1) + 1
        runs[f"noise {noise}"] = frame(keys | {"rank": order.ravel()})
    human = np.minimum(gold, 3) if ties else gold
    return frame(keys | {"rank": human.astype(int).ravel()}), runs


@cache
def advised(constant: int = 0, **how: Any) -> Advice:
    """On labels with so many constant runs; each asked for once."""
    return mm.advise(*labels(constant=constant), classes=CLASSES, **how)


@cache
def advised_on_entailment(column: str) -> Advice:
    return mm.advise(*entailment(column), task="entailment", positive="E", neutral="N", negative="C")


def test_without_constant_runs_linear_kappa_and_alpha_beside_it() -> None:
    """Sakai (2021), Section 5.4: linear kappa unless several runs are constant; in either case both."""
    found = advised()
    assert (found.to_dict()["primary"], found.to_dict()["secondary"]) == ("kappa_linear", "alpha_ordinal")
    assert found.reasons[0].startswith("Sakai (2021), Section 5.4, found that kappa_linear sees order and imbalance")
    assert found.reasons[0].endswith("; here no run always gives the same class")


def test_one_constant_run_is_not_several() -> None:
    found = mm.advise(*labels(constant=1), classes=CLASSES)
    assert found.primary is not None
    assert found.primary.id == "kappa_linear"
    assert "1 of 6 runs always gives the same class (always 1)" in found.reasons[0]


def test_with_constant_runs_alpha_and_kappa_beside_it_unless_it_is_worse_than_another() -> None:
    """Kappa gives every constant run 0: on these data that makes it worse than cem_ord, which papers recommend too."""
    found = advised(constant=3)
    told = found.to_dict()
    assert (told["primary"], told["secondary"]) == ("alpha_ordinal", "cem_ord")
    (worse,) = [one for one in told["reasons"] if one.startswith("kappa_linear is recommended in Sakai (2021), Section 5.4")]
    assert "as a secondary measure; here kappa_linear is worse than cem_ord: mean tau " in worse
    assert "3 of 8 runs always give the same class (always 1, always 2 and always 3)" in found.reasons[0]
    assert told["looked_at"]["constant_runs"] == {"always 1": "1", "always 2": "2", "always 3": "3"}
    assert any(warning.startswith("kappa_linear cannot tell constant runs apart") for warning in told["warnings"])


def test_where_no_distances_may_be_assumed_cem_and_the_other_paper_is_named() -> None:
    """Amigó et al. (2020), Section 6; Sakai (2021), Section 7, names alpha instead."""
    found = advised(no_distances=True)
    told = found.to_dict()
    assert (told["primary"], told["secondary"]) == ("cem_ord", "alpha_ordinal")
    assert told["looked_at"]["no_distances"] is True
    assert "assumed: classes have an order and no distances" in told["reasons"]
    assert any(reason.startswith("alpha_ordinal is recommended in Sakai (2021), Section 7; here ") for reason in told["reasons"])
    distances = next(warning for warning in told["warnings"] if "(ordinal_invariance)" in warning)
    assert distances.startswith("kappa_linear and mae_macro assume distances")


def test_nominal_classes_get_no_measure_that_reads_an_order() -> None:
    told = mm.advise(*labels(), classes=CLASSES, kind="nominal").to_dict()
    assert (told["primary"], told["secondary"]) == ("mutual_information@corrected", "kappa")
    assert all(mm.measures[row["id"]].scale == "nominal" for row in told["measures"])


def test_warnings_name_the_property_and_the_numbers_of_these_data() -> None:
    told = mm.advise(*labels(constant=2), classes=CLASSES).to_dict()
    sizes = told["looked_at"]["class_sizes"]
    largest, smallest = max(sizes.values()) / 600, min(sizes.values()) / 600
    blind = next(warning for warning in told["warnings"] if "(imbalance_aware)" in warning)
    assert blind.startswith("accuracy is blind to class imbalance")
    assert f"{100 * largest:.1f}%" in blind
    assert f"{100 * smallest:.1f}%" in blind
    order = next(warning for warning in told["warnings"] if "(order_aware)" in warning)
    assert order.startswith("accuracy, f1_macro and macro_recall are blind to the order") or "f1_macro" in order


def test_a_balanced_gold_raises_no_warning_of_imbalance() -> None:
    draw = np.random.default_rng(4)
    gold = np.tile([1, 2, 3], 200)
    keys = {"topic": np.repeat(np.arange(20), 30), "item": np.arange(600)}
    runs = {
        f"errs {rate}": frame(keys | {"label": np.where(draw.random(600) < rate, draw.choice([1, 2, 3], size=600), gold)})
        for rate in (0.1, 0.3, 0.6)
    }
    told = mm.advise(frame(keys | {"label": gold}), runs, classes=[1, 2, 3]).to_dict()
    assert not any("imbalance" in warning for warning in told["warnings"])
    assert told["looked_at"]["rare_classes"] == []


def test_entailment_with_a_score_column_gets_mutual_information_and_no_average_precision() -> None:
    """Bergmair (2009), Section 6: mutual information beside accuracy, baselines, and no average precision."""
    told = advised_on_entailment("score").to_dict()
    assert (told["primary"], told["secondary"]) == ("mutual_information@corrected", "a3")
    assert told["looked_at"]["ordered_by"] == {"confidence": [], "score": list(entailment("score")[1])}
    against = [warning for warning in told["warnings"] if warning.startswith("average_precision")]
    assert any("(accuracy_agrees)" in warning for warning in against)
    assert any("asks not to report it for entailment" in warning for warning in against)
    entropy = told["looked_at"]["gold_entropy"]
    assert any(f"gold_entropy ({entropy:.3f} bits)" in reason and "baselines" in reason for reason in told["reasons"])


def test_entailment_with_confidence_gets_the_confidence_weighted_score_beside_it() -> None:
    told = advised_on_entailment("confidence").to_dict()
    assert (told["primary"], told["secondary"]) == ("mutual_information@corrected", "confidence_weighted_score")
    assert not any(warning.startswith("average_precision") for warning in told["warnings"])


def test_one_test_set_is_dealt_into_partitions() -> None:
    found = advised_on_entailment("score")
    assert found.looked_at["partitions"] == 20
    assert found.looked_at["topics"] == 1
    assert any("on 20 partitions" in reason for reason in found.reasons)


def test_distributions_get_rnod_and_nmd_beside_it() -> None:
    """Sakai (2021), Section 6.4, and Sakai (LQ 2021), Section 6."""
    told = mm.advise(*distributions(), task="quantification", classes=CLASSES).to_dict()
    assert (told["primary"], told["secondary"]) == ("rnod", "nmd")
    assert any(warning.startswith("jsd, nvd and rnss are blind to the order") for warning in told["warnings"])


def test_with_two_classes_nmd_is_rnod_and_adds_nothing() -> None:
    """Sakai (LQ 2021), Appendix A."""
    told = mm.advise(*distributions(classes=2), task="quantification", classes=[1, 2]).to_dict()
    assert (told["primary"], told["secondary"]) == ("rnod", None)


def test_mass_where_the_other_side_has_none_is_seen_and_kld_is_warned_of() -> None:
    gold, runs = distributions(topics=12)
    polars = pytest.importorskip("polars")
    point = {str(k): polars.lit(1.0 if k == 3 else 0.0) for k in CLASSES}
    told = mm.advise(gold, {**runs, "all in the middle": gold.with_columns(**point)}, task="quantification", classes=CLASSES)
    assert told.looked_at["zero_mass"]["topics_where_only_gold_has_mass"] == 12
    assert told.looked_at["zero_mass"]["topics_where_only_a_run_has_mass"] == 0
    told = mm.advise(gold.with_columns(**point), runs, task="quantification", classes=CLASSES)
    assert told.looked_at["zero_mass"]["topics_where_only_a_run_has_mass"] == 12
    assert told.looked_at["topics_with_all_gold_in_one_class"] == 12
    assert any(warning.startswith("kld is infinite for a run on 12 of 12 topics") for warning in told.warnings)


def test_rankings_get_tau_with_ties_as_errors_and_ndcg_beside_it() -> None:
    """Avramidis (2013), Section 3."""
    told = mm.advise(*rankings(ties=False), task="ranking").to_dict()
    assert not any("undefined" in warning for warning in told["warnings"]), "spa and its kin have no value for one segment"
    assert (told["primary"], told["secondary"]) == ("tau@wmt12", "ndcg")
    assert told["looked_at"]["pairs_tied_by_humans"] == 0
    assert not any(reason.startswith("instead") for reason in told["reasons"])


def test_where_humans_tie_the_papers_disagree_and_that_is_said() -> None:
    told = mm.advise(*rankings(ties=True), task="ranking").to_dict()
    assert told["looked_at"]["pairs_tied_by_humans"] == pytest.approx(0.3)  # 3 of the 10 pairs of 1, 2, 3, 3, 3
    assert any(
        reason.startswith("pairwise_accuracy is recommended in Deutsch et al. (2023); here ") for reason in told["reasons"]
    )


def test_an_empty_gold_class_voids_what_holds_only_without_one() -> None:
    """CEM-ORD is monotonic where no gold class is empty."""
    gold, runs = labels()
    told = mm.advise(gold, runs, classes=[*CLASSES, 6]).to_dict()
    assert told["looked_at"]["empty_classes"] == ["6"]
    assert any(warning.startswith("cem_ord") and "gold has no item of 6" in warning for warning in told["warnings"])


def test_ties_of_runs_are_seen() -> None:
    gold, runs = rankings(ties=False)
    polars = pytest.importorskip("polars")
    runs["ties all"] = gold.with_columns(rank=polars.lit(1))
    told = mm.advise(gold, runs, task="ranking").to_dict()
    assert told["looked_at"]["pairs_tied_by_runs"]["ties all"] == 1
    assert any(warning.startswith("tau@wmt12") and "(ties_in_expectation)" in warning for warning in told["warnings"])


CANNOT_TELL: dict[str, tuple[Callable[[], Any], str]] = {
    "few topics": (lambda: labels(topics=3), "3 topics, but a test of whether rankings are stable takes at least 10"),
    "one small test set": (lambda: labels(topics=1), "1 topic, but a test of whether rankings are stable takes at least 10"),
    "two runs": (lambda: labels(rates=(0.1, 0.5)), "2 runs, but a comparison of measures takes at least 3"),
    "runs that are alike": (lambda: labels(topics=10, items=20, rates=(0.3, 0.301, 0.302)), "all runs are alike"),
}


@pytest.mark.parametrize("case", CANNOT_TELL)
def test_what_the_data_cannot_back_is_not_recommended(case: str) -> None:
    make, why = CANNOT_TELL[case]
    told = mm.advise(*make(), classes=CLASSES).to_dict()
    assert (told["primary"], told["secondary"]) == (None, None)
    assert told["reasons"][0].startswith(why)
    assert "kappa_linear is recommended in Sakai (2021), Section 5.4" in told["reasons"][1]
    assert "neither confirm nor refute" in told["reasons"][1]


def test_data_that_decide_for_another_recommendation_are_followed() -> None:
    """A recommended measure that is worse than its rival beyond chance gives way, and the data's disagreement is said once."""
    draw = np.random.default_rng(5)
    runs, topics = tuple(f"run {place}" for place in range(8)), tuple(map(str, range(30)))
    clear = np.linspace(0.2, 0.9, 8) + 0.02 * draw.standard_normal((30, 8))
    blurred = np.linspace(0.2, 0.9, 8) + 0.8 * draw.standard_normal((30, 8))
    found = mm.advise([mm.ScoreMatrix("kappa_linear", topics, runs, blurred), mm.ScoreMatrix("cem_ord", topics, runs, clear)])
    assert found.primary is not None
    assert found.primary.id == "cem_ord"
    (said,) = [one for one in found.reasons if "worse than cem_ord" in one]
    assert said.startswith(
        "kappa_linear is recommended in Sakai (2021), Section 5.4; here kappa_linear is worse than cem_ord: mean tau "
    )
    (verdict,) = [one for one in found.to_dict()["findings"] if one["kind"] == "worse"]
    assert verdict["subjects"] == ["kappa_linear", "cem_ord"]
    assert said.endswith(verdict["text"])
    assert verdict["numbers"]["p_power"] <= 0.05


def test_of_two_measures_one_is_worse_or_neither_is() -> None:
    scores = mm.evaluate(*labels(topics=30), classes=CLASSES, measures=["kappa_linear", "accuracy@3", "cem_ord"])
    found = mm.meta.summary(scores, splits=100, trials=500)
    for first, second in (("kappa_linear", "accuracy@3"), ("accuracy@3", "kappa_linear")):
        verdict = found.compared(first, second)
        assert (verdict.kind, verdict.subjects) == ("worse", ("accuracy@3", "kappa_linear"))
    assert found.compared("cem_ord", "cem_ord").kind == "not told apart"


def test_scores_alone_say_what_was_not_seen() -> None:
    scores = mm.evaluate(*labels(constant=3), classes=CLASSES)
    told = mm.advise(scores).to_dict()
    assert told["primary"] == "cem_ord"  # that three runs are constant cannot be seen, but that kappa_linear is worse
    assert any("here kappa_linear is worse than " in reason for reason in told["reasons"])
    assert "constant runs" in told["looked_at"]["could_not_look_at"]
    assert any(reason.startswith("scores alone do not show") for reason in told["reasons"])


def test_two_runs_are_too_few_in_a_file_of_scores_too(tmp_path: Path) -> None:
    mm.evaluate(*labels(rates=(0.1, 0.5)), classes=CLASSES).save(tmp_path / "scores.csv")
    told = mm.advise(tmp_path / "scores.csv").to_dict()
    assert told["primary"] is None
    assert told["reasons"][0].startswith("2 runs, but a comparison of measures takes at least 3")


def test_topics_on_which_a_measure_is_undefined_do_not_count() -> None:
    """Kappa has no value where gold and a constant run are one class: what is left of the topics is too few."""
    gold, runs = labels(topics=16, constant=1)
    polars = pytest.importorskip("polars")
    one_class = polars.when(polars.col("topic") < 7).then(1).otherwise(polars.col("label")).alias("label")
    told = mm.advise(gold.with_columns(one_class), runs, classes=CLASSES).to_dict()
    assert told["primary"] is None
    assert told["reasons"][0].startswith(
        "every measure is defined on 9 topics only, but a test of whether rankings are stable takes at least 10"
    )


def test_scores_of_measures_that_nobody_recommends_get_no_recommendation() -> None:
    scores = mm.evaluate(*labels(), classes=CLASSES, measures=["accuracy", "mae"])
    told = mm.advise(scores).to_dict()
    assert told["primary"] is None
    assert told["reasons"][0].startswith("no paper recommends any of these measures")


def test_in_words_it_is_at_most_ten_lines_and_begins_with_the_measures() -> None:
    found = advised(constant=3)
    lines = str(found).splitlines()
    assert len(lines) <= 11
    assert lines[0] == "Primary measure: alpha_ordinal. Secondary: cem_ord."
    assert lines[-1].startswith("Signature: ")
    assert lines[-2].endswith("more notes: .render(notes='all')")
    assert "Beware: kappa_linear cannot tell constant runs apart" in found.render(notes="all")


def test_what_does_not_fit_into_ten_lines_is_counted() -> None:
    found = advised()
    long = Advice(primary=found.primary, secondary=None, reasons=("word " * 20,) * 12, warnings=(), looked_at={})
    assert len(long.lines()) <= 10
    assert long.lines()[-1] == "... and 4 more notes: .render(notes='all')"


def test_every_format_and_the_chart(tmp_path: Path) -> None:
    found = mm.advise(*labels(topics=12), classes=CLASSES)
    for format in ("json", "csv", "tsv", "markdown", "latex", "html"):
        assert "kappa" in found.render(format)
    found.chart(tmp_path / "advice.svg")
    assert (tmp_path / "advice.svg").stat().st_size > 1000


def test_without_a_meta_evaluation_there_is_nothing_to_draw() -> None:
    with pytest.raises(mm.UsageError, match="no meta-evaluation"):
        mm.advise(*labels(topics=3), classes=CLASSES).chart()


def test_the_command_takes_files_and_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, runs = labels(topics=12, constant=2)
    gold.write_csv(tmp_path / "gold.csv")
    (tmp_path / "runs").mkdir()
    for name, run in runs.items():
        run.write_csv(tmp_path / "runs" / f"{name}.csv")
    data = [str(tmp_path / "gold.csv"), str(tmp_path / "runs" / "*.csv"), "--classes", "1..5"]
    assert main(["advise", *data, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["primary"] == "alpha_ordinal"
    assert {"primary", "secondary", "reasons", "warnings", "looked_at"} <= set(told)
    assert main(["evaluate", *data, "--scores", str(tmp_path / "scores.csv")]) == 0
    capsys.readouterr()
    assert main(["advise", str(tmp_path / "scores.csv")]) == 0
    assert capsys.readouterr().out.startswith("Primary measure: cem_ord")


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err
    assert main(["advise", str(tmp_path / "none.csv"), "--task", "clasification"]) == 2
    assert "did you mean 'classification'" in capsys.readouterr().err


def test_the_same_seed_gives_the_same_advice() -> None:
    data = labels(topics=12)
    assert mm.advise(*data, classes=CLASSES, seed=3).to_dict() == mm.advise(*data, classes=CLASSES, seed=3).to_dict()


def test_evidence_is_advised_on_as_its_data_are(tmp_path):
    counted = mm.count(*labels(), classes=CLASSES)
    counted.save(tmp_path / "counts.npz")
    told = advised(no_distances=True).to_dict()
    assert mm.advise(counted, no_distances=True).to_dict() == told
    assert mm.advise(tmp_path / "counts.npz", no_distances=True, kind="ordinal").to_dict() == told


def test_no_distances_needs_an_order_without_them() -> None:
    for how in ({"kind": "nominal"}, {"kind": "interval"}):
        with pytest.raises(mm.UsageError, match="no_distances"):
            mm.advise(*labels(topics=12), classes=CLASSES, no_distances=True, **how)
    told = mm.advise(*distributions(topics=12), task="quantification", classes=CLASSES, no_distances=True).to_dict()
    assert told["primary"] is None
    assert told["reasons"][0].startswith("no paper recommends a measure that assumes no distances between the classes")


def test_better_but_not_beyond_chance_is_said_so() -> None:
    """The demo: cem_ord is nominally better than kappa_linear on both counts, and nobody is told apart."""
    demo = Path(mm.__file__).parent / "demo"
    told = mm.advise(demo / "gold.tsv", [demo / "runs" / "*.tsv"], classes="-2..2").to_dict()
    assert told["primary"] == "kappa_linear"
    (said,) = [one for one in told["reasons"] if one.startswith("cem_ord is recommended in")]
    assert (
        "here cem_ord is better than kappa_linear, but not beyond chance: mean tau 0.824 against 0.689 (p = 1), 6 against 5"
        in said
    )


def test_who_finds_nothing_is_not_said_to_rank_consistently() -> None:
    """Kappa sees noise only: it is not named, and what the paper found of it is the paper's."""
    draw = np.random.default_rng(5)
    runs, topics = tuple(f"run {place}" for place in range(6)), tuple(map(str, range(20)))
    clear, noise = np.linspace(0.2, 0.9, 6) + 0.02 * draw.standard_normal((20, 6)), draw.standard_normal((20, 6))
    found = mm.advise([mm.ScoreMatrix("kappa_linear", topics, runs, noise), mm.ScoreMatrix("alpha_ordinal", topics, runs, clear)])
    assert found.to_dict()["primary"] == "alpha_ordinal"
    assert found.to_dict()["secondary"] is None
    assert not any("ranks consistently" in reason and "found that" not in reason for reason in found.reasons)
    assert any(
        reason.startswith(
            "kappa_linear is recommended in Sakai (2021), Section 5.4; here it finds no significant difference (mean"
        )
        for reason in found.reasons
    )


def test_a_measure_that_hardly_repeats_its_ranking_is_not_said_to_rank_consistently() -> None:
    """One run stands out, the others are noise: kappa finds something, but the halves of the topics rank the runs differently."""
    draw = np.random.default_rng(2)
    runs, topics = tuple(f"run {place}" for place in range(12)), tuple(map(str, range(24)))
    apart = np.r_[1.5, np.zeros(11)] + draw.standard_normal((24, 12))
    found = mm.advise(
        [mm.ScoreMatrix(name, topics, runs, apart + shift) for name, shift in (("kappa_linear", 0), ("cem_ord", 1))]
    )
    told = found.to_dict()
    assert told["primary"] == "kappa_linear"
    (numbers,) = [one for one in told["findings"] if one["kind"] == "in numbers"]
    assert numbers["numbers"]["mean_tau"] < 0.2
    assert 0 < numbers["numbers"]["told_apart"] < numbers["numbers"]["pairs"]
    assert "kappa_linear does not rank the runs consistently: the mean tau between two halves is 0." in numbers["text"]
    ours = [reason for reason in found.reasons if "found that" not in reason]
    assert not any("ranks consistently" in reason or "is stable" in reason for reason in ours)
