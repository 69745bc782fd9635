"""A signature: a frozen mapping whose text can be read again, whatever names are in it; the same for data in any shape."""

import gc
import json
import pickle
import string
import weakref

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure import Signature
from metameasure.core.signature import LISTS, PAIRS, digest_of_numbers, quoted, unquoted

GOLD = ["a", "b", "c", "a", "b", "c", "a", "a"]
RUNS = {"one": ["a", "b", "c", "a", "c", "c", "b", "a"], "two": ["b", "b", "c", "a", "b", "a", "a", "c"]}
CLASSES = ["a", "b", "c"]
HOSTILE = st.one_of(
    st.text(min_size=1, max_size=12),
    st.sampled_from(
        ["a|b", "a:b", "a,b", "a=b", "x --missing drop", "%7C", "100 %", "naïve", "\n", "\r\n", "'", '"', "\ud800", "运行"]
    ),
)


@given(
    classes=st.lists(HOSTILE, min_size=1, max_size=4, unique=True),
    runs=st.dictionaries(HOSTILE, st.text(string.hexdigits, min_size=1, max_size=12), min_size=1, max_size=4),
    plugin=st.dictionaries(HOSTILE, st.just("abc"), min_size=1, max_size=2),
    missing=HOSTILE,
)
def test_names_survive_text_and_back(classes, runs, plugin, missing):
    made = Signature(task="classification", classes=classes, missing=missing, plugin=plugin, runs=runs, version="0.3.0")
    text = str(made)
    again = Signature.parse(text)
    assert str(again) == text
    assert again == made
    assert (again.of("classes"), again.of("runs")) == (tuple(classes), runs)
    assert (again.of("plugin"), again.of("missing")) == (plugin, missing)
    assert text.isascii()
    assert text.isprintable()
    assert not {" ", "'", '"', "\\"} & {*text}
    json.dumps(again.parts())


@given(HOSTILE)
def test_quoting_is_undone(text):
    assert unquoted(quoted(text)) == text


def test_a_signature_over_several_lines_is_read_as_one():
    made = Signature(task="classification", classes=("neg", "pos"), version="0.3.0")
    text = str(made)
    assert Signature.parse(f"  Signature: {text[:20]}\n    {text[20:]}\n") == made


def test_it_is_a_frozen_mapping_and_a_text():
    made = Signature(task="ranking", level=0.95, ci=True, nothing=None, version="1")
    assert dict(made) == {"task": "ranking", "level": "0.95", "ci": "yes", "version": "1"}
    assert str(made) == made == "task:ranking|level:0.95|ci:yes|version:1"
    assert "task" in made
    assert "|level:0.95|" in made
    assert "rank" not in made
    with pytest.raises(TypeError):
        made["task"] = "other"
    with pytest.raises(AttributeError):
        made.task = "other"
    changed = made.having(undefined="zero", task=None)
    assert str(changed) == "level:0.95|ci:yes|undefined:zero|version:1"
    assert made["task"] == "ranking"
    assert {made: 1}[Signature.parse(str(made))] == 1


