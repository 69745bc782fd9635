"""What is converted evaluates to the same numbers, for every format."""

import json

import pytest

QRELS, RUN = "1 0 a 2\n1 0 b 0\n2 0 a 1\n", "1 Q0 b 1 .9 t\n1 Q0 a 2 .5 t\n2 Q0 a 1 .1 t\n"
JCML = (
    '<jcml><judgedsentence id="1" judge_id="j"><tgt system="a" rank="1" x="2"/><tgt system="b" rank="2" x="1"/></judgedsentence>'
    '<judgedsentence id="1" judge_id="j"><tgt system="a" rank="2" x="2"/><tgt system="b" rank="1" x="1"/></judgedsentence>'
    '<judgedsentence id="2" judge_id="k"><tgt system="a" rank="1" x="1"/><tgt system="b" rank="1" x="2"/></judgedsentence></jcml>'
)
WMT = (
    "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
    "fr,en,1,ann,a,b,c,1,2,3\nfr,en,1,ann,a,b,c,3,2,1\nfr,en,1,bob,a,b,c,1,1,2\nfr,en,2,bob,a,b,c,-1,1,2\n"
)
SCORES = "segment,item,score\n" + "".join(f"{s},{i},{v}\n" for s in "12" for i, v in (("a", 0.3), ("b", 0.3), ("c", 0.1)))
VOTES = [{"id": t, "annotations": [{"quality": {"A": v}} for v in votes]} for t, votes in (("x", "aab"), ("y", "b"))]
LABELS, ANSWERS = "1\tx\ta\n2\tx\tb\n3\ty\ta\n", "1\tx\tb\n2\tx\tb\n3\ty\ta\n"
CLASSES = ("--classes", "a,b")
# The file to be converted, another that it is evaluated with, the flags, and what reading the converted file needs besides.
CASES = {
    "semeval": ("gold.tsv", LABELS, ("run.tsv", ANSWERS), CLASSES, ()),
    "labels": ("gold.csv", "pair,y,weight\n1,a,2\n2,b,.5\n", ("run.csv", "item,label\n1,b\n2,b\n"), CLASSES, ()),
    "side by side": ("gold.jsonl", '{"item":1,"gold":"a","m":"b"}\n{"item":2,"gold":"b","m":"b"}\n', None, CLASSES, ()),
    "distributions": ("gold.tsv", "topic\ta\tb\nx\t.25\t.75\ny\t1\t0\n", ("run.tsv", "topic\ta\tb\nx\t.5\t.5\ny\t.5\t.5\n"),
        ("--task", "quantification", *CLASSES), ()),
    "ntcir-dq": ("gold.json", json.dumps(VOTES), ("run.csv", "topic,class,probability\nx,a,1\ny,b,1\n"),
        ("--task", "quantification", *CLASSES), ("--counts",)),
    "wmt": ("gold.csv", WMT, ("run.csv", SCORES), ("--task", "ranking"), ()),
    "jcml": ("gold.jcml", JCML, None, ("--task", "ranking", "--run-columns", "x"), ()),
    "trec": ("gold.txt", QRELS, ("run.txt", RUN), ("--task", "ranking", "--measures", "ndcg,average_precision,mrr"), ()),
    "scores as gold": ("gold.csv", SCORES, ("run.csv", SCORES.replace("0.1", "0.9")), ("--task", "ranking"), ()),
}  # fmt: skip


ENDINGS = ("csv", "tsv", "jsonl", "parquet")


def told_by(run, *call):
    """What ``evaluate`` answers."""
    status, out, err = run("evaluate", *call, "--format", "json")
    assert status == 0, err
    return json.loads(out)


