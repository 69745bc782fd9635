"""Broken distributions and broken orders of every kind: what is wrong, where, and what to do; no traceback, no output."""

import json
import re
from types import SimpleNamespace

import pytest

CLASSES = ("--task", "quantification", "--classes", "low,mid,high")
ROLES = ("--positive", "YES", "--neutral", "UNK", "--negative", "NO")
ENTAILMENT = ("--task", "entailment", *ROLES)

LONG = [("t1", "low", ".2"), ("t1", "mid", ".3"), ("t1", "high", ".5"), ("t2", "low", "0"), ("t2", "high", "1")]
WIDE = [("t1", ".2", ".3", ".5"), ("t2", "0", "0", "1")]
DIALOGUES = [
    {"id": "t1", "quality": {"A": {"low": 0.2, "mid": 0.3, "high": 0.5}}},
    {"id": "t2", "quality": {"A": {"low": 0, "high": 1}}},
]
VOTES = [{"id": "t1", "annotations": [{"quality": {"A": "low"}}, {"quality": {"A": "mid"}}]}, DIALOGUES[1]]
LABELLED = [("i1", "YES", ".9"), ("i2", "UNK", ".8"), ("i3", "NO", ".7"), ("i4", "YES", ".6"), ("i5", "NO", ".6")]


def table(*header, rows, line=None, to=None):
    """A TSV file; the given line (the header is line 1) replaced by other lines."""
    lines = ["\t".join(row) for row in ((header, *rows) if header else rows)]
    if line:
        lines[line - 1 : line] = [] if to is None else [to]
    return "\n".join(lines) + "\n"


def long(line=None, to=None):
    return table("topic", "class", "probability", rows=LONG, line=line, to=to)


def wide(line=None, to=None):
    return table("topic", "low", "mid", "high", rows=WIDE, line=line, to=to)


def run_with(line, to):
    return {"gold.tsv": long(), "run.tsv": long(line, to)}


def wide_with(line, to):
    return {"gold.tsv": wide(), "run.tsv": wide(line, to)}


def dialogues(*runs):
    return {"gold.json": json.dumps(DIALOGUES), "run.json": json.dumps(runs)}


def ordered(column, line=None, to=None, rows=LABELLED):
    gold = table("item", "label", rows=[row[:2] for row in LABELLED])
    return {"gold.tsv": gold, "run.tsv": table("item", "label", column, rows=rows, line=line, to=to)}


def stacked(line, to):
    rows = [(run, item, label, label, sure) for run in "ab" for item, label, sure in LABELLED]
    return {"gold.tsv": table("run", "item", "gold", "label", "confidence", rows=rows, line=line, to=to)}


def weighted(text):
    return ordered("confidence") | {"weights.txt": text}


