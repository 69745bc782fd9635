"""Evidence that was counted for comparisons, in parts and merged, gives what the files themselves give: every p-value and
interval, to the bit."""

import json

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from engines import spark
from metameasure.core.errors import DataError, UsageError
from metameasure.evidence.base import load

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
ITEMS, RUNS = 90, ("a", "b", "c")
CLASSES = {"classes": "0..2"}
ROLES = {"task": "entailment", "positive": "0", "neutral": "1", "negative": "2"}


def items(seed=0):
    draw = np.random.default_rng(seed)
    gold = draw.integers(0, 3, ITEMS)
    return draw, {"item": [f"i{place}" for place in range(ITEMS)], "gold": gold}


def stacked(**more):
    """Runs below each other, with further columns of the items."""
    draw, known = items()
    labels = [np.where(draw.random(ITEMS) < 0.7, known["gold"], draw.integers(0, 3, ITEMS)) for _ in RUNS]
    each = zip(RUNS, labels, strict=True)
    return pl.concat([pl.DataFrame({"run": [run] * ITEMS, **known, **more, "label": own}) for run, own in each])


def with_gaps():
    rows = stacked()
    return rows.filter(~((pl.col("run") == "b") & pl.col("item").is_in([f"i{place}" for place in range(0, ITEMS, 9)])))


def repeated():
    """Up to three outputs for an item."""
    draw, known = items()
    rows = [
        (run, item, gold, int(gold if draw.random() < 0.6 else draw.integers(0, 3)), str(one))
        for run in RUNS
        for item, gold in zip(known["item"], known["gold"].tolist(), strict=True)
        for one in range(1 + (len(item) + ord(run)) % 3)
    ]
    return pl.DataFrame(rows, schema=["run", "item", "gold", "label", "sample"], orient="row")


def in_order():
    draw = np.random.default_rng(3)
    return stacked().with_columns(pl.Series("confidence", draw.random(ITEMS * len(RUNS)).round(2)))


SHAPES = {
    "plain": (stacked(), CLASSES, ("accuracy", "kappa", "cem_ord", "mae_macro")),
    "in three topics": (stacked(topic=[f"t{place % 3}" for place in range(ITEMS)]), CLASSES, ("accuracy", "kappa")),
    "in eight topics": (stacked(topic=[f"t{place % 8}" for place in range(ITEMS)]), CLASSES, ("accuracy",)),
    "weighted": (stacked(weight=[place % 4 / 4 for place in range(ITEMS)]), CLASSES, ("accuracy", "kappa")),
    "in clusters": (
        stacked(passage=[f"p{place // 5}" for place in range(ITEMS)]),
        {**CLASSES, "columns": {"cluster": "passage"}},
        ("accuracy", "mae_macro"),
    ),
    "several outputs": (repeated(), {**CLASSES, "columns": {"repeat": "sample"}}, ("accuracy",)),
    "missing, dropped": (with_gaps(), {**CLASSES, "missing": "drop"}, ("accuracy", "kappa")),
    "missing, worst": (with_gaps(), {**CLASSES, "missing": "worst"}, ("accuracy", "mae_macro")),
    "entailment": (in_order(), ROLES, ("a3", "average_precision", "confidence_weighted_score")),
}
TESTS = (
    {},
    {"correction": "maxt"},
    {"average": "pooled"},
    {"units": "items"},
    {"test": "bootstrap"},
    {"against": "b", "test": "permutation"},
)


def written(folder, name, rows):
    path = folder / f"{name}.csv"
    rows.write_csv(path)
    return path


def in_parts(folder, rows, how, parts=3, **more):
    """Evidence of parts of the items, in files."""
    place = np.random.default_rng(parts).integers(0, parts, ITEMS)
    files = []
    for part in range(parts):
        mine = [f"i{item}" for item in np.flatnonzero(place == part)]
        path = written(folder, f"part{part}", rows.filter(pl.col("item").is_in(mine)))
        files.append(folder / f"part{part}.npz")
        mm.count(path, for_="compare", **how, **more).save(files[-1])
    return files


def plain(told):
    """Without the last digits of the variance of clusters, which are sums in the items' order."""
    if told.get("variance") and "items" in str(told["variance"]):  # several outputs share an item, by thirds
        told |= {name: rounded(told[name]) for name in ("low", "high") if name in told}
    return told | {"variance": rounded(told.get("variance"))}


def rounded(value):
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    return round(value, 9) if isinstance(value, float) else value


def answer(*data, **how):
    """What is said, or why nothing is."""
    try:
        return json.dumps(plain(mm.compare(*data, trials=200, **how).to_dict()), default=str)
    except (UsageError, DataError) as error:
        return str(error)


FEWER = {"plain": ("accuracy", "kappa"), "entailment": ("a3", "average_precision")}
"""The measures that are tried with every change, where there are more."""


