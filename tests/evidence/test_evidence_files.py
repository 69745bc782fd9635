"""Evidence counted apart and merged is the whole, for every task; what does not fit together, or is the same, is refused."""

from __future__ import annotations

import io
import json
import zipfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.cli import main
from metameasure.core.errors import DataError, MetameasureError, UsageError
from metameasure.evidence import base, layout
from metameasure.evidence.base import is_saved, load

ROLES = {"task": "entailment", "positive": "E", "neutral": "N", "negative": "C"}


def labels(rng, items, names, *, order=False, topics=True):
    """Gold and runs on some items, as frames by name."""
    classes = ["E", "N", "C"]
    gold = {"item": items, **({"topic": [f"t{item[-1]}" for item in items]} if topics else {})}
    frames = [pl.DataFrame({**gold, "label": rng.choice(classes, len(items))})]
    for _ in names:
        columns = {**gold, "label": rng.choice(classes, len(items))}
        if order:
            columns |= {"confidence": rng.integers(1, 6, len(items)) / 5, "score": np.round(rng.random(len(items)), 2)}
        frames.append(pl.DataFrame(columns))
    return dict(zip(("gold", *names), frames, strict=True))


def of_items(frames, which):
    return {name: frame.filter(pl.col("item").is_in(which)) for name, frame in frames.items()}


def classification(rng):
    items = [f"i{place:03d}" for place in range(80)]
    whole = labels(rng, items, ["a", "b"])
    return {"classes": ["E", "N", "C"]}, whole, [of_items(whole, items[n::3]) for n in range(3)]


def entailment(rng):
    items = [f"i{place:03d}" for place in range(60)]
    whole = labels(rng, items, ["a", "b"], order=True)
    return ROLES, whole, [of_items(whole, items[:20]), of_items(whole, items[20:])]


def quantification(rng):
    topics = [str(place) for place in range(1, 13)]
    frames = {}
    for name in ("gold", "a", "b"):
        shares = rng.dirichlet(np.ones(3), len(topics))
        columns = {f"c{place}": shares[:, place] for place in range(3)}
        frames[name] = pl.DataFrame({"topic": topics, **columns})
    parts = [{name: frame.filter(pl.col("topic").is_in(topics[n::2])) for name, frame in frames.items()} for n in range(2)]
    return {"task": "quantification", "classes": ["c0", "c1", "c2"]}, frames, parts


def ranking(rng):
    rows = [(f"s{segment}", f"sys{item}") for segment in range(15) for item in range(segment % 4 + 2)]
    frames = {}
    for name in ("gold", "a", "b"):
        values = {"rank": rng.integers(1, 4, len(rows))} if name != "b" else {"score": np.round(rng.random(len(rows)), 1)}
        frames[name] = pl.DataFrame({"segment": [s for s, _ in rows], "item": [i for _, i in rows], **values})
    first = [f"s{segment}" for segment in range(0, 15, 2)]
    parts = [
        {name: frame.filter(pl.col("segment").is_in(first) == side) for name, frame in frames.items()} for side in (True, False)
    ]
    return {"task": "ranking"}, frames, parts


TASKS = {"classification": classification, "entailment": entailment, "quantification": quantification, "ranking": ranking}


def counted(frames, how):
    return mm.count(frames["gold"], {name: frame for name, frame in frames.items() if name != "gold"}, **how)


@pytest.fixture(params=TASKS)
def case(request):
    return TASKS[request.param](np.random.default_rng(7))