GOOD = {"gold.tsv": long(), "run.tsv": long()}
COUNTED = (*CLASSES, "--counts")
SERIES = (*ENTAILMENT, "--rank-weights", "{}/weights.txt")
EACH = "give every item one, or leave out the column"
# name, files, options, where, what is said, the hint
BROKEN = [
    ("sum below 1", run_with(4, "t1\thigh\t.47"), CLASSES, "run.tsv:2", "topic 't1' add up to 0.97, not 1", "--normalise"),
    ("sum above 1", run_with(4, "t1\thigh\t.7"), CLASSES, "run.tsv:2", "topic 't1' add up to 1.2, not 1", "--normalise"),
    ("sum off by 2e-6", run_with(4, "t1\thigh\t.500002"), CLASSES, "run.tsv:2", "add up to 1.000002, not 1", "--normalise"),
    ("sum of gold", {"gold.tsv": long(4, "t1\thigh\t.7"), "run.tsv": long()}, CLASSES, "gold.tsv:2", "1.2, not 1", "--normalise"),
    ("sum of a wide row", wide_with(3, "t2\t0\t.1\t1"), CLASSES, "run.tsv:3", "topic 't2' add up to 1.1, not 1", "--normalise"),
    ("sum in JSON", dialogues(DIALOGUES[0], {"id": "t2", "quality": {"A": {"low": 0.5}}}), CLASSES,
        "run.json", "topic 't2' add up to 0.5, not 1", "--normalise"),
    ("counts not said", run_with(4, "t1\thigh\t5"), CLASSES, "run.tsv:2", "topic 't1' add up to 5.5, not 1", "--counts"),
    ("all 0", run_with(6, "t2\thigh\t0"), CLASSES, "run.tsv:5", "all numbers of topic 't2' are 0", "a number above 0"),
    ("all counts 0", run_with(6, "t2\thigh\t0"), COUNTED, "run.tsv:5", "all numbers of topic 't2' are 0", "a number above 0"),
    ("negative", run_with(2, "t1\tlow\t-.2"), CLASSES, "run.tsv:2", "class 'low' of topic 't1' is -.2, less than 0", "0 to 1"),
    ("negative count", run_with(2, "t1\tlow\t-2"), COUNTED, "run.tsv:2", "'low' of topic 't1' is -2, less than 0", "0"),
    ("negative though normalised", run_with(2, "t1\tlow\t-.2"), (*CLASSES, "--normalise"), "run.tsv:2", "less than 0", "0"),
    ("NaN", run_with(3, "t1\tmid\tnan"), CLASSES, "run.tsv:3", "class 'mid' of topic 't1' is nan, not finite", "probability"),
    ("infinite", run_with(3, "t1\tmid\tinf"), CLASSES, "run.tsv:3", "is inf, not finite", "probability"),
    ("infinite count", run_with(3, "t1\tmid\tinf"), COUNTED, "run.tsv:3", "is inf, not finite", "give"),
    ("a word", run_with(3, "t1\tmid\tsome"), CLASSES, "run.tsv:3", "'mid' of topic 't1': 'some' is not a number", "probability"),
    ("a decimal comma", run_with(3, "t1\tmid\t0,3"), CLASSES, "run.tsv:3", "'0,3' is not a number", "probability"),
    ("a percentage", run_with(3, "t1\tmid\t30%"), CLASSES, "run.tsv:3", "'30%' is not a number", "probability"),
    ("a word in a wide row", wide_with(2, "t1\t.2\tx\t.5"), CLASSES, "run.tsv:2", "class 'mid' of topic 't1': 'x'",
        "probability"),
    ("empty", run_with(3, "t1\tmid\t"), CLASSES, "run.tsv:3", "class 'mid' of topic 't1' has no number", "write 0"),
    ("empty in a wide row", wide_with(2, "t1\t.2\t\t.5"), CLASSES, "run.tsv:2", "'mid' of topic 't1' has no number", "write 0"),
    ("null in JSON", dialogues(DIALOGUES[0], {"id": "t2", "quality": {"A": {"low": None, "high": 1}}}), CLASSES,
        "run.json", "class 'low' of topic 't2' has no number", "write 0"),
    ("a list in JSON", dialogues(DIALOGUES[0], {"id": "t2", "quality": {"A": {"low": [1]}}}), CLASSES,
        "run.json", "class 'low' of topic 't2': '[1]' is not a number", "probability"),
    ("class unknown", run_with(3, "t1\tmidd\t.3"), CLASSES, "run.tsv:3", "'midd' is not one of the classes",
        "did you mean 'mid'?"),
    ("class unknown and far", run_with(3, "t1\tX\t.3"), CLASSES, "run.tsv:3", "'X' is not one of",
        "the classes are low,mid,high"),
    ("class unknown in a wide header", wide_with(1, "topic\tlow\tmidd\thigh"), CLASSES, "run.tsv:1", "'midd'", "did you mean"),
    ("class of an annotator unknown", {"gold.json": json.dumps(VOTES).replace('"mid"', '"mild"', 1),
        "run.json": json.dumps(DIALOGUES)}, CLASSES, "gold.json", "'mild' is not one of the classes", "did you mean 'mid'?"),
    ("class empty", run_with(3, "t1\t\t.3"), CLASSES, "run.tsv:3", "topic 't1' has a row without class", "name the class"),
    ("class twice", run_with(3, "t1\tlow\t.3"), CLASSES,
        "run.tsv:3", "class 'low' of topic 't1' again (first in line 2)", "keep one"),
    ("class twice as counts", run_with(3, "t1\tlow\t3"), COUNTED,
        "run.tsv:3", "'low' of topic 't1' again (first in line 2)", "keep one"),
    ("topic twice in a wide file", wide_with(3, "t1\t0\t0\t1"), CLASSES,
        "run.tsv:3", "of topic 't1' again (first in line 2)", "keep one"),
    ("topic twice in JSON", dialogues(*DIALOGUES, DIALOGUES[0]), CLASSES, "run.json", "('t1') is there twice", "keep one"),
    ("topic missing", wide_with(3, None), CLASSES, "run.tsv", "1 of 2 topics are missing: 't2'", "--missing drop"),
    ("topic missing in JSON", dialogues(DIALOGUES[0]), CLASSES, "run.json", "1 of 2 topics are missing: 't2'", "--missing drop"),
    ("topic unknown", wide_with(3, "t3\t0\t0\t1"), CLASSES, "run.tsv:3", "topic 't3' is not in gold", ""),
    ("topic unknown though dropped", wide_with(3, "t3\t0\t0\t1"), (*CLASSES, "--missing", "drop"), "run.tsv:3", "'t3'", ""),
    ("no topic is gold's", {"gold.tsv": wide(), "run.tsv": wide().replace("t", "x").replace("xopic", "topic")}, CLASSES,
        "run.tsv", "2 of 2 topics are missing", "check that it is for this gold"),
    ("topic empty", run_with(2, "\tlow\t.2"), CLASSES, "run.tsv:2", "the row has no topic", "give every row its topic"),
    ("dialogue without id", dialogues(DIALOGUES[0], {"quality": {"A": {"low": 1}}}), CLASSES, "run.json", "no topic", "topic"),
    ("no column of probabilities", run_with(1, "topic\tclass\tprob"), CLASSES,
        "run.tsv:1", "there is no column 'probability'", "--probability-column"),
    ("column of probabilities misspelt", run_with(1, "topic\tclass\tprobabilty"), CLASSES,
        "run.tsv:1", "there is no column 'probability'", "did you mean 'probabilty'?"),
    ("row too short", run_with(4, "t1\thigh"), CLASSES, "run.tsv:4", "2 fields instead of 3", "is a separator missing"),
    ("wide row too long", wide_with(2, "t1\t0\t0\t0\t1"), CLASSES, "run.tsv:2", "5 fields instead of 4", "one too many"),
    ("empty file", {"gold.tsv": long(), "run.tsv": ""}, CLASSES, "run.tsv", "the file is empty", "it needs a header"),
    ("header only", {"gold.tsv": long(), "run.tsv": "topic\tclass\tprobability\n"}, CLASSES, "run.tsv", "no rows", "one topic"),
    ("wide header only", {"gold.tsv": "topic\tlow\tmid\thigh\n", "run.tsv": wide()}, CLASSES, "gold.tsv", "no rows", "one topic"),
    ("JSON cut short", {"gold.json": json.dumps(DIALOGUES), "run.json": json.dumps(DIALOGUES, indent=1)[:-40]}, CLASSES,
        "run.json:16", "this is not JSON", "write the file again"),
    ("rank weights too few", weighted("3 2 1"), SERIES, "weights.txt", "there are 3 rank weights for 5 items", "as many as"),
    ("rank weights negative", weighted("5 4 -3 2 1"), SERIES, "weights.txt", "negative or not finite", "numbers from 0 up"),
    ("rank weights infinite", weighted("5 4 inf 2 1"), SERIES, "weights.txt", "negative or not finite", "numbers from 0 up"),
    ("rank weights all 0", weighted("0 0 0 0 0"), SERIES, "weights.txt", "weights add up to 0", "at least one rank must count"),
    ("JSON without quality", dialogues({"id": "t1"}, DIALOGUES[1]), CLASSES, "run.json", "('t1') lacks a quality", "give it"),
    ("JSON quality no object", dialogues(DIALOGUES[0], {"id": "t2", "quality": {"A": [1]}}), CLASSES,
        "run.json", "dialogue 2 ('t2') lacks a quality", "give it one"),
    ("JSON of numbers", {"gold.json": json.dumps(DIALOGUES), "run.json": "[1, 2]"}, CLASSES,
        "run.json", "this is not a list of dialogues", "one JSON list of objects"),
    ("JSON no list", {"gold.json": json.dumps(DIALOGUES), "run.json": json.dumps(DIALOGUES[0])},
        (*CLASSES, "--format-in", "ntcir-dq"), "run.json", "this is not a list of dialogues", "one JSON list of objects"),
    ("JSON in Latin-1", {"gold.json": json.dumps(DIALOGUES), "run.json": json.dumps(DIALOGUES).replace("t1",
        "é").encode("latin-1")},
        CLASSES, "run.json", "the file is not UTF-8", "save it as UTF-8"),
    ("no JSON at all", GOOD, (*CLASSES, "--format-in", "ntcir-dq"), "run.tsv:1", "this is not JSON", "write the file again"),
    ("text called Parquet", {"gold.tsv": long(), "run.parquet": long()}, CLASSES, "run.parquet", "not parquet", "again"),
    ("gzip cut short", {"gold.tsv": long(), "run.tsv.gz": b"\x1f\x8b\x08\x00"}, CLASSES, "run.tsv.gz", "cut short", "again"),
    ("training of another scale", GOOD | {"more.tsv": long(2, "t1\tmax\t.2")},
        (*CLASSES, "--baselines", "--training", "{}/more.tsv"), "more.tsv:2", "'max' is not one of the classes", "low,mid,high"),
    ("training's sum", GOOD | {"more.tsv": long(2, "t1\tlow\t.1")},
        (*CLASSES, "--baselines", "--training", "{}/more.tsv"), "more.tsv:2", "add up to 0.9, not 1", "--normalise"),
    ("stacked run lacks a topic", {"gold.tsv": wide(), "run.tsv": table(
        "run", "topic", "low", "mid", "high", rows=[("a", *WIDE[0]), ("a", *WIDE[1]), ("b", *WIDE[0])])}, CLASSES,
        "run.tsv", "1 of 2 topics of run 'b' are missing: 't2'", "--missing drop"),
    ("confidence empty", ordered("confidence", 4, "i3\tNO\t"), ENTAILMENT, "run.tsv:4", "confidence is empty", EACH),
    ("confidence a word", ordered("confidence", 4, "i3\tNO\thigh"), ENTAILMENT, "run.tsv:4",
        "'high' is not a finite number", EACH),
    ("confidence infinite", ordered("confidence", 4, "i3\tNO\tinf"), ENTAILMENT, "run.tsv:4", "'inf' is not a finite", EACH),
    ("confidence NaN", ordered("confidence", 4, "i3\tNO\tnan"), ENTAILMENT, "run.tsv:4", "'nan' is not a finite number", EACH),
    ("confidence hexadecimal", ordered("confidence", 4, "i3\tNO\t0x1"), ENTAILMENT, "run.tsv:4", "'0x1' is not a finite", EACH),
    ("confidence under another name", ordered("sure", 4, "i3\tNO\t?"), (*ENTAILMENT, "--confidence-column", "sure"),
        "run.tsv:4", "sure '?' is not a finite number", "leave out the column 'sure'"),
    ("confidence stacked", stacked(9, "b\ti3\tNO\tNO\t"), ENTAILMENT, "gold.tsv:9", "confidence is empty", EACH),
    ("confidence in JSON", {"gold.tsv": table("item", "label", rows=[("i1", "YES"), ("i2", "NO")]),
        "run.jsonl": '{"item":"i1","label":"YES","confidence":1}\n{"item":"i2","label":"NO"}\n'}, ENTAILMENT,
        "run.jsonl:2", "confidence is empty", EACH),
    ("rank 0", ordered("rank", 2, "i1\tYES\t0", [(*row[:2], "2") for row in LABELLED]), ENTAILMENT,
        "run.tsv:2", "rank '0' is not a number from 1 up", EACH),
    ("rank negative", ordered("rank", 2, "i1\tYES\t-1", [(*row[:2], "2") for row in LABELLED]), ENTAILMENT,
        "run.tsv:2", "rank '-1' is not a number from 1 up", EACH),
    ("rank a word", ordered("rank", 2, "i1\tYES\tfirst", [(*row[:2], "2") for row in LABELLED]), ENTAILMENT,
        "run.tsv:2", "rank 'first' is not a number from 1 up", EACH),
    ("score empty on one line", ordered("score", 6, "i5\tNO\t"), ENTAILMENT, "run.tsv:6", "score is empty", EACH),
    ("score infinite", ordered("score", 6, "i5\tNO\t-inf"), ENTAILMENT, "run.tsv:6", "'-inf' is not a finite number", EACH),
    ("label without role", ordered("score", 3, "i2\tMAYBE\t.8"), ENTAILMENT, "run.tsv:3", "label 'MAYBE' is not one",
        "YES,UNK,NO"),
    ("label without role in gold", {"gold.tsv": "item\tlabel\ni1\tYES\ni2\tNOO\n", "run.tsv": "item\tlabel\ni1\tYES\ni2\tNO\n"},
        ENTAILMENT, "gold.tsv:3", "label 'NOO' is not one of the classes", "did you mean 'NO'?"),
    ("label missing beside its confidence", ordered("confidence", 4, "i3\t\t.7"), ENTAILMENT, "run.tsv:4", "no label",
        "--missing"),
    ("item missing", ordered("confidence", 4, None), ENTAILMENT, "run.tsv", "item 'i3' is missing",
        "--missing worst, drop"),
    ("rank weights words", weighted("5 four 3\n2 1 x"), SERIES, "weights.txt:1", "'four' is not a number", "one number per rank"),
    ("rank weights words further on", weighted("5 four\n2 x"), SERIES, "weights.txt:2", "'x' is not a number", "one number per"),
    ("rank weights none", weighted("\n"), SERIES, "weights.txt", "there are no numbers", "give one per rank"),
]  # fmt: skip
CASES = [SimpleNamespace(name=n, files=f, options=o, place=p, what=w, hint=h) for n, f, o, p, w, h in BROKEN]