@pytest.mark.each_time(2)
@pytest.mark.parametrize(
    ("shape", "measures"),
    [
        *((shape, FEWER.get(shape, measures)) for shape, (_, _, measures) in SHAPES.items()),
        *(pytest.param(shape, SHAPES[shape][2], marks=pytest.mark.slow) for shape in FEWER),
    ],
)
def test_merged_evidence_compares_as_the_files_do(tmp_path, shape, measures):
    rows, how, _ = SHAPES[shape]
    whole, parts = written(tmp_path, "all", rows), in_parts(tmp_path, rows, how)
    merged = mm.merge(parts)
    assert str(merged) == str(mm.merge(parts[::-1])) == str(mm.count(whole, for_="compare", **how))
    merged.save(tmp_path / "merged.npz")
    answered = 0
    # Tests asked for by name draw by the names of items, which evidence lacks: it matters where items have several outputs.
    for asked in TESTS if shape != "several outputs" else [one for one in TESTS if "test" not in one]:
        for measure in measures:
            expected = answer(whole, None, measure, **asked, **how)
            assert answer(tmp_path / "merged.npz", measure, **asked) == expected
            answered += expected.startswith("{")
    assert answered > len(measures)
    scored = [mm.evaluate(data, measures=",".join(measures), ci=True, trials=50, **more).to_dict()
              for data, more in ((whole, how), (tmp_path / "merged.npz", {}))]  # fmt: skip
    if shape in ("in clusters", "several outputs"):
        scored = [rounded(one) for one in scored]
    assert plain(scored[0]) == plain(scored[1])


def test_the_file_does_not_grow_with_the_items(tmp_path):
    rows = stacked()
    larger = pl.concat([rows.with_columns(pl.col("item") + f" {copy}") for copy in range(20)])
    found = [mm.count(written(tmp_path, name, one), for_="compare", **CLASSES) for name, one in (("few", rows), ("many", larger))]
    assert len(found[0].outputs.times) == len(found[1].outputs.times) < ITEMS
    assert found[1].outputs.size == 20 * ITEMS
    expected = mm.compare(tmp_path / "many.csv", None, "kappa", trials=200, **CLASSES)
    assert mm.compare(found[1], "kappa", trials=200).to_dict() == expected.to_dict()


def test_ranks_and_gate_take_it(tmp_path):
    rows, how, _ = SHAPES["plain"]
    whole, merged = written(tmp_path, "all", rows), mm.merge(in_parts(tmp_path, rows, how))
    merged.save(tmp_path / "merged.npz")
    expected = mm.ranks(whole, None, "accuracy", trials=200, **how).to_dict()
    assert mm.ranks(tmp_path / "merged.npz", "accuracy", trials=200).to_dict() == expected
    gates = [
        mm.gate(data, measures="accuracy", baseline="a", candidate="b", margin=0.1, **more).to_dict()
        for data, more in ((whole, how), (tmp_path / "merged.npz", {}))
    ]
    assert gates[0] == gates[1]


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", ["plain", "in three topics", "weighted", "in clusters", "missing, worst", "several outputs"])
def test_a_cluster_counts_the_same(tmp_path, shape):
    rows, how, _ = SHAPES[shape]
    path = written(tmp_path, "all", rows)
    here, there = (mm.count(path, for_="compare", **how, **more) for more in ({}, {"engine": "spark", "master": spark().address}))
    assert str(here) == str(there)
    for name in ("here", "there"):
        (here if name == "here" else there).save(tmp_path / f"{name}.npz")
    assert answer(tmp_path / "here.npz", "accuracy") == answer(tmp_path / "there.npz", "accuracy")


