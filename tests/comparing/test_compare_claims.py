"""What a comparison over topics claims, and what it says it cannot: ties, noisy runs, steady differences, the smallest p."""

import json

import numpy as np
import pytest

import metameasure as mm


def matrix(values, names=None):
    values = np.asarray(values, dtype=float)
    names = names or [f"run{place}" for place in range(values.shape[1])]
    return mm.ScoreMatrix("accuracy", tuple(f"t{n:02}" for n in range(len(values))), tuple(names), values)


def field(topics=20, runs=8, seed=0):
    rng = np.random.default_rng(seed)
    return 0.6 + rng.normal(0, 0.05, (topics, 1)) + rng.normal(0, 0.05, (topics, runs)) - np.linspace(0, 0.2, runs)


@pytest.mark.parametrize("test", ["stepwise", "tukey", "classical", "permutation", "bootstrap"])
def test_p_values_depend_neither_on_names_nor_on_order(test):
    """Runs with equal means among them. What is drawn is drawn for topics, so that rows may stand in any order too."""
    values = np.round(field(9, 5), 2)
    values[:, 1] = np.roll(values[:, 0], 1)
    by_name = dict(zip("abcde", values.T, strict=True))
    first = mm.compare(matrix(values, list("abcde")), test=test)
    rng = np.random.default_rng(1)
    for _ in range(4):
        order, names = rng.permutation(5), rng.permutation(list("vwxyz"))
        again = mm.compare(matrix(values[:, order], names.tolist()), test=test)
        called = dict(zip(names.tolist(), [list(by_name)[place] for place in order], strict=True))
        for one in again.runs:
            for other in again.runs:
                old = first.p[first.runs.index(called[one]), first.runs.index(called[other])]
                assert again.p[again.runs.index(one), again.runs.index(other)] == pytest.approx(
                    old, abs=0.02 if test == "tukey" else 1e-12
                )


def test_the_smallest_p_value_is_said_where_nothing_could_be_found():
    found = mm.compare(matrix(field(8, 20)))
    said = "with 8 topics and 20 runs no neighbours can differ significantly (p = 0.075 at best): use more topics"
    assert any(note.startswith(said) for note in found.notes)
    assert found.to_dict()["smallest_p"] == pytest.approx(1 - (1 - 2**-7) ** 10)
    assert not any("no neighbours" in note for note in mm.compare(matrix(field(20, 20))).notes)


def test_a_noisy_run_is_named_with_what_it_hides():
    values = field(20, 8)
    quiet = mm.compare(matrix(values))
    assert not any("varies" in note for note in quiet.notes)
    values[:, 3] += np.random.default_rng(2).normal(0, 0.6, 20)
    noisy = mm.compare(matrix(values))
    (note,) = [note for note in noisy.notes if "varies" in note]
    assert note.startswith("run3 varies ")
    left = mm.compare(matrix(values), leave_out=["run3"])
    others = [place for place, run in enumerate(noisy.runs) if run != "run3"]
    counts = [int(np.triu(one, 1).sum()) for one in (noisy.significant[np.ix_(others, others)], left.significant)]
    assert f"{counts[0]} of their 21 pairs differ significantly, and {counts[1]} without it" in note
    assert counts[1] > counts[0]
    assert "run3" not in left.runs
    assert any("left out, as asked: run3" in note for note in left.notes)


def test_a_small_but_steady_difference_is_named():
    values = np.random.default_rng(3).normal(0.5, 0.1, (20, 6))
    values[:, 1] = values[:, 0] - 0.01
    found = mm.compare(matrix(values))
    (note,) = [note for note in found.notes if "by nearly the same" in note]
    assert note.startswith("run0 beats run1 on 20 of 20 topics by nearly the same (compared alone p < 0.001)")
    assert found.p[found.runs.index("run0"), found.runs.index("run1")] > 0.05
    planned = mm.compare(matrix(values), against="run1", test="permutation")
    assert planned.p[planned.runs.index("run0"), planned.runs.index("run1")] < 0.05