# name, files, options, what is said, the hint: calls that are wrong rather than data
WRONG_CALLS = [
    ("headerless, too few classes", {"gold.tsv": long(), "run.tsv": table(rows=WIDE)},
        ("--task", "quantification", "--classes", "low,high"), "4 columns for a topic and 2 classes", "one probability per"),
    ("SemEval, too few columns", {"gold.tsv": long(), "run.tsv": "t1\t.5\t.5\n"}, (*CLASSES, "--format-in", "semeval"),
        "3 columns for a topic and 3 classes", "in the order of --classes"),
    ("headerless, no classes", {"gold.tsv": table(rows=WIDE), "run.tsv": table(rows=WIDE)}, ("--task", "quantification"),
        "3 columns of probabilities, but no classes are declared", "--classes"),
    ("classes undeclared", GOOD, ("--task", "quantification"), "never guessed", "--classes high,low,mid"),
    ("several qualities", {"gold.json": json.dumps(DIALOGUES).replace('"A"', '"S": {}, "A"'), "run.json": json.dumps(DIALOGUES)},
        CLASSES, "there are several qualities, S, A", "--aspect S"),
    ("a quality that there is not", dialogues(*DIALOGUES), (*CLASSES, "--aspect", "E"), "there is no quality 'E'", "it has A"),
    ("a quality of a table", GOOD, (*CLASSES, "--aspect", "A"), "--aspect is for NTCIR's files", "leave it out"),
    ("no training file", GOOD, (*CLASSES, "--baselines", "--training", "{}/no.tsv"), "there is no file", "did you mean"),
    ("run named as a baseline", {"gold.tsv": long(), "baseline: Uniform.tsv": long()}, (*CLASSES, "--baselines"),
        "a run is called 'baseline: Uniform', which is the name of a baseline", "rename it"),
    ("gold alone", {"gold.tsv": long()}, CLASSES, "there are no runs", "the runs after it"),
    ("smoothing by 0", GOOD, (*CLASSES, "--smooth", "0"), "cannot smooth by 0", "above 0"),
    ("smoothing by less", GOOD, (*CLASSES, "--smooth=-1"), "cannot smooth by -1", "above 0"),
    ("smoothing by NaN", GOOD, (*CLASSES, "--smooth", "nan"), "cannot smooth by nan", "above 0"),
    ("missing topics as the worst", GOOD, (*CLASSES, "--missing", "worst"), "can only be dropped", "--missing drop"),
    ("bins of distributions", GOOD, (*CLASSES, "--bins", "1,2"), "--bins is for labels", "leave it out"),
    ("partitions of distributions", GOOD, (*CLASSES, "--partitions", "2"), "--partitions is for labels", "leave it out"),
    ("a measure of labels", GOOD, (*CLASSES, "--measures", "accuracy"), "not a measure of quantification", "classification"),
    ("roles of distributions", GOOD, (*CLASSES, "--positive", "high"), "--positive is not for the task", "entailment"),
    ("intervals from one topic", {"gold.tsv": wide(3, None), "run.tsv": wide(3, None)}, (*CLASSES, "--ci"),
        "nothing to resample", "topics"),
    ("two roles of one label", ordered("score"), ("--task", "entailment", "--positive", "YES", "--negative", "YES"),
        "one label has two roles: YES, YES", "a label of its own"),
    ("roles undeclared", ordered("score"), ("--task", "entailment"), "never guessed",
        "the labels found are NO, UNK, YES; as in --positive NO --neutral UNK --negative YES"),
    ("two roles undeclared", {"gold.tsv": "item\tlabel\n1\ty\n2\tn\n", "run.tsv": "item\tlabel\n1\ty\n2\tn\n"},
        ("--task", "entailment"), "never guessed", "the labels found are n, y; as in --positive n --negative y"),
    ("one role undeclared", ordered("score"), ("--task", "entailment", "--positive", "YES"), "--negative is not declared",
        "--neutral"),
    ("classes instead of roles", ordered("score"), ("--task", "entailment", "--classes", "YES,UNK,NO"),
        "--positive and --negative are not declared", "--positive ENTAILMENT"),
    ("classes beside other roles", ordered("score"), (*ENTAILMENT, "--classes", "YES,NO"), "not those of the roles", "leave out"),
    ("bins of entailment", ordered("score"), (*ENTAILMENT, "--bins", "1"), "--bins is not for the task entailment", "--task"),
    ("rank weights misspelt", ordered("confidence"), (*ENTAILMENT, "--rank-weights", "liner"),
        "no series of rank weights 'liner'", "did you mean 'linear'?"),
    ("rank weights unknown", ordered("confidence"), (*ENTAILMENT, "--rank-weights", "{}/no.txt"), "no series of rank",
        "choose linear"),
    ("rank weights of classification", ordered("confidence"), ("--classes", "YES,UNK,NO", "--rank-weights", "linear"),
        "--rank-weights is not for the task classification", "it is for entailment"),
    ("rank measure of classification", ordered("confidence"), ("--classes", "YES,UNK,NO", "--measures",
        "mutual_information@rank"),
        "which classification does not read", "--task entailment"),
    ("task misspelt", GOOD, ("--task", "quantifcation"), "there is no task 'quantifcation'", "did you mean 'quantification'"),
    ("run named as a baseline of entailment",
        {"gold.tsv": "item\tlabel\n1\tYES\n", "baseline: always NO.tsv": "item\tlabel\n1\tYES\n"},
        ENTAILMENT, "a run is called 'baseline: always NO', which is the name of a baseline", "rename it"),
]  # fmt: skip
CALLS = [SimpleNamespace(name=n, files=f, options=o, what=w, hint=h) for n, f, o, w, h in WRONG_CALLS]