class TestPairs:
    """Joint counts of pairs that are named: p-values as of the files, compared with one run."""

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("shape", ["plain", "in three topics", "weighted", "missing, worst"])
    def test_they_compare_as_the_files_do(self, tmp_path, shape):
        rows, how, measures = SHAPES[shape]
        whole, merged = written(tmp_path, "all", rows), mm.merge(in_parts(tmp_path, rows, how, pairs="a:b,c:a"))
        assert str(merged) == str(mm.count(whole, for_="compare", pairs=[("a", "b"), ("c", "a")], **how))
        merged.save(tmp_path / "merged.npz")
        for measure in measures:
            asked = {"measure": measure, "correction": "holm", "trials": 100}
            expected = self.numbers(mm.compare(whole, None, against="a", **asked, **how))
            assert self.numbers(mm.compare(tmp_path / "merged.npz", **asked)) == expected
            gates = [
                self.numbers(mm.gate(data, measures=measure, baseline="a", candidate="b", margin=0.1, **more))
                for data, more in ((whole, how), (tmp_path / "merged.npz", {}))
            ]
            assert gates[0] == gates[1]
        scored = [mm.evaluate(data, measures=",".join(measures), **more).values
                  for data, more in ((whole, how), (tmp_path / "merged.npz", {}))]  # fmt: skip
        assert np.array_equal(*scored)

    @staticmethod
    def numbers(found):
        """What is found, but for what evidence of pairs does not know: a digest of all runs together, and notes by part."""
        told = found.to_dict()
        return {name: value for name, value in told.items() if name not in ("signature", "signature_parts", "notes", "findings")}

    def test_they_stay_few_where_runs_are_many(self, tmp_path):
        draw, known = items()
        runs = [pl.DataFrame({"run": [f"r{place}"] * ITEMS, **known, "label": draw.integers(0, 3, ITEMS)}) for place in range(9)]
        path = written(tmp_path, "all", pl.concat(runs))
        every, some = (mm.count(path, for_="compare", pairs=pairs, **CLASSES) for pairs in (None, "r0:r1,r2:r3"))
        assert [len(one.times) for one in some.paired] <= [27, 27] < [len(every.outputs.times)] * 2
        assert some.outputs is None
        found = mm.compare(some, "accuracy", against="r2", trials=50)
        assert (
            found.runs == mm.compare(path, None, "accuracy", leave_out=[f"r{n}" for n in (0, 1, 4, 5, 6, 7, 8)], **CLASSES).runs
        )
        assert "joint counts were kept of r2:r3 only, so that r0, r1" in str(found.notes)

    @pytest.mark.needs("spark")
    def test_a_cluster_counts_the_same(self, tmp_path):
        path = written(tmp_path, "all", stacked())
        there = {"engine": "spark", "master": spark().address}
        here, other = (mm.count(path, for_="compare", pairs="a:b,b:c", **CLASSES, **more) for more in ({}, there))
        assert str(here) == str(other)

    def test_what_is_wrong(self, tmp_path):
        path = written(tmp_path, "all", stacked(passage=[f"p{place // 5}" for place in range(ITEMS)]))
        found = mm.count(path, for_="compare", pairs="a:b", **CLASSES)
        for call, said in (
            (lambda: mm.count(path, pairs="a:b", **CLASSES), "pairs says which runs are to be compared; add for_='compare'"),
            (lambda: mm.count(path, for_="compare", pairs="a:x", **CLASSES), "'a:x' is no pair of runs"),
            (lambda: mm.count(path, for_="compare", pairs="a", **CLASSES), "'a' is no pair of runs"),
            (lambda: mm.count(path, for_="compare", pairs="a:b", columns={"cluster": "passage"}, **CLASSES), "for all runs"),
            (lambda: mm.compare(found, "accuracy", against="c"), "joint counts were kept of a:b only"),
            (lambda: mm.compare(found, "accuracy", correction="maxt"), "needs all runs at once"),
            (lambda: mm.gate(found, measures="accuracy", baseline="a", candidate="c", margin=0.1), "count it with pairs"),
            (lambda: mm.merge([found, mm.count(path, for_="compare", pairs="a:c", **CLASSES)]), "same pairs|same items"),
        ):
            with pytest.raises(UsageError, match=said):
                call()

    @pytest.mark.parametrize("array", ["pairs_times", "pairs_labels", "pairs_of"])
    def test_a_file_that_was_tampered_with(self, tmp_path, array):
        path = tmp_path / "all.npz"
        mm.count(written(tmp_path, "all", stacked()), for_="compare", pairs="a:b,b:c", **CLASSES).save(path)
        held = dict(np.load(path))
        held[array] = held[array] + 1
        np.savez_compressed(path, **held)
        with pytest.raises(DataError, match=r"no sound evidence|checksum"):
            load(path)


class TestWhatIsWrong:
    def test_evidence_without_joint_counts(self, tmp_path):
        path = written(tmp_path, "all", stacked())
        with pytest.raises(UsageError, match=r"evidence has no items.*count it with for_='compare'"):
            mm.compare(mm.count(path, **CLASSES), "accuracy")

    def test_one_part_with_them_and_one_without(self, tmp_path):
        rows = stacked()
        first, second = in_parts(tmp_path, rows, CLASSES, parts=2)
        mm.count(tmp_path / "part1.csv", **CLASSES).save(second)
        with pytest.raises(UsageError, match="one part was counted with for_='compare', and the other was not"):
            mm.merge([first, second])

    def test_another_purpose(self, tmp_path):
        with pytest.raises(UsageError, match="for_ cannot be 'fun'; choose compare"):
            mm.count(written(tmp_path, "all", stacked()), for_="fun", **CLASSES)

    @pytest.mark.parametrize(
        ("array", "change", "said"),
        [
            ("joint_times", lambda array: array + 1, "not of the items that are counted"),
            ("joint_times", lambda array: array * 0, "values below 1"),
            ("joint_labels", lambda array: array + 5, "codes that stand for nothing"),
            ("joint_gold", lambda array: array[1:], "has the shape"),
        ],
    )
    def test_a_file_that_was_tampered_with(self, tmp_path, array, change, said):
        path = tmp_path / "all.npz"
        mm.count(written(tmp_path, "all", stacked()), for_="compare", **CLASSES).save(path)
        held = dict(np.load(path))
        held[array] = change(held[array])
        np.savez_compressed(path, **held)
        with pytest.raises(DataError, match=f"{said}|checksum"):
            load(path)