@pytest.mark.parametrize("text", ["", "garbage", "task", "task:a||version:1", "|", "Task:a", "a:b|a:c", "1:2"])
def test_what_is_no_signature_is_refused(text):
    with pytest.raises(mm.UsageError):
        Signature.parse(text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        made = Signature.parse(text)
    except mm.UsageError:
        return
    for name in made:
        made.of(name)
    assert Signature.parse(str(made)) == made


def test_lists_and_pairs_are_told_apart():
    assert not LISTS & PAIRS


@given(st.floats(-1e9, 1e9), st.floats(-4, 4))
def test_numbers_that_rounding_changes_have_nearly_always_the_same_digest(number, steps):
    """What people meet, such as k / 2^n and decimals, is never where one step ends and the next begins."""
    for nice in (round(number, 3), np.rint(number) / 512, 0.5, 1.0, 2.0, 0.05):
        near = nice + steps * np.spacing(abs(nice))
        assert digest_of_numbers([("a", nice)]) == digest_of_numbers([("a", near)])


def test_numbers_that_differ_have_other_digests_and_the_order_of_rows_does_not_matter():
    rows = [("a", 0.5), ("b", 0.25), ("c", float("nan")), ("d", float("inf"))]
    assert digest_of_numbers(rows) == digest_of_numbers(rows[::-1])
    for other in (0.5001, 0.4999999, -0.5, float("nan")):
        assert digest_of_numbers([("a", other), *rows[1:]]) != digest_of_numbers(rows)


def shapes(folder):
    """The same labels in every shape: what is passed as gold, as runs, and how."""
    items = [f"i{place}" for place in range(len(GOLD))]
    order = [3, 1, 0, 2, 7, 6, 5, 4]
    for name, labels in {"gold": GOLD, **RUNS}.items():
        lines = ["item,label", *(f"{items[place]},{labels[place]}" for place in order)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    wide = ["gold,two,one", *(f"{GOLD[place]},{RUNS['two'][place]},{RUNS['one'][place]}" for place in order)]
    (folder / "wide.csv").write_text("\n".join(wide) + "\n", encoding="utf-8")
    stacked = ["run,item,gold,label", *(f"{run},{items[p]},{GOLD[p]},{RUNS[run][p]}" for run in RUNS for p in order)]
    (folder / "stacked.csv").write_text("\n".join(stacked) + "\n", encoding="utf-8")
    arrays = {name: np.array(labels) for name, labels in RUNS.items()}
    return {
        "files": (folder / "gold.csv", [folder / "two.csv", folder / "one.csv"]),
        "lists": (GOLD, RUNS),
        "arrays": (np.array(GOLD), arrays),
        "shuffled": (np.array(GOLD)[order], {name: labels[order] for name, labels in arrays.items()}),
        "wide": (folder / "wide.csv", None),
        "stacked": (folder / "stacked.csv", None),
        "frame": (pl.DataFrame({"gold": GOLD, **RUNS}), None),
        "frames": tuple(
            pl.DataFrame({"item": items, "label": GOLD})
            if one is None
            else {n: pl.DataFrame({"item": items, "label": v}) for n, v in one.items()}
            for one in (None, RUNS)
        ),
    }


def test_the_same_labels_in_any_shape_have_the_same_signature(tmp_path):
    signed = {name: str(mm.evaluate(gold, runs, classes=CLASSES).signature) for name, (gold, runs) in shapes(tmp_path).items()}
    assert len({*signed.values()}) == 1, signed
    compared = {str(mm.compare(gold, runs, "kappa", classes=CLASSES, trials=50).made) for gold, runs in shapes(tmp_path).values()}
    assert len(compared) == 1


def test_evidence_has_the_signature_of_its_data(tmp_path):
    evidence = mm.count(GOLD, RUNS, classes=CLASSES)
    evidence.save(tmp_path / "kept.npz")
    expected = mm.evaluate(GOLD, RUNS, classes=CLASSES).signature
    assert mm.evaluate(tmp_path / "kept.npz").signature == mm.evaluate(evidence).signature == expected


def test_each_run_has_a_digest_of_its_own_and_gold_another():
    one = mm.evaluate(GOLD, RUNS, classes=CLASSES).made
    other = mm.evaluate(GOLD, {**RUNS, "two": RUNS["one"]}, classes=CLASSES).made
    assert one["gold"] == other["gold"]
    assert one.of("runs")["one"] == other.of("runs")["one"] == other.of("runs")["two"] != one.of("runs")["two"]
    assert mm.evaluate(["a", *GOLD[1:-1], "b"], RUNS, classes=CLASSES).made["gold"] != one["gold"]


def test_a_run_keeps_its_digest_whatever_stands_beside_it_weights_too():
    """Weights are kept in a unit that all runs share."""
    weights = [0.5, 1.25, 3.0, 0.125, 7.0, 1.0, 1.0, 2.0]
    frame = {"item": range(8), "label": GOLD, "weight": weights}
    runs = {name: pl.DataFrame({"item": range(8), "label": labels}) for name, labels in RUNS.items()}
    both = mm.evaluate(pl.DataFrame(frame), runs, classes=CLASSES).made
    alone = mm.evaluate(pl.DataFrame(frame), {"one": runs["one"]}, classes=CLASSES).made
    assert both["gold"] == alone["gold"]
    assert both.of("runs")["one"] == alone.of("runs")["one"]


def test_what_all_say_of_single_items_is_seen_where_it_counts():
    """Two runs whose counts stay the same while their errors fall on other items: only a test over items sees it."""
    gold = ["a"] * 6 + ["b"] * 6
    one = ["b", "a", "a", "a", "a", "a", *gold[6:]]
    apart = ["a", "b", "a", "a", "a", "a", *gold[6:]]
    made = [mm.compare(gold, {"x": one, "y": other}, "accuracy", classes="a,b", trials=50).made for other in (one, apart)]
    assert made[0]["runs"] == made[1]["runs"]
    assert made[0]["items"] != made[1]["items"]


def test_a_short_signature_is_for_the_foot_of_a_table():
    scores = mm.evaluate(GOLD, RUNS, classes=CLASSES)
    short = scores.signature.short()
    assert short == scores.made.short()
    assert [*short] == ["task", "classes", "kind", "topics", "average", "digest", "version"]
    assert f"Signature: {short}" in scores.render("table")
    assert f"% Signature: {scores.signature}" in scores.render("latex")
    told = scores.to_dict()
    assert told["signature"] == str(scores.signature)
    assert told["signature_parts"]["classes"] == CLASSES
    assert [*told["signature_parts"]["runs"]] == ["one", "two"]


def test_every_setting_that_changes_numbers_is_in_it():
    made = mm.evaluate(
        GOLD, RUNS, classes=CLASSES, measures=["f1@a", "kappa"], undefined="zero", missing="class:a", extra="ignore",
        interval="bayes", level=0.9, trials=50, seed=3, baselines=True, average="pooled",
    ).signature  # fmt: skip
    told = {name: made.of(name) for name in made}
    assert told["measures"] == ("f1@a", "kappa")
    assert (told["undefined"], told["missing"], told["extra"], told["average"]) == ("zero", "class:a", "ignore", "pooled")
    assert (told["interval"], told["level"], told["draws"], told["seed"], told["baselines"]) == ("bayes", "0.9", "50", "3", "yes")


def test_a_plugin_is_in_it_with_a_digest(tmp_path):
    code = (
        "from metameasure.plugin import hits, measure, namespace, ratio, total\n\n\n"
        '@measure(id="right", title="Right", better="higher", formula="x", source="You (2026). A Paper.")\n'
        "def right(counts):\n    return ratio(namespace(counts).sum(hits(counts), axis=-1), total(counts))\n"
    )
    signed = []
    for place, text in enumerate((code, code + "# changed\n")):
        folder = tmp_path / str(place)
        folder.mkdir()
        plugin = folder / "my, own|measures.py"
        plugin.write_text(text, encoding="utf-8")
        registry = mm.measures.with_plugins([plugin])
        signed.append(mm.evaluate(GOLD, RUNS, classes=CLASSES, measures="right", registry=registry).made)
    assert [*signed[0].of("plugin")] == ["my, own|measures.py"]
    assert signed[0]["plugin"] != signed[1]["plugin"]
    assert "plugin" not in mm.evaluate(GOLD, RUNS, classes=CLASSES).made


ORDERED = {"task": "entailment", "positive": "a", "neutral": "b", "negative": "c"}


def test_what_a_signature_says_is_settled_when_the_scores_are():
    """It is written down when somebody reads it: what becomes of the data, or of a copy, in between changes nothing."""
    gold, said, scores = np.array(GOLD), np.array(RUNS["one"]), np.arange(8.0)
    for how in ({"classes": CLASSES}, {**ORDERED, "matrices": {"score": {"run": scores}}}):
        at_once = str(mm.evaluate(gold, {"run": said}, **how).signature)
        later = mm.evaluate(gold, {"run": said}, **how)
        copies = [pickle.loads(pickle.dumps(one.made)) for one in (later, mm.evaluate(gold, {"run": said}, **how))]
        saved = gold.copy(), said.copy(), scores.copy()
        gold[:], said[:], scores[:] = "b", "c", 0
        assert str(later.signature) == at_once
        assert [str(copy.having(numbers=later.numbers())) for copy in copies] == [at_once] * 2
        gold[:], said[:], scores[:] = saved


@pytest.mark.thorough
@pytest.mark.parametrize("ordered", [False, True])
def test_scores_do_not_hold_on_to_the_data(ordered):
    gold, said, scores = np.array([0, 1, 2] * 5), np.array([0, 2, 1] * 5), np.arange(15.0)
    how = {"task": "entailment", "positive": "0", "neutral": "1", "negative": "2", "matrices": {"score": {"run": scores}}}
    made = mm.evaluate(gold, {"run": said}, **(how if ordered else {"classes": "0..2"}))
    held = [weakref.ref(one) for one in (gold, said, scores)]
    del gold, said, scores, how
    gc.collect()
    assert [one() for one in held] == [None] * 3
    assert "gold" in made.signature