@pytest.fixture
def attempt(run, tmp_path, monkeypatch):
    """Evaluate the files of a case: exit status and standard error; nothing on standard output, no file left behind."""

    def evaluate(case):
        for name, content in case.files.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        read = sorted(
            (name for name in case.files if not name.startswith(("more", "weights"))), key=lambda name: name[:4] != "gold"
        )
        before = sorted(tmp_path.iterdir())
        scratch = tmp_path.parent / f"{tmp_path.name}-scratch"
        scratch.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(scratch))
        options = [option.replace("{}", str(tmp_path)) for option in case.options]
        status, out, err = run("evaluate", *(tmp_path / name for name in read), *options, "--scores", tmp_path / "out.csv")
        assert "Traceback" not in err
        assert "internal error" not in err
        assert out == ""
        assert sorted(tmp_path.iterdir()) == before
        assert not list(scratch.iterdir())
        return status, err.replace(f"{tmp_path}/", "")

    return evaluate


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_broken_data(attempt, case):
    status, err = attempt(case)
    assert status == 1, err
    lines = err.splitlines()
    assert all(re.fullmatch(r"\S+?(:\d+)?: .+; .+", line) for line in lines), err
    said = [line.removeprefix(f"{case.place}: ").split("; ", 1) for line in lines if line.startswith(f"{case.place}: ")]
    assert any(case.what in what and case.hint in hint for what, hint in said), err


