"""Rankings that are broken in every way we could think of: each is said with its file, its line and what to do."""

import gzip
import re

import pytest

from metameasure.core.errors import UsageError
from metameasure.core.problems import DataProblems
from metameasure.reading.options import Columns
from ranking_tables import RankingOptions, from_files

ROWS = [("1", "a", "1"), ("1", "b", "2"), ("2", "a", "2"), ("2", "b", "1"), ("2", "c", "2")]


def table(line=None, row=None, head="segment,item,rank", rows=ROWS):
    """A table with one line replaced, taken out (None) or, beyond the end, added. The header is line 1."""
    lines = [head, *(",".join(each) for each in rows)]
    if line is not None:
        lines[line - 1 : line] = [] if row is None else [row]
    return "\n".join(lines) + "\n"


def gold_with(line, row):
    return {"gold.csv": table(line, row), "run.csv": table()}


def run_with(line, row):
    return {"gold.csv": table(), "run.csv": table(line, row)}


def scores_with(value):
    return {"gold.csv": table(), "run.csv": table(4, f"2,a,{value}", head="segment,item,score")}


WIDE_ROWS = [(*row, "1", "2") for row in ROWS]


def wide_with(row):
    return {"gold.csv": table(4, row, head="segment,item,gold,x,y", rows=WIDE_ROWS)}


TARGETS = '<tgt system="a" rank="1" p="1"/>\n<tgt system="b" rank="2" p="2"/>\n'
SENTENCE = f'<judgedsentence id="1" judge_id="ann">\n{TARGETS}</judgedsentence>\n'
NEXT = SENTENCE.replace('id="1" judge', 'id="2" judge')


def jcml(old="", new="", start="", end="</jcml>\n"):
    """Two sentences, the first in lines 2 to 5; something in the second replaced."""
    return {"gold.jcml": f"{start}<jcml>\n{SENTENCE}{NEXT.replace(old, new, 1) if old else NEXT}{end}"}


BOMB = '<!DOCTYPE jcml [\n<!ENTITY a "ha">\n<!ENTITY b "&a;&a;&a;&a;">\n]>\n'
EXTERNAL = '<!DOCTYPE jcml [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n'
WMT = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
PAIRS = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank,rankingID\n"


def wmt_with(row, head=WMT):
    return {"gold.csv": f"{head}fr,en,1,ann,a,b,{'c,' if head is WMT else ''}1,2,{3 if head is WMT else 7}\n{row}\n"}


QRELS, TREC = "1 0 a 1\n1 0 b 0\n2 0 a 2\n", "1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n2 Q0 a 1 3 x\n"


def trec_with(line, new, *, qrels=False):
    lines = (QRELS if qrels else TREC).splitlines()
    lines[line - 1] = new
    text = "\n".join(lines) + "\n"
    return {"gold.txt": text, "run.txt": TREC} if qrels else {"gold.txt": QRELS, "run.txt": text}