def test_a_difference_that_a_noisy_run_hides_is_not_called_the_same_on_all_topics():
    values = np.random.default_rng(3).normal(0.5, 0.1, (20, 4))
    values[:, 0] += 0.15
    values[:, 3] = np.random.default_rng(4).normal(0.5, 0.8, 20)
    notes = [note for note in mm.compare(matrix(values)).notes if "compared alone" in note]
    assert notes
    assert all(", which the spread of the field hides (compared alone p = " in note for note in notes)


def test_differences_have_intervals(run, tmp_path):
    file = tmp_path / "scores.csv"
    topics = [
        f"accuracy,t{n},{name},{score}" for n, row in enumerate(field(12, 4)) for name, score in zip("abcd", row, strict=True)
    ]
    file.write_text("\n".join(["measure,topic,run,score", *topics]) + "\n")
    told = json.loads(run("compare", file, "--format", "json")[1])
    wider = json.loads(run("compare", file, "--simultaneous", "--format", "json")[1])
    for one in (told, wider):
        assert np.all(
            np.array(one["difference_low"], float)[np.triu_indices(4, 1)] < np.array(one["difference"])[np.triu_indices(4, 1)]
        )
    apart = [np.array(one["difference_high"], float) - np.array(one["difference_low"], float) for one in (told, wider)]
    assert np.all(apart[1][np.triu_indices(4, 1)] > apart[0][np.triu_indices(4, 1)])
    assert np.array(told["p_alone"]).shape == (4, 4)
    status, out, err = run("compare", file, "--against", "a")
    assert status == 0, err
    assert "minus a" in out
    assert run("compare", file, "--leave-out", "nobody")[0] == 2


def test_intervals_of_differences_are_paired_t():
    values = field(12, 3)
    found = mm.compare(matrix(values))
    i, j = found.runs.index("run0"), found.runs.index("run2")
    gaps = values[:, 0] - values[:, 2]
    reach = 2.200985 * gaps.std(ddof=1) / np.sqrt(12)
    assert (found.difference_low[i, j], found.difference_high[i, j]) == pytest.approx(
        (gaps.mean() - reach, gaps.mean() + reach), abs=1e-6
    )


def test_differences_are_in_the_table_and_say_what_they_hold_for():
    values = field(12, 4)
    plain, wide = (mm.compare(matrix(values), simultaneous=one) for one in (False, True))
    for found, said in ((plain, "unadjusted (each by itself)"), (wide, "simultaneous (for all pairs at once)")):
        best, other = found.runs[0], found.runs[-1]
        text = str(found)
        assert f"minus {best}" in text.splitlines()[0]
        assert f"minus {best}: differences, {said}" in text
        low, high = found.difference_low[3, 0], found.difference_high[3, 0]
        line = next(line for line in text.splitlines() if f" {other} " in line)
        assert f"{found.means[3] - found.means[0]:+.4f} [{low:+.4f}, {high:+.4f}]" in line
    against = mm.compare(matrix(values), against=plain.runs[2])
    assert f"minus {plain.runs[2]}: differences, unadjusted" in str(against)


def test_a_significant_pair_whose_simultaneous_interval_reaches_0_is_marked():
    rng = np.random.default_rng(0)
    for seed in range(40):
        values = field(12, 6, seed) + rng.normal(0, 0.02, (12, 6))
        found = mm.compare(matrix(values), simultaneous=True)
        doubtful = found.significant & (found.difference_low <= 0) & (found.difference_high >= 0)
        assert str(found).count("*°") == np.triu(doubtful, 1).sum()
        assert ("°: significant" in str(found)) == doubtful.any()
        if doubtful.any():
            break
    else:
        raise AssertionError("no such pair was found")
    assert "°" not in str(mm.compare(matrix(values)))


def test_charts_have_differences(tmp_path):
    found = mm.compare(matrix(field(12, 4)))
    found.chart(tmp_path / "chart.svg")
    assert "minus" in (tmp_path / "chart.svg").read_text()