@pytest.mark.parametrize("case", CALLS, ids=[case.name for case in CALLS])
def test_wrong_calls(attempt, case):
    status, err = attempt(case)
    assert status == 2, err
    what, _, hint = err.partition("; ")
    assert err.count("\n") == 1
    assert what.startswith("metameasure: ")
    assert case.what in what
    assert case.hint in hint


def test_every_wrong_sum_is_named(run, tmp_path):
    (tmp_path / "gold.tsv").write_text(wide())
    (tmp_path / "run.tsv").write_text(
        table("topic", "low", "mid", "high", rows=[(f"t{row}", "0", "0", ".5") for row in range(25)])
    )
    status, _, err = run("evaluate", tmp_path / "gold.tsv", tmp_path / "run.tsv", *CLASSES)
    lines = err.splitlines()
    assert (status, len(lines)) == (1, 21)
    assert [line.split(": ")[0] for line in lines[:-1]] == [f"{tmp_path}/run.tsv:{row + 2}" for row in range(20)]
    assert lines[-1] == "... and 5 more problems"


def test_problems_of_all_files_at_once(run, tmp_path):
    files = {"gold.tsv": long(2, "t1\tlow\t-1"), "a.tsv": long(3, "t1\tmidd\t.3"), "b.tsv": long(6, "t2\thigh\t.9")}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    _, _, err = run("evaluate", *(tmp_path / name for name in files), *CLASSES)
    assert [line.split(": ")[0] for line in err.splitlines()] == [
        f"{tmp_path}/{place}" for place in ("gold.tsv:2", "a.tsv:3", "b.tsv:5")
    ]