P = {"run_columns": ("p",)}
RANK, SCORE = "a rank is a number from 1 (best) up; -1 or nothing", "a score is a number, higher is better"
ONE_ROW, MISSING = "keep one row per segment and item", "add it, or choose --missing drop or last"
ROWS_HINT = "it needs one row per segment and item"
BROKEN = {  # files, gold first; where; what; hint; options
    "item again in gold": (gold_with(7, "1,a,3"),
        "gold.csv:7", "item 'a' of segment '1' again (first in line 2)", "--judge-column"),
    "item again in a run": (run_with(7, "1,a,3"), "run.csv:7", "item 'a' of segment '1' again (first in line 2)", ONE_ROW),
    "item unknown": (run_with(7, "1,aa,1"), "run.csv:7", "item 'aa' of segment '1' is not in gold", "did you mean 'a'?"),
    "item unknown, none near": (run_with(7, "1,xyz,1"), "run.csv:7", "item 'xyz'", "--extra ignore"),
    "segment unknown": (run_with(7, "33,a,1"),
        "run.csv:7", "segment '33' is not in gold", "check that this run is for this gold"),
    "item missing": (run_with(5, None), "run.csv", "item 'b' of segment '2' is missing", MISSING),
    "rank 0 in gold": (gold_with(4, "2,a,0"), "gold.csv:4", "rank 0 is less than 1", RANK),
    "rank 0 in a run": (run_with(4, "2,a,0"), "run.csv:4", "rank 0 is less than 1", RANK),
    "rank -2": (run_with(4, "2,a,-2"), "run.csv:4", "rank -2 is less than 1", RANK),
    "rank .5": (run_with(4, "2,a,.5"), "run.csv:4", "rank .5 is less than 1", RANK),
    "rank NaN": (run_with(4, "2,a,NaN"), "run.csv:4", "rank 'NaN' is not a finite number", RANK),
    "rank infinite": (gold_with(4, "2,a,inf"), "gold.csv:4", "rank 'inf' is not a finite number", RANK),
    "rank a word": (run_with(4, "2,a,first"), "run.csv:4", "rank 'first' is not a number", RANK),
    "score NaN": (scores_with("nan"), "run.csv:4", "score 'nan' is not a finite number", SCORE),
    "score infinite": (scores_with("-inf"), "run.csv:4", "score '-inf' is not a finite number", SCORE),
    "score a word": (scores_with("high"), "run.csv:4", "score 'high' is not a number", SCORE),
    "no item": (run_with(4, "2,,1"), "run.csv:4", "the row has no item", "give every row its item"),
    "no segment": (gold_with(4, ",a,1"), "gold.csv:4", "the row has no segment", "give every row its segment"),
    "nothing ranked in a segment": ({"gold.csv": table(2, "1,a,-1").replace("1,b,2", "1,b,"), "run.csv": table()},
        "gold.csv:2", "no item of segment '1' is ranked", "rank some of its items, or remove it"),
    "empty gold": ({"gold.csv": "", "run.csv": table()}, "gold.csv", "the file is empty", "it needs a header"),
    "empty run": ({"gold.csv": table(), "run.csv": ""}, "run.csv", "the file is empty", "it needs a header"),
    "gold's header alone": ({"gold.csv": "segment,item,rank\n", "run.csv": table()}, "gold.csv", "there are no items", ROWS_HINT),
    "a run's header alone": ({"gold.csv": table(), "run.csv": "segment,item,rank\n"},
        "run.csv", "item 'a' of segment '1'", MISSING),
    "no rank nor score": (run_with(1, "segment,item,rnak"),
        "run.csv:1", "there is no column 'rank' or 'score'", "did you mean 'rnak'?"),
    "no rank, none near": (gold_with(1, "segment,item,x"), "gold.csv:1", "there is no column 'rank' or 'score'", "--rank-column"),
    "no segment column": (run_with(1, "segments,item,rank"),
        "run.csv:1", "there is no column 'segment'", "did you mean 'segments'?"),
    "no header": ({"gold.csv": table(), "run.tsv": "1\ta\t1\n1\tb\t2\n"},
        "run.tsv:1", "the first line names no column", "segment, item, rank"),
    "a field too few": (run_with(4, "2,a"), "run.csv:4", "2 fields instead of 3", "separator"),
    "gzip cut short": ({"gold.csv": table(), "run.csv.gz": gzip.compress(table().encode())[:40]},
        "run.csv.gz", "cut short", "again"),
    "side by side, rank 0": (wide_with("2,a,1,0,1"), "gold.csv:4", "x: rank 0 is less than 1", RANK),
    "side by side, gold's rank": (wide_with("2,a,x,1,1"), "gold.csv:4", "gold: rank 'x' is not a number", RANK),
    "side by side, item again": (wide_with("1,a,1,1,1"), "gold.csv:4", "item 'a' of segment '1' again", ONE_ROW),
    "side by side, no such run": ({"gold.csv": table(head="segment,item,gold,first,y", rows=WIDE_ROWS)}, "gold.csv:1",
        "there is no column 'fist'", "did you mean 'first'?", {"run_columns": ("fist",)}),
    "side by side, no such gold": ({"gold.csv": table(head="segment,item,rank,x,y", rows=WIDE_ROWS)}, "gold.csv:1",
        "there is no column 'rnak'", "did you mean 'rank'?", {"run_columns": ("x",), "columns": Columns(gold="rnak")}),
    "XML not closed": (jcml(end=""), "gold.jcml:10", "not well-formed XML (no element found)", "close and escape", P),
    "XML, tags crossed": (jcml("</judgedsentence>", "</jcml>"),
        "gold.jcml:9", "not well-formed XML (mismatched tag)", "close", P),
    "XML, bare ampersand": (jcml('system="a"', 'system="a&b"'), "gold.jcml:7", "not well-formed XML", "escape", P),
    "XML, undefined entity": (jcml('system="a"', 'system="&a;"'), "gold.jcml:7", "undefined entity", "escape", P),
    "XML, entities": (jcml('system="a"', 'system="&b;"', BOMB),
        "gold.jcml:1", "declares a document type", "remove the declaration", P),
    "XML, external entity": (jcml(start=EXTERNAL), "gold.jcml:1", "declares a document type", "remove the declaration", P),
    "XML, encoding": (jcml(start='<?xml version="1.0" encoding="x-odd"?>'), "gold.jcml:1", "encoding", "", P),
    "jcml, no such run": (jcml(), "gold.jcml", "no tgt has an attribute 'pp'", "did you mean 'p'?", {"run_columns": ("pp",)}),
    "jcml, no rank": ({"gold.jcml": jcml()["gold.jcml"].replace("rank=", "place=")},
        "gold.jcml", "no tgt has an attribute 'rank'",
        "the attributes are system, place, p", P),
    "jcml, attribute missing": (jcml(' p="2"', ""), "gold.jcml:8", "the tgt of 'b' has no attribute 'p'", MISSING, P),
    "jcml, no system": (jcml('system="b"', ""), "gold.jcml:8", "the tgt has no attribute 'system'", "--item-column", P),
    "jcml, no segment": (jcml('id="2"', ""), "gold.jcml:6", "no attribute 'segment_id' or 'id'", "--segment-column", P),
    "jcml, rank a word": (jcml('rank="2"', 'rank="two"'), "gold.jcml:8", "rank: rank 'two' is not a number", RANK, P),
    "jcml, rank 0 in a run": (jcml('p="2"', 'p="0"'), "gold.jcml:8", "p: rank 0 is less than 1", RANK, P),
    "jcml, item again": (jcml('system="b"', 'system="a"'),
        "gold.jcml:8", "item 'a' of segment '2' by judge 'ann' again", ONE_ROW, P),
    "jcml, nothing ranked": ({"gold.jcml": jcml()["gold.jcml"].replace(NEXT, NEXT.replace("rank=", "x="))}, "gold.jcml:7",
        "no item of segment '2' is ranked", "rank some of its items", P),
    "jcml, tgt outside": (jcml(end='<tgt system="a" rank="1"/></jcml>'),
        "gold.jcml:10", "a tgt outside of any judgedsentence", "segment", P),
    "jcml, nothing in it": ({"gold.jcml": "<jcml></jcml>"}, "gold.jcml", "there are no rankings", "judgedsentence", P),
    "jcml as a run": ({"gold.csv": table(), "run.jcml": jcml()["gold.jcml"]},
        "run.jcml", "jcml as the file of a run", "--run-columns"),
    "WMT, rank 0": (wmt_with("fr,en,2,ann,a,b,c,1,0,2"), "gold.csv:3", "system2rank: rank 0 is less than 1", RANK),
    "WMT, rank a word": (wmt_with("fr,en,2,ann,a,b,c,1,x,2"), "gold.csv:3", "system2rank: rank 'x' is not a number", RANK),
    "WMT, item twice, two ranks": (wmt_with("fr,en,2,ann,a,b,a,1,2,3"),
        "gold.csv:3", "'a' has rank 3 and", "keep one of the two"),
    "WMT, a ranking contradicts itself": (wmt_with("fr,en,1,ann,b,d,1,2,7", PAIRS), "gold.csv:3",
        "'b' has rank 1 and, in the same ranking (line 2), rank 2", "keep one of the two"),
    "WMT, no segment": (wmt_with("fr,en,,ann,a,b,c,1,2,3"), "gold.csv:3", "the row has no segment", "source segment"),
    "WMT, no system": (wmt_with("fr,en,2,ann,a,,c,1,2,3"),
        "gold.csv:3", "system2rank is 2 but system2Id is empty", "name the system"),
    "WMT, a field too few": (wmt_with("fr,en,2,ann,a,b,c,1,2"), "gold.csv:3", "9 fields instead of 10", "separator"),
    "WMT, a column lacks": ({"gold.csv": WMT.replace(",system2rank", "")},
        "gold.csv:1", "no column 'system2rank'", "an id and a rank"),
    "WMT, no segments": ({"gold.csv": WMT.replace("srcIndex", "x")},
        "gold.csv:1", "no column 'srcIndex' or 'segmentId'", "--segment-column"),
    "WMT, header alone": ({"gold.csv": WMT}, "gold.csv", "there are no rankings", "one row per ranking"),
    "WMT, no rank at all": ({"gold.csv": WMT + "fr,en,1,ann,a,b,c,-1,-1,-1\n"}, "gold.csv", "no row ranks anything", RANK),
    "WMT as a run, an item that gold lacks": ({"gold.csv": table(), "run.csv": wmt_with("fr,en,2,ann,a,b,c,1,2,3")["gold.csv"]},
        "run.csv:2", "item 'c' of segment '1' is not in gold", "remove the row"),
    "WMT as a run, a ranking too few": (
        {**wmt_with("fr,en,1,bob,a,b,c,1,2,3"), "run.csv": wmt_with("fr,en,1,ann,a,b,c,3,2,1")["gold.csv"]},
        "run.csv", "item 'a' of segment '1' is missing", "choose --missing drop or last"),
    "WMT as a run, two ranks": (
        {**wmt_with("fr,en,1,bob,a,b,c,1,2,3"), "run.csv": wmt_with("fr,en,1,bob,a,a,c,1,2,3")["gold.csv"]},
        "run.csv:3", "'a' has rank 2 and, in the same ranking (line 3), rank 1", "keep one of the two"),
    "WMT as a run, of rankings that gold lacks": (
        {"gold.csv": "segment,judge,ranking,item,rank\n1,ann,1,a,1\n1,ann,1,b,2\n1,ann,1,c,3\n",
         "run.csv": wmt_with("fr,en,1,eve,a,b,c,3,2,1")["gold.csv"]},
        "run.csv", "3 rows of rankings that gold does not have", "judges and rankings"),
    "TREC, a field too few": (trec_with(2, "1 Q0 b 2 1.5"), "run.txt:2", "5 fields instead of 6", "topic, Q0, document"),
    "TREC, score a word": (trec_with(2, "1 Q0 b 2 high x"),
        "run.txt:2", "score 'high' is not a number", "higher is better"),
    "TREC, score NaN": (trec_with(2, "1 Q0 b 2 nan x"), "run.txt:2", "score 'nan' is not a finite number", "higher is better"),
    "TREC, document again": (trec_with(2, "1 Q0 a 2 1.5 x"),
        "run.txt:2", "document 'a' of topic '1' again (first in line 1)", "keep one row per topic and document"),
    "TREC, Latin-1": ({"gold.txt": QRELS, "run.txt": TREC.replace("b", "ï").encode("latin-1")}, "run.txt:2", "not UTF-8", "save"),
    "TREC, blank": ({"gold.txt": "1 0 a 1\n", "run.txt": "\n \n"}, "run.txt", "file is empty", "topic", {"format_in": "trec"}),
    "TREC, gzip cut short": ({"gold.txt": QRELS, "run.gz": gzip.compress(TREC.encode())[:30]}, "run.gz", "cut short", "again"),
    "jcml, gzip cut short": ({"gold.gz": gzip.compress(jcml()["gold.jcml"].encode())[:90]}, "gold.gz", "cut short", "again", P),
    "WMT, no such column": (wmt_with("fr,en,2,ann,a,b,c,1,2,3"), "gold.csv:1", "there is no column 'judge_id'",
        "did you mean 'judgeId'?", {"columns": Columns(judge="judge_id")}),
    "WMT, said to be": ({"gold.csv": table()}, "gold.csv:1", "no column 'srcIndex'", "--segment-column", {"format_in": "wmt"}),
    "TREC, grade a word": (trec_with(2, "1 0 b good", qrels=True),
        "gold.txt:2", "grade 'good' is not a number", "0 for irrelevant"),
    "TREC, a run as gold": ({"gold.txt": TREC, "run.txt": TREC.upper()},
        "gold.txt:1", "a TREC run, not qrels", "gold comes first"),
    "TREC, qrels as a run": ({"gold.txt": QRELS, "run.txt": QRELS}, "run.txt:1", "TREC qrels, not a run", "six fields"),
    "TREC, said to be": ({"gold.csv": table(), "run.csv": table()},
        "gold.csv:1", "1 field instead of 4", "topic", {"format_in": "trec"}),
    "TREC run for a table, unknown": ({"gold.csv": table(), "run.txt": TREC + "7 Q0 a 1 1 x\n"},
        "run.txt:4", "topic '7' is not in gold", "for this gold"),
}  # fmt: skip


