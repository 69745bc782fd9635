"""Any data counted in parts, however divided, and merged in any order, give the same bits as in one pass."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from engines import LOCAL, made
from metameasure.evidence.base import load

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
LETTERS = ["E", "N", "C"]
ROLES = {"task": "entailment", "positive": "E", "neutral": "N", "negative": "C"}


def some_weights(rng, items):
    """Weights as people write them, and as programs do: of few digits, of all digits, very unequal, whole numbers."""
    kinds = (
        lambda: np.round(rng.random(items) + 0.01, 2),
        lambda: rng.random(items) + 1e-9,
        lambda: 10.0 ** rng.integers(-12, 13, items) * rng.random(items),
        lambda: rng.integers(0, 4, items) + (np.arange(items) == 0),
    )
    return np.asarray(kinds[rng.integers(len(kinds))](), dtype=float)


def names(rng, number, letter):
    """Ids as numbers, as text, or mixed."""
    kind = rng.integers(3)
    return [str(place) if kind == 0 or (kind == 1 and place % 3) else f"{letter}{place}" for place in range(number)]


def labels(rng, *, order):
    """Gold and runs with labels, topics and weights or none, and an order of the items where one is wanted; the options; and what
    may stand apart."""
    number = int(rng.integers(12, 60))
    keys = {"item": names(rng, number, "i")}
    if rng.random() < 0.6:
        keys["topic"] = [f"t{place}" for place in rng.integers(0, 4, number)]
    weight = {"weight": some_weights(rng, number)} if rng.random() < 0.7 else {}
    frames = {"gold": pl.DataFrame({**keys, **weight, "label": rng.choice(LETTERS, number)})}
    for run in ("a", "b")[: rng.integers(1, 3)]:
        columns = {**keys, "label": rng.choice(LETTERS, number)}
        if order:
            columns |= {
                name: column for name, column in orders(rng, number).items() if rng.random() < 0.7 or name == "confidence"
            }
        frames[run] = pl.DataFrame(columns)
    if rng.random() < 0.2:  # gold beside the labels of one run, without ids
        beside = {"run": ["a"] * number, "gold": frames["gold"]["label"], **weight}
        frames = {"gold": frames["a"].drop("item").with_columns(**{name: pl.Series(column) for name, column in beside.items()})}
    missing = {"missing": str(rng.choice(["drop", "class:N"]))} if rng.random() < 0.2 and len(frames) > 1 else {}
    if missing:
        frames["a"] = frames["a"].filter(pl.Series(rng.random(number) < 0.9))
    return frames, (ROLES if order else {"classes": LETTERS}) | missing, "item"


def orders(rng, items):
    """What a run may say of how sure it is."""
    coarse = np.round(rng.random(items), 1)
    return {
        "confidence": rng.random(items) if rng.random() < 0.5 else coarse,
        "score": rng.random(items),
        "rank": rng.integers(1, 9, items),
        "score_rank": rng.integers(1, 9, items),
    }


def classification(rng):
    return labels(rng, order=False)


def entailment(rng):
    return labels(rng, order=True)


def quantification(rng):
    """Probabilities, or counts, or labels to be counted."""
    topics, how = names(rng, int(rng.integers(4, 20)), "t"), {"task": "quantification", "classes": ["c0", "c1", "c2"]}
    frames, kind = {}, rng.integers(3)
    sizes = rng.integers(3, 9, len(topics))
    for name in ("gold", "a", "b"):
        shares = rng.dirichlet(np.ones(3), len(topics)) if kind == 0 else rng.integers(1, 9, (len(topics), 3))
        if kind == 2:
            said = rng.choice(["c0", "c1", "c2"], sizes.sum())
            frames[name] = pl.DataFrame({"topic": np.repeat(topics, sizes), "item": range(len(said)), "label": said})
        else:
            frames[name] = pl.DataFrame({"topic": topics, **{f"c{place}": shares[:, place] for place in range(3)}})
    return frames, how | ({"counts": True} if kind == 1 else {}), "topic"


def ranking(rng):
    """Ranks or scores, by one judge or several, or grades of relevance."""
    segments, systems = names(rng, int(rng.integers(4, 12)), "s"), names(rng, 12, "x")
    rows = [(segment, system) for segment in segments for system in rng.permutation(systems)[: rng.integers(2, 9)].tolist()]
    frames, judges = {}, rng.integers(1, 4)
    for name in ("gold", "a", "b"):
        listed = [(*row, f"j{judge}") for row in rows for judge in range(judges)] if name == "gold" and judges > 1 else rows
        ranked = rng.random() < 0.5
        values = {"rank": rng.integers(1, 6, len(listed))} if ranked else {"score": np.round(rng.random(len(listed)), 2)}
        columns = dict(zip(("segment", "item", "judge"), map(list, zip(*listed, strict=True)), strict=False))
        frames[name] = pl.DataFrame({**columns, **values})
    return frames, {"task": "ranking"}, "segment"


TASKS = {"classification": classification, "entailment": entailment, "quantification": quantification, "ranking": ranking}


def counted(frames, how):
    return mm.count(frames["gold"], {name: frame for name, frame in frames.items() if name != "gold"} or None, **how)


def divided(rng, frames, key):
    """The frames in two to five parts: by items, topics or segments, or by runs."""
    runs = [name for name in frames if name != "gold"]
    if rng.random() < 0.2 and len(runs) > 1:
        return [{"gold": frames["gold"], run: frames[run]} for run in runs]
    if key not in frames["gold"].columns:
        row, key = pl.Series("row", map(str, range(len(frames["gold"])))), "row"
        frames = {"gold": frames["gold"].with_columns(row)}
    units = sorted(set(frames["gold"][key].to_list()))
    parts = int(rng.integers(2, min(5, len(units)) + 1))
    side = dict(zip(rng.permutation(units).tolist(), (place % parts for place in range(len(units))), strict=True))
    return [
        {
            name: frame.filter(pl.col(key).replace_strict(side, return_dtype=pl.Int64) == part).drop("row", strict=False)
            for name, frame in frames.items()
        }
        for part in range(parts)
    ]


def check_split(task, number, folder):
    """Counted in parts, some of which go through files, and merged in any order."""
    rng = np.random.default_rng([22, list(TASKS).index(task), number])
    frames, how, key = TASKS[task](rng)
    parts = [counted(part, how) for part in divided(rng, frames, key)]
    for place, part in enumerate(parts):
        if rng.random() < 0.5:
            part.save(folder / f"{place}.npz")
            parts[place] = load(folder / f"{place}.npz")
    merged, whole = mm.merge([parts[place] for place in rng.permutation(len(parts))]), counted(frames, how)
    assert merged.checksum() == whole.checksum(), number
    for average in ("topics", "pooled")[: 1 if task in ("quantification", "ranking") else 2]:
        scores = [mm.evaluate(one, average=average, ci=True, trials=20) for one in (merged, whole)]
        told = [one.to_dict() for one in scores]
        for one in told:
            one["runs"] = sorted(one["runs"], key=lambda run: run["run"])
            one["notes"] = sorted(one["notes"])
        assert told[0] == told[1], number


@pytest.mark.each_time(1)
@pytest.mark.parametrize("task", TASKS)
def test_items_and_runs_divided_at_once(task):
    rng = np.random.default_rng([23, list(TASKS).index(task)])
    frames, how, key = TASKS[task](rng)
    while not {"item", "topic", "segment"} & {*frames["gold"].columns} or "b" not in frames:
        frames, how, key = TASKS[task](rng)
    units = frames["gold"][key].unique().to_list()
    halves = [
        {name: frames[name].filter(pl.col(key).is_in(some)) for name in ("gold", run)}
        for run in "ab"
        for some in (units[::2], units[1::2])
    ]
    parts = [counted(part, how) for part in halves]
    for order in ((0, 1, 2, 3), (0, 3, 1, 2), (3, 1, 0, 2)):
        assert mm.merge([parts[place] for place in order]).checksum() == counted(frames, how).checksum()


@pytest.mark.parametrize("made", ["array", "frame"])
def test_runs_apart_whose_gold_stands_beside_them(made):
    """It is the same gold, and there once."""
    gold, runs = [1, 2, 2, 1], {"a": [1, 2, 1, 1], "b": [2, 2, 2, 1], "c": [1, 1, 2, 2]}
    if made == "array":
        whole, *parts = (mm.count(gold, some, classes=[1, 2]) for some in (runs, *({run: said} for run, said in runs.items())))
    else:
        rows = pl.concat(pl.DataFrame({"run": run, "item": [*"wxyz"], "gold": gold, "label": said}) for run, said in runs.items())
        tables = (rows, *(rows.filter(pl.col("run") == run) for run in runs))
        whole, *parts = (mm.count(table, classes=[1, 2]) for table in tables)
    assert mm.merge(parts).checksum() == whole.checksum()
    with pytest.raises(mm.UsageError, match="run 'a' is in both on the same items of gold"):
        mm.merge([whole, parts[0]])


def halves():
    """Forty items with very unequal weights, in two halves. The first, as version 0.2.0 counted it, is in a file."""
    rng, items = np.random.default_rng(27), [f"i{place:02d}" for place in range(40)]
    weights = np.round(rng.random(40) + 0.05, 3)
    weights[[3, 7]] = 1 / 3, 1e6
    truth, topic = rng.choice(["a", "b", "c"], 40), [f"t{place % 3}" for place in range(40)]
    frames = {"gold": pl.DataFrame({"item": items, "topic": topic, "weight": weights, "label": truth})}
    for run in ("x", "y"):
        said = np.where(rng.random(40) < 0.6, truth, rng.choice(["a", "b", "c"], 40))
        frames[run] = pl.DataFrame({"item": items, "topic": topic, "label": said})
    return [{name: frame[rows] for name, frame in frames.items()} for rows in (slice(0, 20), slice(20, 40))]


class TestWeights:
    OLD = Path(__file__).parents[1] / "evidence/weighted.npz"
    MEASURES = "accuracy,kappa_linear,mae_macro,cem_ord,alpha_ordinal"

    def test_sums_are_exact(self):
        """Rounded once: as the standard library adds, in any order."""
        rng = np.random.default_rng(3)
        weights = np.concatenate([rng.random(30), 1e9 * rng.random(5), 1e-9 * rng.random(5), [5e-324, 0.1, 2.0**70]])
        rows = {"item": [*map(str, range(43))], "label": ["a"] * 43}
        gold = pl.DataFrame({**rows, "weight": weights})
        evidence = mm.count(gold, {"r": pl.DataFrame(rows)}, classes="a,b")
        assert evidence.tables()[0, 0].tolist() == [[math.fsum(weights), 0], [0, 0]]
        assert evidence.gold_tables()[0].tolist() == [math.fsum(weights), 0]

    @pytest.mark.parametrize("engine", [*LOCAL, "spark"])
    def test_on_every_engine(self, engine, tmp_path):
        first, _ = halves()
        gold, run = (made(engine, first[name].to_dict(as_series=False), tmp_path, name) for name in ("gold", "x"))
        assert (
            mm.count(gold, {"x": run}, classes="a,b,c").checksum()
            == counted({"gold": first["gold"], "x": first["x"]}, {"classes": "a,b,c"}).checksum()
        )

    def test_of_an_earlier_version(self):
        """To the bit what 0.2.0 printed; and merged with what is counted today."""
        found = mm.evaluate(self.OLD, measures=self.MEASURES)
        assert [*found["x"].values()] == [
            0.5695825782235675, 0.5111147936801365, 0.34504036665646104, 0.5987280073544579, 0.2877448907385069,
        ]  # fmt: skip
        first, second = halves()
        today = [counted(part, {"classes": "a,b,c"}) for part in (first, second)]
        for order in ([self.OLD, today[1]], [today[1], load(self.OLD)]):
            both = mm.evaluate(mm.merge(order), measures=self.MEASURES)
            whole = mm.evaluate(mm.merge(today), measures=self.MEASURES)
            assert [*both["y"].values()] == pytest.approx([*whole["y"].values()], abs=1e-11)
        with pytest.raises(mm.UsageError, match="run 'x' is in both on the same items of gold"):
            mm.merge([self.OLD, today[0]])

    def test_parts_with_and_without_weights(self):
        first, second = halves()
        plain = {name: frame.drop("weight", strict=False) for name, frame in second.items()}
        ones = {**second, "gold": second["gold"].with_columns(pl.lit(1.0).alias("weight"))}
        found, expected = (
            mm.merge([counted(first, {"classes": "a,b,c"}), counted(other, {"classes": "a,b,c"})]) for other in (plain, ones)
        )
        assert mm.evaluate(found).to_dict()["runs"] == mm.evaluate(expected).to_dict()["runs"]

    def test_clusters_in_one_part_only_are_not_merged(self):
        first, second = ({**part, "gold": part["gold"].with_columns(pl.col("topic").alias("cluster"))} for part in halves())
        how = {"classes": "a,b,c", "columns": {"cluster": "cluster"}}
        with pytest.raises(mm.UsageError, match=r"one part was counted with for_='compare', and the other was not"):
            mm.merge([counted(first, how), counted(second, {"classes": "a,b,c"})])


def test_notes_of_parts_add_up():
    """What is said of the whole is said of the parts together."""
    parts = [{**part, "x": part["x"][:-3]} for part in halves()]
    found = mm.merge([counted(part, {"classes": "a,b,c", "missing": "drop"}) for part in parts])
    assert found.notes == ("x: 6 missing items left out",)
    each = [counted({"gold": parts[0]["gold"], run: parts[0]["x"]}, {"classes": "a,b,c", "missing": "drop"}) for run in "xy"]
    assert mm.merge(each).notes == ("x: 3 missing items left out", "y: 3 missing items left out")


@pytest.mark.each_time(1)
@pytest.mark.parametrize("task", TASKS)
def test_any_split_is_the_whole(task, tmp_path):
    for number in range(4):
        check_split(task, number, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_many_splits_are_the_whole(task, tmp_path):
    for number in range(4, 100):
        check_split(task, number, tmp_path)