def test_orders_of_all_runs_at_once(run, tmp_path):
    files = ordered("confidence", 4, "i3\tNO\t?") | {"other.tsv": ordered("score", 2, "i1\tYES\t")["run.tsv"]}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    _, _, err = run("evaluate", *(tmp_path / name for name in files), *ENTAILMENT)
    assert [line.split(": ")[0] for line in err.splitlines()] == [f"{tmp_path}/{place}" for place in ("run.tsv:4", "other.tsv:2")]


def test_what_looks_broken_but_is_not(run, tmp_path):
    """Drift within 1e-6; a class that a topic leaves out; an order of ranks that are shared."""
    (tmp_path / "gold.tsv").write_text(long())
    (tmp_path / "run.tsv").write_text(long(4, "t1\thigh\t.5000009"))
    status, out, err = run("evaluate", tmp_path / "gold.tsv", tmp_path / "run.tsv", *CLASSES, "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(out)["runs"][0]["scores"]["nmd"] == pytest.approx(0, abs=1e-6)
    for name, text in ordered("rank", rows=[(*row[:2], "1.5") for row in LABELLED]).items():
        (tmp_path / name).write_text(text)
    status, out, _ = run("evaluate", tmp_path / "gold.tsv", tmp_path / "run.tsv", *ENTAILMENT, "--format", "json")
    assert status == 0
    assert json.loads(out)["runs"][0]["scores"]["confidence_weighted_score"] == 1