def written(folder, files):
    paths = []
    for name, content in files.items():
        paths.append(folder / name)
        paths[-1].write_bytes(content if isinstance(content, bytes) else content.encode())
    return paths


@pytest.mark.parametrize("name", BROKEN)
def test_broken_rankings(tmp_path, name):
    files, place, what, hint, *options = BROKEN[name]
    gold, *runs = written(tmp_path, files)
    with pytest.raises(DataProblems) as raised:
        from_files(gold, runs, RankingOptions(**options[0] if options else {}))
    lines = raised.value.on("command").splitlines()
    assert all(re.fullmatch(r"\S+?(:\d+)?: .+; .+", line) for line in lines), lines
    said = [line.removeprefix(f"{tmp_path}/{place}: ") for line in lines if line.startswith(f"{tmp_path}/{place}: ")]
    assert any(what in line and hint in line.partition("; ")[2] for line in said), lines


@pytest.mark.parametrize("files", [{"gold.csv": table(), "run.csv": table()}, jcml(), wmt_with("fr,en,2,ann,a,b,c,1,2,3"),
    {"gold.txt": QRELS, "run.txt": TREC}, {"gold.csv": table(head="segment,item,gold,x,y", rows=WIDE_ROWS)}])  # fmt: skip
def test_what_the_broken_ones_are_made_of_is_sound(tmp_path, files):
    gold, *runs = written(tmp_path, files)
    assert len(from_files(gold, runs).topics) == 2