@pytest.mark.each_time(2)
@pytest.mark.parametrize("name", CASES)
def test_round_trip(run, tmp_path, name):
    file, text, other, flags, more = CASES[name]
    (tmp_path / file).write_text(text)
    others = []
    if other is not None:
        (tmp_path / other[0]).write_text(other[1])
        others = [tmp_path / other[0]]
    odd = ("--item-column", "pair", "--label-column", "y") if name == "labels" else ()
    beside = flags[2:] if name == "jcml" else ()
    original = ("--gold-item-column", "pair", "--gold-label-column", "y") if name == "labels" else ()
    after = ("--task", "ranking", "--gold-column", "rank", "--run-columns", "x") if name == "jcml" else flags
    if name == "ntcir-dq":
        (tmp_path / "votes.csv").write_text("topic,class,probability\nx,a,1\ny,b,1\n")
    before = told_by(run, tmp_path / file, *others, *flags, *original)
    for ending in ENDINGS:
        status, _, err = run("convert", tmp_path / file, tmp_path / f"out.{ending}", *odd, *beside)
        assert status == 0, err
        now = told_by(run, tmp_path / f"out.{ending}", *others, *after, *more)
        assert now["runs"] == before["runs"], ending
        assert now.get("agreement") == before.get("agreement"), "no judge is added, none lost"


RUNS = {
    "trec": ("run.txt", RUN, ("gold.txt", QRELS), ("--measures", "ndcg,average_precision,mrr")),
    "seg.score": ("run.seg.score", "".join(f"{m}\tfr-en\tset\t{i}\t{s}\t{v}\n" for m in ("chrf", "bleu") for s in "12"
        for i, v in (("a", 0.3), ("b", 0.3 if m == "bleu" else 0.5), ("c", 0.1))), ("gold.csv", WMT), ()),
    "wmt": ("run.csv", WMT.replace("3,2,1", "1,1,3").replace("-1,1,2", "3,1,2"), ("gold.csv", WMT), ()),
    "wmt, the other way round": ("run.csv", WMT.replace("3,2,1", "3,1,2").replace("ann,a,b,c,1,2,3", "ann,a,b,c,1,3,2"),
        ("gold.csv", WMT.replace("3,2,1", "2,2,1")), ()),
}  # fmt: skip


@pytest.mark.each_time(1)
@pytest.mark.parametrize("name", RUNS)
def test_round_trip_of_runs(run, tmp_path, name):
    """A file that is no gold is written as a run; WMT's, which may be either, says the same as the run it was."""
    file, text, (gold, human), flags = RUNS[name]
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / gold).write_text(human)
    (tmp_path / "in" / file).write_text(text)
    asked = ("--task", "ranking", *flags)
    before = told_by(run, tmp_path / gold, tmp_path / "in" / file, *asked)["runs"]
    for ending in ENDINGS:
        target = tmp_path / "out" / f"run.{ending}"
        status, _, err = run("convert", tmp_path / "in" / file, target)
        assert status == 0, err
        assert told_by(run, tmp_path / gold, target, *asked)["runs"] == before, ending


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("scores.txt", "a b c\n.1 .2 .3\n.4 .5 .1\n.5 .7 .3\n"),
        ("scores.txt", "t1 .1 .2 .3\nt2 .4 .5 .1\nt3 .5 .7 .3\n"),
        ("scores.csv", "topic,run,score\nx,a,.5\nx,b,.25\ny,a,1\ny,b,0\nz,a,.5\nz,b,.5\n"),
    ],
)
def test_round_trip_of_scores(run, tmp_path, file, text):
    (tmp_path / file).write_text(text)
    status, out, err = run("convert", tmp_path / file, tmp_path / "out.csv")
    assert status == 0, err
    assert "scores written" in out
    answers = [run("compare", tmp_path / name, "--better", "higher", "--format", "json") for name in (file, "out.csv")]
    assert answers[0] == answers[1]
    assert answers[0][0] == 0


def test_what_is_neither_gold_nor_a_run_is_said_as_of_gold(run, tmp_path):
    (tmp_path / "gold.csv").write_text("segment,item,rank\n1,a,first\n")
    status, _, err = run("convert", tmp_path / "gold.csv", tmp_path / "out.csv", "--task", "ranking")
    assert (status, "gold.csv:2: rank 'first' is not a number" in err) == (1, True), err
    (tmp_path / "run.seg.score").write_text("chrf\tfr-en\tset\ta\t1\t.5\nchrf\tfr-en\tset\tb\t1\tgood\n")
    status, _, err = run("convert", tmp_path / "run.seg.score", tmp_path / "out.csv")
    assert (status, "run.seg.score:2: score 'good' is not a number" in err) == (1, True), err
    assert not (tmp_path / "out.csv").exists()