class TestPartsMakeTheWhole:
    @pytest.mark.each_time(1)
    def test_items_topics_or_segments(self, case, tmp_path):
        how, whole, parts = case
        paths = []
        for place, part in enumerate(parts):
            paths.append(tmp_path / f"part{place}.npz")
            counted(part, how).save(paths[-1])
        for order in (paths, paths[::-1]):
            found = mm.evaluate(mm.merge(order), ci=True, trials=50)
            expected = mm.evaluate(whole["gold"], {name: whole[name] for name in ("a", "b")}, ci=True, trials=50, **how)
            assert found.to_dict() == expected.to_dict()

    @pytest.mark.each_time(1)
    def test_runs_on_the_same_gold(self, case):
        how, whole, _ = case
        each = [counted({"gold": whole["gold"], name: whole[name]}, how) for name in ("a", "b")]
        found = mm.evaluate(mm.merge(each))
        expected = mm.evaluate(whole["gold"], {name: whole[name] for name in ("a", "b")}, **how)
        assert found.to_dict() == expected.to_dict()

    @pytest.mark.each_time(1)
    def test_it_comes_back_from_a_file_to_the_bit(self, case, tmp_path):
        how, whole, _ = case
        evidence = counted(whole, how)
        evidence.save(tmp_path / "whole.npz")
        back = load(tmp_path / "whole.npz")
        assert (type(back), str(back), back.notes) == (type(evidence), str(evidence), evidence.notes)
        assert is_saved(tmp_path / "whole.npz")