def test_every_problem_of_all_files_up_to_twenty_then_a_count(tmp_path):
    bad = table(rows=[*ROWS, *((str(number), "a", "0") for number in range(100, 130))])
    gold, *runs = written(tmp_path, {"gold.csv": table(), "one.csv": bad, "two.csv": table(4, "2,a,x")})
    with pytest.raises(DataProblems) as raised:
        from_files(gold, runs)
    lines = str(raised.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "... and 41 more problems"  # 30 ranks, 30 segments, and one in the other file
    assert {problem.file for problem in raised.value.problems} == {str(run) for run in runs}


def test_the_rows_of_a_frame_are_named():
    import pandas as pd

    gold = pd.DataFrame(ROWS, columns=["segment", "item", "rank"])
    with pytest.raises(DataProblems, match=r"^run 'x':3: rank 0 is less than 1; "):
        from_files(gold, {"x": gold.assign(rank=["1", "2", "0", "1", "2"])})
    with pytest.raises(DataProblems, match=r"^gold:1: there is no column 'rank' or 'score'; did you mean 'rnak'"):
        from_files(gold.rename(columns={"rank": "rnak"}))


WRONG_CALLS = {
    "format": ({"format_in": "xml"}, "there is no format 'xml'; choose jcml or mtme or seg.score or trec or wmt"),
    "epsilon negative": ({"tie_epsilon": -1.0}, "-1.0 is not a distance for ties; give a number from 0 up"),
    "epsilon NaN": ({"gold_tie_epsilon": float("nan")}, "not a distance for ties"),
    "run column twice": ({"run_columns": ("a", "a")}, "the run column 'a' is named twice"),
}


@pytest.mark.parametrize("name", WRONG_CALLS)
def test_wrong_options(name):
    options, said = WRONG_CALLS[name]
    with pytest.raises(UsageError, match=re.escape(said)):
        RankingOptions(**options)


def test_wrong_calls(tmp_path):
    (tmp_path / "x").mkdir()
    wide = table(head="segment,item,gold,x,y", rows=WIDE_ROWS)
    gold, run, x = written(tmp_path, {"gold.csv": wide, "run.csv": table(), "x/x.csv": table()})
    for call, said in [
        (lambda: from_files(gold, [x], RankingOptions(run_columns=("x",))), "two runs are called 'x'"),
        (lambda: from_files(gold, [gold]), "is the gold file itself"),
        (lambda: from_files(gold, [run, run]), "is given twice"),
        (lambda: from_files(tmp_path / "glod.csv"), "did you mean 'gold.csv'"),
        (lambda: from_files(f"{tmp_path}/*.csv"), "matches 2 files, but gold is one file"),
        (lambda: from_files(gold, options=RankingOptions(run_columns=("gold",))), "is gold and a run"),
    ]:
        with pytest.raises(UsageError, match=re.escape(said)):
            call()
    (wmt,) = written(tmp_path, {"wmt.csv": wmt_with("fr,en,2,ann,a,b,c,1,2,3")["gold.csv"]})
    with pytest.raises(UsageError, match="this format has no columns of runs"):
        from_files(wmt, options=RankingOptions(run_columns=("x",)))