class TestRefusals:
    def test_the_same_part_twice(self, case):
        how, _, parts = case
        one = counted(parts[0], how)
        with pytest.raises(UsageError, match="part 2: run 'a' is in both"):
            mm.merge([one, one])

    def test_overlapping_topics(self):
        how, whole, parts = quantification(np.random.default_rng(1))
        with pytest.raises(UsageError, match="they overlap"):
            mm.merge([counted(whole, how), counted(parts[0], how)])

    def test_other_classes_settings_or_tasks(self):
        rng = np.random.default_rng(2)
        how, _, parts = classification(rng)
        first = counted(parts[0], how)
        with pytest.raises(UsageError, match="the classes E,N,C and C,N,E cannot be added"):
            mm.merge([first, counted(parts[1], {"classes": ["C", "N", "E"]})])
        with pytest.raises(UsageError, match="different settings"):
            mm.merge([first, counted(parts[1], {**how, "missing": "drop"})])
        other, ranked, _ = ranking(rng)
        with pytest.raises(UsageError, match="part 2 is evidence of ranking, and the others of classification"):
            mm.merge([first, counted(ranked, other)])
        with pytest.raises(UsageError, match="nothing to merge"):
            mm.merge([])

    def test_another_gold(self):
        rng = np.random.default_rng(3)
        how, one, _ = quantification(rng)
        _, other, _ = quantification(rng)
        parts = [counted({"gold": gold["gold"], name: gold[name]}, how) for gold, name in ((one, "a"), (other, "b"))]
        with pytest.raises(UsageError, match="the same topics but different gold"):
            mm.merge(parts)

    def test_trec_runs_on_the_same_topics(self, tmp_path):
        (tmp_path / "q").write_text("1 0 d1 1\n1 0 d2 0\n")
        for name, found in (("a", "d1"), ("b", "d9")):
            (tmp_path / name).write_text(f"1 Q0 {found} 1 2.5 {name}\n")
        parts = [mm.count(tmp_path / "q", [tmp_path / name], task="ranking") for name in ("a", "b")]
        with pytest.raises(UsageError, match="add documents to each other's lists"):
            mm.merge(parts)

    def test_evidence_with_runs_or_options_of_reading(self):
        how, whole, _ = classification(np.random.default_rng(4))
        evidence = counted(whole, how)
        with pytest.raises(UsageError, match="evidence already contains its runs"):
            mm.evaluate(evidence, {"c": whole["a"]})
        with pytest.raises(UsageError, match=r"^classes is an option for reading files"):
            mm.evaluate(evidence, **how)
        with pytest.raises(UsageError, match=r"item.* is an option for reading"):
            mm.evaluate(evidence, columns={"item": "x"})
        with pytest.raises(UsageError, match="smooth is not for the task classification"):
            mm.evaluate(evidence, smooth=0.1)
        with pytest.raises(UsageError, match="there is no option 'foo'"):
            mm.evaluate(evidence, foo=1)
        with pytest.raises(UsageError, match="this is evidence of classification"):
            mm.evaluate(evidence, task="ranking")
        with pytest.raises(UsageError, match=r"^rank_weights is an option for scoring"):
            mm.count(whole["gold"], {"a": whole["a"]}, rank_weights="reciprocal", **ROLES)

    def test_damaged_files(self, tmp_path):
        how, whole, _ = classification(np.random.default_rng(5))
        path = tmp_path / "whole.npz"
        counted(whole, how).save(path)
        content = path.read_bytes()
        for place in range(0, len(content), max(1, len(content) // 60)):
            path.write_bytes(content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :])
            try:
                found = load(path)
            except (DataError, UsageError):
                continue
            assert str(found) == str(counted(whole, how))  # a byte that nobody reads
        path.write_bytes(content[: len(content) // 2])
        with pytest.raises(DataError, match="not a readable file of evidence"):
            load(path)

    def test_counts_that_were_changed(self, tmp_path):
        how, whole, _ = classification(np.random.default_rng(6))
        path = tmp_path / "whole.npz"
        counted(whole, how).save(path)
        with np.load(path) as stored:
            arrays = {name: stored[name] for name in stored.files}
        arrays["items"][0] += 1
        with path.open("wb") as stream:
            np.savez(stream, **arrays)
        with pytest.raises(DataError, match="the checksum does not match the contents"):
            load(path)

    def test_an_archive_that_is_something_else(self, tmp_path):
        with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
            archive.writestr("facts.npy", b"nothing")
        with pytest.raises(DataError, match="not a readable file of evidence"):
            mm.merge([tmp_path / "x.npz"])

    def test_one_test_set_has_no_items(self):
        how, whole, _ = classification(np.random.default_rng(8))
        frames = {name: frame.drop("topic") for name, frame in whole.items()}
        with pytest.raises(UsageError, match="evidence has no items"):
            mm.compare(counted(frames, how), "kappa")

    def test_runs_that_were_counted_apart_are_not_compared(self):
        how, whole, _ = classification(np.random.default_rng(9))
        parts = [mm.count(whole["gold"], {name: whole[name]}, for_="compare", **how) for name in ("a", "b")]
        with pytest.raises(UsageError, match="runs that were counted apart cannot be compared item by item"):
            mm.merge(parts)


def test_comparisons_from_evidence(tmp_path):
    how, whole, _ = classification(np.random.default_rng(10))
    counted(whole, how).save(tmp_path / "e.npz")
    runs = {name: whole[name] for name in ("a", "b")}
    expected = mm.compare(whole["gold"], runs, "kappa", trials=200, **how).to_dict()
    assert mm.compare(tmp_path / "e.npz", "kappa", trials=200).to_dict() == expected


def test_weights_of_ranks_are_chosen_when_scored():
    how, whole, _ = entailment(np.random.default_rng(11))
    chosen = {"measures": ["mutual_information@rank"], "rank_weights": "reciprocal"}
    expected = mm.evaluate(whole["gold"], {name: whole[name] for name in ("a", "b")}, **chosen, **how)
    assert mm.evaluate(counted(whole, how), **chosen).to_dict() == expected.to_dict()


def _count_to_file(job):
    rows, path = job
    gold, run = (pl.DataFrame(columns) for columns in rows)
    mm.count(gold, {"a": run}, classes="1..3").save(path)
    return path


@pytest.mark.thorough
def test_parts_counted_by_processes(tmp_path):
    rng = np.random.default_rng(12)
    items, gold, said = [f"i{n}" for n in range(90)], rng.integers(1, 4, 90), rng.integers(1, 4, 90)
    jobs = []
    for part in range(3):
        mine = [place for place in range(90) if place % 3 == part]
        columns = [{"item": [items[n] for n in mine], "label": [int(side[n]) for n in mine]} for side in (gold, said)]
        jobs.append((columns, str(tmp_path / f"{part}.npz")))
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        paths = list(pool.map(_count_to_file, jobs))
    whole = [pl.DataFrame({"item": items, "label": side}) for side in (gold, said)]
    expected = mm.evaluate(whole[0], {"a": whole[1]}, classes="1..3")
    assert mm.evaluate(mm.merge(paths)).to_dict() == expected.to_dict()


class TestCommands:
    def write(self, folder, rng):
        _, whole, parts = classification(rng)
        for place, part in enumerate((whole, *parts)):
            (folder / str(place)).mkdir()
            for name, frame in part.items():
                frame.write_csv(folder / str(place) / f"{name}.csv")

    def call(self, capsys, *arguments):
        status = main(list(arguments))
        told = capsys.readouterr()
        return status, told.out, told.err

    def test_count_merge_evaluate(self, tmp_path, capsys, monkeypatch):
        monkeypatch.chdir(tmp_path)
        self.write(tmp_path, np.random.default_rng(13))
        for place in (1, 2, 3):
            status, out, err = self.call(
                capsys,
                "count",
                f"{place}/gold.csv",
                f"{place}/a.csv",
                f"{place}/b.csv",
                "--classes",
                "E,N,C",
                "-o",
                f"{place}.npz",
            )
            assert (status, err) == (0, "")
            assert out.startswith(f"{place}.npz: evidence of classification, 2 runs, 10 topics, checksum ")
        assert self.call(capsys, "merge", "?.npz", "-o", "whole.npz")[0] == 0
        files = ("0/gold.csv", "0/a.csv", "0/b.csv", "--classes", "E,N,C")
        assert self.call(capsys, "evaluate", "whole.npz") == self.call(capsys, "evaluate", *files)
        asked = ("--measures", "kappa", "--trials", "100")
        assert self.call(capsys, "compare", "whole.npz", *asked) == self.call(capsys, "compare", *files, *asked)

    def test_wrong_calls(self, tmp_path, capsys, monkeypatch):
        monkeypatch.chdir(tmp_path)
        self.write(tmp_path, np.random.default_rng(14))
        shown = self.call(capsys, "count", "0/gold.csv", "0/a.csv", "--classes", "E,N,C", "-o", "0/a.csv")
        assert shown[0] == 2
        assert "--output would overwrite '0/a.csv', which is an input" in shown[2]
        status, _, err = self.call(capsys, "merge", "0/gold.csv", "-o", "x.npz")
        assert status == 1
        assert "0/gold.csv: this is not a readable file of evidence" in err
        status, _, err = self.call(capsys, "merge", "none.npz", "-o", "x.npz")
        assert status == 2
        assert "there is no file 'none.npz'" in err
        assert not (tmp_path / "x.npz").exists()


def test_a_file_is_the_same_for_the_same_data(tmp_path):
    how, whole, _ = classification(np.random.default_rng(15))
    paths = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for path in paths:
        counted(whole, how).save(path)
    arrays = [{name: array.tobytes() for name, array in np.load(io.BytesIO(path.read_bytes())).items()} for path in paths]
    assert arrays[0] == arrays[1]


@pytest.mark.each_time(1)
def test_the_page_from_evidence(case, tmp_path):
    how, whole, _ = case
    mm.report(counted(whole, how), tmp_path / "evidence.html", trials=50)
    mm.report(whole["gold"], {name: whole[name] for name in ("a", "b")}, tmp_path / "files.html", trials=50, **how)
    assert (tmp_path / "evidence.html").read_text() == (tmp_path / "files.html").read_text()


def opened(path):
    """The facts and the arrays of a file."""
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return json.loads(arrays.pop("facts").tobytes()), arrays


def written_by_hand(path, facts, arrays):
    """A file with the checksum of what it holds, as somebody would write it who knows how checksums are made."""
    facts = dict(facts)
    try:
        held = dict(facts), dict(arrays)
        facts["checksum"] = base._restored(base._kind(facts["task"]), *held).checksum()
    except Exception:  # there is none for these contents  # noqa: S110
        pass
    with path.open("wb") as stream:
        np.savez(stream, facts=np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8), **arrays)
    return path


def with_first(array, value):
    changed = array.copy()
    changed[(0,) * array.ndim] = value
    return changed


def rewritten(array):
    """The array, wrong in one way after the other."""
    yield from (array[..., None], array[:-1], array[None], array.ravel()[0], array[:0], np.concatenate([array, array]))
    for dtype in (np.float32, np.complex128, np.int32, np.uint8, bool, "U8", "S8", [("a", "i4"), ("b", "f8")]):
        yield np.zeros(array.shape, dtype)
    if array.dtype.kind in "if":
        yield from (array.astype(float if array.dtype.kind == "i" else int), with_first(array, -1))
    if array.dtype.kind == "i":
        yield with_first(array, 2**63 - 1)
        yield with_first(array, -(2**63))
    if array.dtype.kind == "f":
        yield from (with_first(array, wrong) for wrong in (np.nan, np.inf, -np.inf))


# What a run may say is any number, and NaN is what nobody ranks or grades.
FREE = {"sureness": [-1], "weight": [-1], "score": [-1], "gold_scores": [-1, np.nan], "scores": [-1, np.nan]}
UNRANKED = ("gold", "predicted")
OPTIONAL = ("sureness", "weight", "score", "scores")


def may_be(name, array, wrong):
    """Whether the array may be so after all."""
    if wrong.shape != array.shape or wrong.dtype.kind != array.dtype.kind or wrong.dtype.itemsize != array.dtype.itemsize:
        return wrong.shape == array.shape and {wrong.dtype.kind, array.dtype.kind} == {"U"}
    if array.dtype.kind == "b" or (name in UNRANKED and array.ndim == 1 + (name != "gold") and np.isnan(wrong.flat[0])):
        return True
    return any(np.array_equal(wrong.flat[0], one, equal_nan=True) for one in FREE.get(name, ()))


BY_HAND = ("classification", "entailment", "quantification", "ranking", "weighted", "graded")
OF_ITEMS = ("multilabel", "probabilities", "outcomes")


@pytest.fixture(params=BY_HAND)
def sound_file(request, tmp_path):
    if request.param == "weighted":
        how, whole, _ = classification(np.random.default_rng(20))
        whole["gold"] = whole["gold"].with_columns(weight=pl.Series(np.round(np.random.default_rng(1).random(80) + 0.1, 2)))
        counted(whole, how).save(tmp_path / "sound.npz")
    elif request.param == "graded":
        (tmp_path / "x.qrels").write_text("".join(f"q{n % 5} 0 d{n} {n % 3}\n" for n in range(40)))
        (tmp_path / "x.run").write_text("".join(f"q{n % 5} Q0 d{n} {n} {50 - n} a\n" for n in range(40)))
        mm.count(tmp_path / "x.qrels", [tmp_path / "x.run"], task="ranking", format_in="trec").save(tmp_path / "sound.npz")
    else:
        return ROOT / f"tests/evidence/{request.param}.npz"
    return tmp_path / "sound.npz"


def evidence_of_items(task):
    """Six items in three topics, of a task that knows each of them."""
    shared = {"item": list("abcdef"), "topic": list("xxyyzz")}
    if task == "outcomes":
        return mm.count({"run": pl.DataFrame({**shared, "score": [0.5, 1, 0, 0.25, 1, 0]})}, task=task)
    labels = ["n|p", "n", "p", "p", "", "n"] if task == "multilabel" else list("npnpnp")
    said = (
        {"label": labels[::-1]}
        if task == "multilabel"
        else {"n": [0.25, 0.5, 1, 0, 0.75, 0.5], "p": [0.75, 0.5, 0, 1, 0.25, 0.5]}
    )
    gold, run = (pl.DataFrame({**shared, **own}) for own in ({"label": labels}, said))
    return mm.count(gold, {"run": run}, task=task, classes="n,p")


def is_refused(path, what):
    """The file gives a message, and no number."""
    with pytest.raises(DataError) as refused:
        raise AssertionError(f"{what} is taken for evidence: {load(path)}")
    assert refused.match(f"^{path}: this is (no|evidence of another version)"), what


class TestWrittenByHand:
    @pytest.mark.each_time(1)
    def test_arrays(self, run, sound_file, tmp_path):
        facts, arrays = opened(sound_file)
        path = tmp_path / "x.npz"
        assert run("evaluate", written_by_hand(path, facts, arrays))[0] == 0
        is_refused(written_by_hand(path, facts, {**arrays, "more": np.zeros(3)}), "another array")
        for name, array in arrays.items():
            kind, _, place = name.partition(" ")
            if place not in ("", "0"):
                continue  # of another run
            for wrong in rewritten(array):
                if not may_be(kind, array, wrong):
                    written_by_hand(path, facts, {**arrays, name: wrong})
                    is_refused(path, f"{name} {wrong.dtype} {wrong.shape} {wrong.ravel()[:1]}")
            if kind not in OPTIONAL:
                is_refused(written_by_hand(path, facts, {one: arrays[one] for one in arrays if one != name}), f"no {name}")

    @pytest.mark.each_time(1)
    def test_facts(self, sound_file, tmp_path):
        """Whatever they say, there is a message or what the file says."""
        facts, arrays = opened(sound_file)
        for name, fact in facts.items():
            several = [fact[:-1], fact * 2, [*fact, None], [[one] for one in fact]] if isinstance(fact, list) else []
            for wrong in (None, [], {}, "x", -1, 0, 7, 2**70, 1.5, float("nan"), True, [None], [1], [["a", "b", "c"]], *several):
                path = written_by_hand(tmp_path / "x.npz", {**facts, name: wrong}, arrays)
                with suppress(MetameasureError):
                    mm.evaluate(path)
                    assert name in ("version", "notes", "settings", "gold_parts", "kind", "values", "judges", "as_trec_eval",
                                    "ranked", "unit", "graded", "judged", "checksum"), (name, wrong)  # fmt: skip
            less = {other: fact for other, fact in facts.items() if other != name}
            if name not in ("version", "checksum", "judged"):  # it says nothing; always written; of earlier versions
                is_refused(written_by_hand(tmp_path / "x.npz", less, arrays), f"no {name}")

    @pytest.mark.parametrize("task", OF_ITEMS)
    def test_items_stand_in_the_order_of_their_topics(self, task, tmp_path):
        evidence_of_items(task).save(tmp_path / "sound.npz")
        facts, arrays = opened(tmp_path / "sound.npz")
        assert load(written_by_hand(tmp_path / "x.npz", facts, arrays)).topics == ("x", "y", "z")
        is_refused(written_by_hand(tmp_path / "x.npz", facts, {**arrays, "topic": arrays["topic"][::-1].copy()}), "another order")

    def test_a_bomb_is_given_no_room(self, run, tmp_path, monkeypatch):
        """Arrays of another shape than the facts say are not read; those whose shape is free are limited by the file's length."""
        monkeypatch.setattr(layout, "_LARGE", 2**20)
        facts, arrays = opened(ROOT / "tests/evidence/classification.npz")
        arrays |= {"items": np.zeros(2**19, np.int64)}
        with (tmp_path / "x.npz").open("wb") as stream:
            np.savez_compressed(stream, facts=np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8), **arrays)
        status, out, err = run("evaluate", tmp_path / "x.npz")
        assert (status, out) == (1, "")
        assert "this is no sound evidence: its arrays would take 4 MiB, more than 200 times its length" in err
