"""Formats of the field are told apart: a file is recognised as what it is, and as nothing else; test cases and ids that stand in
each other's place are noticed; runs are called as their files are, or by the tag in them."""

import json
import random

import polars as pl
import pytest

import harnesses
import metameasure as mm
from metameasure.core.errors import DataError, UsageError
from metameasure.reading.files import look
from metameasure.reading.formats import endings, formats
from metameasure.reading.inputs import run_names
from metameasure.reading.options import ReadOptions

LABELS = ("classification", "entailment", "quantification")
OUTCOMES = ("outcomes",)
TASKS = (*LABELS, "ranking", "agreement", *OUTCOMES, "scores")
# What each file is, what it is called, what is in it, and the tasks that read it.
SAMPLES = {
    "id, topic, label": ("semeval", "gold.txt", "1\tbank\tpos\n2\tbank\tneg\n3\tfilm\tpos\n", LABELS),
    "id, topic, number": ("semeval", "gold.tsv", "1\t7\t-2\n2\t7\t1\n3\t8\t0\n", LABELS),
    "id, label": ("semeval", "gold.txt", "1\tpos\n2\tneg\n3\tpos\n", LABELS[:2]),
    "id, number": ("semeval", "gold.txt", "1\t2\n2\t-1\n3\t0\n", LABELS),
    "three probabilities": ("semeval", "gold.txt", "bank\t.5\t.25\t.25\nfilm\t1\t0\t0\n", ("quantification",)),
    "and the number of items": ("semeval", "gold.txt", "bank\t.5\t.25\t.25\t4\nfilm\t1\t0\t0\t7\n", ("quantification",)),
    "five probabilities": ("semeval", "gold.txt", "bank\t.5\t.5\t0\t0\t0\nfilm\t1\t0\t0\t0\t0\n", ("quantification",)),
    "case, item, label": ("evall", "gold.txt", "bank\t1\tpos\nbank\t2\tneg\nfilm\t3\tpos\n", LABELS),
    "case, item, number": ("evall", "gold", "1\t101\t2\n1\t102\t1\n2\t203\t0\n", LABELS),
    "one case": ("evall", "gold.tsv", "t\t1\ta\nt\t2\tb\n", LABELS),
    "qrels": ("trec", "qrels", "301 0 d1 1\n301 0 d2 0\n", ("ranking",)),
    "qrels, tabs": ("trec", "qrels.txt", "301\t0\td1\t1\n301\t0\td2\t0\n", ("ranking",)),
    "run of TREC": ("trec", "input.sys20", "301 Q0 d1 1 3.5 tag\n301 Q0 d2 2 2.5 tag\n", ("ranking",)),
    "run of TREC, tabs": ("trec", "run.txt", "301\tQ0\td1\t1\t3.5\ttag\n", ("ranking",)),
    "six columns": ("seg.score", "m.seg.score", "BLEU\tde-en\tnewstest\tsysA\t1\t0.5\n", ("ranking",)),
    "six columns, text": ("seg.score", "m.txt", "BLEU\tde-en\tnewstest\tsysA\t1\t0.5\n", ("ranking",)),
    "system, score": ("mtme", "m.seg.score", "sysA\tNone\nsysA\t.7\nsysB\t1\nsysB\t1\n", ("ranking",)),
    "scores of systems": ("mtme", "m.sys.score", "sysA\t.5\nsysB\t1\n", ("ranking",)),
    "system, score, text": ("mtme", "m.txt", "sysA\t.5\nsysA\t.7\nsysB\t1\nsysB\t1\n", ("ranking",)),
    "five-way": ("wmt", "g.csv", "srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n1,j,a,b,1,2\n", ("ranking",)),
    "XML": ("jcml", "g.jcml", '<?xml version="1.0"?>\n<jcml/>\n', ("ranking",)),
    "pairs": ("rte", "g.xml", '<entailment-corpus>\n<pair id="1" entailment="YES"/>\n</entailment-corpus>\n', LABELS[:2]),
    "ranked": ("rte", "run.txt", "ranked: yes\n1 YES .9\n2 NO .3\n", LABELS[:2]),
    "dialogues": ("ntcir-dq", "g.json", '[{"id": "d1", "annotations": [{"quality": {"A": 1}}]}]', ("quantification",)),
    "quality": ("ntcir-dq", "g.json", '[{"id": "d1", "quality": {"A": {"1": 1.0}}}]', ("quantification",)),
    "annotators": ("alt-test", "g.json", '{"ann": {"1": "a"}}', ("agreement",)),
    "a judge": ("alt-test", "g.json", '{"1": "a"}', ("agreement",)),
    "by item": ("lewidi", "g.json", '{"1": {"annotations": {"x": "a"}}}', ("agreement",)),
    "numbers": ("discpower", "m.txt", "0.1 0.2 0.3\n0.2 0.3 0.4\n", ("scores",)),
    "numbers like qrels": ("discpower", "m.txt", "1 0 1 1\n0 0 1 0\n", ("scores",)),
    "names and numbers": ("discpower", "m.txt", "a b c\n0.2 0.3 0.4\n", ("scores",)),
    "lm-eval": (
        "lm-eval",
        "samples_t_2026-03-01T10-00-00.000001.jsonl",
        '{"doc_id": 0, "doc": {}, "target": "", "acc": 1.0}\n',
        OUTCOMES,
    ),
    "lm-eval, renamed": ("lm-eval", "a.jsonl", '{"doc_id": 0, "doc": {}, "target": "", "acc": 1.0}\n', OUTCOMES),
    "Inspect": ("inspect", "log.json", '{"version": 2, "status": "success", "eval": {"task": "t"}, "samples": []}', OUTCOMES),
    "HELM": ("helm", "per_instance_stats.json", '[{"instance_id": "id1", "train_trial_index": 0, "stats": []}]', OUTCOMES),
    "HELM, in lines": ("helm", "x.json", '[\n {\n  "instance_id": "id1",\n  "stats": []\n }\n]', OUTCOMES),
    "EEE": ("eee", "u_samples.jsonl", '{"evaluation_id": "e", "model_id": "m", "sample_id": "1", "evaluation": {}}\n', OUTCOMES),
    "SWE-bench": ("swebench", "m.r.json", '{"total_instances": 1, "resolved_instances": 1, "resolved_ids": ["x__1"]}', OUTCOMES),
    "EvalPlus": ("evalplus", "m_eval_results.json", '{"date": "", "eval": {"Mbpp/2": [{"base_status": "pass"}]}}', OUTCOMES),
    "NeMo": ("nemo", "results.jsonl", '{"problem_idx": 0, "reward": 1.0}\n', OUTCOMES),
    "MTEB": (
        "mteb",
        "STS.json",
        '{"dataset_revision": "x", "task_name": "STS", "scores": {"test": [{"main_score": 1}]}}',
        OUTCOMES,
    ),
    "promptfoo": ("promptfoo", "output.json", '{"evalId": "e", "results": {"version": 3, "results": []}}', OUTCOMES),
    "OpenCompass": (
        "opencompass",
        "sums.json",
        '{"accuracy": 50.0, "details": {"type": "GEN", "0": {"correct": true}}}',
        OUTCOMES,
    ),
    "OpenCompass, a list": ("opencompass", "sums.json", '{"accuracy": 50.0, "details": [{"example_abbr": "sums_0"}]}', OUTCOMES),
    "lighteval": ("lighteval", "details_sums_2026-03-01T10-00-00.000001.parquet", harnesses.LIGHTEVAL, OUTCOMES),
    "outcomes": ("", "g.csv", "run,item,score\na,1,.5\n", ()),
    "labels": ("", "g.csv", "item,label\n1,a\n", ()),
    "labels, topic first": ("", "g.tsv", "topic\titem\tlabel\nt\t1\ta\nt\t2\tb\n", ()),
    "side by side": ("", "g.tsv", "item\tgold\tsvm\n1\ta\tb\n", ()),
    "ranking": ("", "g.tsv", "segment\titem\tscore\n1\ta\t3\n", ()),
    "scores": ("", "g.csv", "measure,topic,run,score\nm,1,a,.2\n", ()),
    "matrix": ("", "g.tsv", "topic\ta\tb\n1\t.5\t.2\n", ()),
    "JSONL": ("", "g.jsonl", '{"item": "1", "label": "a"}\n', ()),
}
# Files that the readers of another task take for one of their own, and refuse: their lines do not say what they are.
REFUSED = {
    ("dialogues", "agreement"): "alt-test",
    ("quality", "agreement"): "alt-test",
    ("annotators", "quantification"): "ntcir-dq",
    ("a judge", "quantification"): "ntcir-dq",
    **{
        (sample, "agreement"): "alt-test"
        for sample in (
            *("Inspect", "HELM", "HELM, in lines", "SWE-bench", "EvalPlus", "MTEB"),
            *("promptfoo", "OpenCompass", "OpenCompass, a list"),
        )
    },
    **{("system, score, text", task): "semeval" for task in LABELS},
    **{("numbers like qrels", task): "trec" for task in TASKS[:-1]},
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_one_format_at_most_recognises_a_file(tmp_path, sample, task):
    expected, name, text, tasks = SAMPLES[sample]
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    options = ReadOptions(task=task, classes=("neg", "neu", "pos") if task == "quantification" else ())
    recognised = [one.name for one in formats().values() if one.recognises(look(name, file), options)]
    if task in tasks:
        assert recognised == [expected]
    else:
        assert recognised in ([], [REFUSED.get((sample, task), expected)])


def test_every_format_has_a_sample():
    assert {sample[0] for sample in SAMPLES.values()} - {""} == {*formats()}


def lines(rows):
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


@pytest.fixture
def cases(tmp_path):
    """Five test cases of twenty items each, as EvALL has them, and the same with the names of columns."""
    draw = random.Random(1)  # noqa: S311
    gold = [(f"T{case}", 100 * case + item, draw.choice("123")) for case in range(5) for item in range(20)]
    run = [(case, item, label if draw.random() < 0.6 else "2") for case, item, label in gold]
    for name, rows in (("gold", gold), ("run", run)):
        (tmp_path / f"{name}.txt").write_text(lines(rows))
        (tmp_path / f"{name}.tsv").write_text("topic\titem\tlabel\n" + lines(rows))
        (tmp_path / f"{name}-ids.txt").write_text(lines((item, case, label) for case, item, label in rows))
    return tmp_path


ASKED = ("--classes", "1..3", "--measures", "cem_ord,accuracy", "--format", "json")


class TestEvall:
    def test_scores_as_its_columns_say(self, run, cases):
        told = [
            json.loads(run("evaluate", cases / f"gold{which}", cases / f"run{which}", *ASKED)[1])
            for which in (".txt", ".tsv", "-ids.txt")
        ]
        assert {one["topics"] for one in told} == {5}
        assert told[0]["runs"][0]["scores"] == told[1]["runs"][0]["scores"] == told[2]["runs"][0]["scores"]
        assert [one["notes"] for one in told] == [[], [], []]

    @pytest.mark.parametrize("command", ["evaluate", "check"])
    def test_topics_of_one_item_are_noticed(self, run, cases, command):
        files = (cases / "gold.txt", cases / "run.txt", *ASKED[:2], "--format", "json")
        status, out, err = run(command, *files, "--format-in", "semeval")
        assert status == 0, err
        said = "100 of 100 topics have one item only; if a line begins with its topic, add --format-in evall; --average pooled"
        assert any(note.startswith(said) for note in json.loads(out)["notes"])
        assert run(command, *files)[1] == run(command, *files, "--format-in", "evall")[1]
        swapped = (cases / "gold-ids.txt", cases / "run-ids.txt", *files[2:], "--format-in", "evall")
        assert "if a line begins with its item, add --format-in semeval" in run(command, *swapped)[1]

    @pytest.mark.parametrize("command", ["evaluate", "check"])
    def test_and_in_tables_and_frames(self, run, tmp_path, command):
        (tmp_path / "both.tsv").write_text("item\ttopic\tgold\trun\n" + lines((n, f"t{n}", "ab"[n % 2], "a") for n in range(6)))
        out = run(command, tmp_path / "both.tsv", "--classes", "a,b", "--format", "json")[1]
        said = (
            "6 of 6 topics have one item only; --topic-column NAME reads another column; --average pooled takes all items as one"
        )
        assert any(note.startswith(said) for note in json.loads(out)["notes"])
        frame = pl.read_csv(tmp_path / "both.tsv", separator="\t")
        assert any("6 of 6 topics have one item only" in note for note in mm.evaluate(frame, classes="a,b").notes)

    def test_items_that_are_in_every_topic_are_noticed_where_nothing_names_the_columns(self, run, tmp_path):
        rows = [(case, item, "ab"[(case + item) % 2]) for case in range(12) for item in range(4)]
        (tmp_path / "gold.txt").write_text(lines(rows))
        (tmp_path / "named.tsv").write_text("topic\titem\tlabel\n" + lines(rows))
        out = run("check", tmp_path / "gold.txt", "--classes", "a,b")[1]
        said = (
            "12 of 12 items are there in each of the 4 topics: the columns are read as item, topic, label; if that is wrong, add"
        )
        assert f"{said} --format-in evall" in out
        out = run("check", tmp_path / "gold.txt", "--classes", "a,b", "--format-in", "evall")[1]
        assert "12 topics" in out
        assert "read as topic, item, label; if that is wrong, add --format-in semeval" in out
        assert "items are there" not in run("check", tmp_path / "named.tsv", "--classes", "a,b")[1]

    def test_not_of_sound_data(self, run, tmp_path):
        """Pairs of entailment in four parts, a topic with one item among larger ones, two topics, partitions."""
        pairs = [(n, ("QA", "IE", "IR", "SUM")[n % 4], ("YES", "NO")[n % 2]) for n in range(40)]
        (tmp_path / "pairs.txt").write_text(lines(pairs))
        flags = ("--task", "entailment", "--positive", "YES", "--negative", "NO")
        assert run("check", tmp_path / "pairs.txt", *flags)[1] == "gold alone, 4 topics, 2 classes: nothing is wrong.\n"
        for topics in ("aaabbbcd", "aabbbb", "ab"):  # the first has as many small topics as large ones
            labels = ["xy"[place % 2] for place in range(len(topics))]
            frame = pl.DataFrame({"item": list(range(len(topics))), "topic": list(topics), "gold": labels, "r": labels})
            assert not any("one item" in note for note in mm.evaluate(frame, classes="x,y", measures="accuracy").notes)
        parted = mm.evaluate(["x", "y", "x"], {"r": ["x", "x", "x"]}, classes="x,y", measures="accuracy", partitions=3)
        assert not any("one item" in note for note in parted.notes)

    def test_a_run_with_one_item_of_each_case_is_read_as_gold_is(self, run, cases):
        text = (cases / "run.txt").read_text().splitlines()
        (cases / "few.txt").write_text("\n".join(text[::20]) + "\n")
        status, out, err = run("evaluate", cases / "gold.txt", cases / "few.txt", *ASKED, "--missing", "drop")
        assert (status, json.loads(out)["topics"]) == (0, 5), err

    def test_wrong_files_are_refused(self, run, tmp_path):
        (tmp_path / "gold.txt").write_text("t\t1\ta\nt\t1\tb\nt\t2\n")
        status, _, err = run("check", tmp_path / "gold.txt", "--classes", "a,b", "--format-in", "evall")
        assert status == 1
        assert "gold.txt:3: 2 fields instead of 3" in err
        (tmp_path / "gold.txt").write_text("t\t1\n")
        status, _, err = run("check", tmp_path / "gold.txt", "--classes", "a,b", "--format-in", "evall")
        assert "gold.txt:1: 2 columns; EvALL's files have test case, item and value, separated by tabs" in err

    def test_quantification_counts_its_labels(self, run, cases):
        flags = ("--task", "quantification", "--classes", "1..3", "--measures", "nmd", "--format", "json")
        told = [json.loads(run("evaluate", cases / f"gold{end}", cases / f"run{end}", *flags)[1]) for end in (".txt", ".tsv")]
        assert told[0]["runs"] == told[1]["runs"]
        (cases / "gold.txt").write_text("t1\t.4\t.6\nt2\t.7\t.3\nt3\t.2\t.8\n")
        told = run("evaluate", cases / "gold.txt", cases / "gold.tsv", *flags[:2], "--classes", "1..2", "--measures", "nmd")
        assert "2 classes" not in told[2]

    def test_convert(self, run, cases):
        assert run("convert", cases / "gold.txt", cases / "made.tsv")[0] == 0
        assert (cases / "made.tsv").read_text().splitlines()[0].split("\t") == ["item", "topic", "label"]


class TestNames:
    @pytest.mark.parametrize(
        ("files", "names"),
        [
            (["tr/input.sys20"], ["input.sys20"]),
            (["tr/input.sys20", "tr/input.sys21", "other/input.sys20"], ["tr/input.sys20", "input.sys21", "other/input.sys20"]),
            (["gpt-4.1", "model.v2.tsv.gz", "x.CSV"], ["gpt-4.1", "model.v2", "x"]),
            (["a.txt", "b.json", "c.jcml", "d.run", "e.parquet", "f.feather", "g.ndjson", "h.jsonl.zst"], list("abcdefgh")),
            (["de-en/chrF-refA.seg.score", "BLEU.score"], ["chrF-refA", "BLEU"]),
            ([".hidden", ".csv", "plain"], [".hidden", ".csv", "plain"]),
        ],
    )
    def test_only_known_endings_are_left_out(self, files, names):
        assert run_names(files) == names

    def test_endings_are_lower_case_and_the_longest_comes_first(self):
        assert all(one == one.lower() and one.startswith(".") for one in endings())
        assert endings().index(".seg.score") < endings().index(".score")

    @pytest.fixture
    def trec(self, tmp_path):
        (tmp_path / "qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n")
        (tmp_path / "input.sys20").write_text("q1 Q0 d1 1 3.5 bm25\nq1 Q0 d2 2 2.5 bm25\n")
        (tmp_path / "input.sys21").write_text("q1  Q0 d1 1 3.5 dense\nq1 Q0 d2 2 4.5 dense\n")  # which is split in Python
        return tmp_path

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize(
        ("flags", "names"),
        [
            ((), ["input.sys20", "input.sys21"]),
            (("--name-by", "file"), ["input.sys20", "input.sys21"]),
            (("--name-by", "tag"), ["bm25", "dense"]),
        ],
    )
    @pytest.mark.parametrize("command", ["evaluate", "check"])
    def test_of_trec(self, run, trec, command, flags, names):
        files = [trec / f"input.sys{number}" for number in (20, 21)]
        asked = ("--task", "ranking", *flags, "--format", "json")
        told = json.loads(run(command, trec / "qrels", *files, *asked)[1])
        assert sorted(one["run"] for one in told["runs"]) == names
        for file, name in zip(files, names, strict=True):
            (one,) = json.loads(run(command, trec / "qrels", file, *asked)[1])["runs"]
            assert one["run"] == name
        read = mm.evaluate(trec / "qrels", trec / "input.*", task="ranking", measures="ndcg", name_by="tag")
        assert sorted(read.runs) == ["bm25", "dense"]
        named = mm.evaluate(trec / "qrels", {"mine": trec / "input.sys20"}, task="ranking", measures="ndcg", name_by="tag")
        assert named.runs == ("mine",)

    def test_of_several_runs_in_one_file(self, run, trec):
        both = (trec / "input.sys20").read_text() + (trec / "input.sys21").read_text()
        (trec / "both").write_text(both)
        flags = ("--task", "ranking", "--name-by", "tag", "--format", "json")
        told = json.loads(run("evaluate", trec / "qrels", trec / "both", *flags)[1])
        assert sorted(one["run"] for one in told["runs"]) == ["bm25", "dense"]
        status, _, err = run("evaluate", trec / "qrels", trec / "both", trec / "input.sys20", *flags)
        assert status == 1
        assert "both:3: run 'dense' begins in the file of 'bm25'; give each run a file of its own" in err

    def test_wrong_ones(self, run, trec):
        copy = trec / "again"
        copy.write_text((trec / "input.sys20").read_text())
        status, _, err = run("evaluate", trec / "qrels", copy, trec / "input.sys20", "--task", "ranking", "--name-by", "tag")
        assert status == 2
        assert "two files have the tag 'bm25'; leave out --name-by tag" in err
        table = trec / "table.tsv"
        table.write_text("segment\titem\tscore\nq1\td1\t1\nq1\td2\t2\n")
        status, _, err = run("evaluate", trec / "qrels", table, "--task", "ranking", "--name-by", "tag")
        assert status == 1
        assert "table.tsv: nothing in the file says what its run is called; leave out --name-by tag, or add a column 'run'" in err
        with pytest.raises(UsageError, match="name_by cannot be 'team'; choose file or tag"):
            mm.evaluate(trec / "qrels", trec / "input.sys20", task="ranking", name_by="team")

    def test_of_labels_with_a_column_that_names_them(self, run, tmp_path):
        (tmp_path / "gold.tsv").write_text("item\tlabel\n1\ta\n2\tb\n")
        (tmp_path / "sub1.tsv").write_text("run\titem\tlabel\nteam x\t1\ta\nteam x\t2\ta\n")
        (tmp_path / "sub2.jsonl").write_text(
            '{"run": "team y", "item": "1", "label": "b"}\n{"run": "team y", "item": "2", "label": "b"}\n'
        )
        files = (tmp_path / "gold.tsv", tmp_path / "sub1.tsv", tmp_path / "sub2.jsonl", "--classes", "a,b", "--format", "json")
        assert sorted(one["run"] for one in json.loads(run("evaluate", *files, "--name-by", "tag")[1])["runs"]) == [
            "team x",
            "team y",
        ]
        assert sorted(one["run"] for one in json.loads(run("evaluate", *files)[1])["runs"]) == ["sub1", "sub2"]


HUMAN = {"A": (4, 3, 5, 2, 4), "B": (3, 3, 4, 2, 3), "C": (1, 2, 4, 3, 2)}
METRIC = {"A": (9, 6, 8, 4, 7), "B": (7, 6, 9, 3, 6), "C": (3, 5, 7, 5, 2)}


def blocks(scores):
    return lines((system, score) for system, each in scores.items() for score in each)


class TestSegmentScoresInOrder:
    @pytest.fixture
    def files(self, tmp_path):
        (tmp_path / "de-en.mqm.seg.score").write_text(blocks(HUMAN))
        (tmp_path / "chrF-refA.seg.score").write_text(blocks(METRIC))
        for name, scores in (("gold", HUMAN), ("chrF-refA", METRIC)):
            rows = [(place, system, score) for system, each in scores.items() for place, score in enumerate(each, start=1)]
            (tmp_path / f"{name}.tsv").write_text("segment\titem\tscore\n" + lines(rows))
        return tmp_path

    ASKED = ("--task", "ranking", "--measures", "pairwise_accuracy,tau@b", "--format", "json")

    def test_is_what_the_table_with_ids_is(self, run, files):
        first = run("evaluate", files / "de-en.mqm.seg.score", files / "chrF-refA.seg.score", *self.ASKED)
        second = run("evaluate", files / "gold.tsv", files / "chrF-refA.tsv", *self.ASKED)
        assert first == second
        assert json.loads(first[1])["topics"] == 5

    def test_beside_six_columns(self, run, files):
        rows = [("chrF", "de-en", "t", s, n, score) for s, each in METRIC.items() for n, score in enumerate(each, start=1)]
        (files / "six.txt").write_text(lines(rows))
        asked = (*self.ASKED, "--format-in", "seg.score")
        told = [
            json.loads(run("evaluate", files / "de-en.mqm.seg.score", files / name, *asked)[1])["runs"][0]
            for name in ("six.txt", "chrF-refA.seg.score")
        ]
        assert [one["run"] for one in told] == ["chrF", "chrF-refA"]
        assert told[0]["scores"] == told[1]["scores"]

    def test_none_drops_the_cell(self, run, files):
        (files / "de-en.mqm.seg.score").write_text(blocks(HUMAN).replace("B\t3\n", "B\tNone\n", 1))
        status, out, err = run("evaluate", files / "de-en.mqm.seg.score", files / "chrF-refA.seg.score", *self.ASKED)
        assert status == 0, err
        (files / "gold.tsv").write_text((files / "gold.tsv").read_text().replace("1\tB\t3\n", "", 1))
        (files / "chrF-refA.tsv").write_text((files / "chrF-refA.tsv").read_text().replace("1\tB\t7\n", "", 1))
        other = run("evaluate", files / "gold.tsv", files / "chrF-refA.tsv", *self.ASKED)[1]
        assert json.loads(out)["runs"] == json.loads(other)["runs"]
        assert any("1 score that nobody gave (None) left out" in note for note in json.loads(out)["notes"])

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                ("C\t2\nC\t4", "C\t4"),
                "seg.score:14: system 'C' has 4 segments, but 'A' has 5; give every system the same segments",
            ),
            (("C\t2\nC\t4", "C\tgood\nC\t4"), "seg.score:12: 'good' is not a finite number; a score is a number, or None"),
            (("C\t2\nC\t4", "C\tinf\nC\t4"), "seg.score:12: 'inf' is not a finite number"),
            (("C\t2\nC\t4", "C\t2\t1\nC\t4"), "seg.score:12: 3 fields instead of 2"),
            (("C\t2\nC\t4", "C\nC\t4"), "seg.score:12: 1 field instead of 2"),
            (("C\t2\nC\t4", "\t2\nC\t4"), "seg.score:12: the line has no system"),
            (("A\t4\nA\t3", "A\tx\nA\t3"), "seg.score:1: 'x' is not a finite number"),
        ],
    )
    @pytest.mark.parametrize("side", ["gold", "run"])
    def test_damage_is_named(self, run, files, side, change, message):
        file = files / ("de-en.mqm.seg.score" if side == "gold" else "chrF-refA.seg.score")
        file.write_text(blocks(HUMAN).replace(*change, 1))
        status, _, err = run("evaluate", files / "de-en.mqm.seg.score", files / "chrF-refA.seg.score", *self.ASKED)
        assert status == 1
        assert message in err

    def test_scores_of_metrics_need_the_task(self, run, files):
        status, _, err = run("evaluate", files / "de-en.mqm.seg.score", files / "chrF-refA.seg.score", "--classes", "1..5")
        assert status == 1
        assert "this is a file of scores of systems as mt-metrics-eval keeps them; add --task ranking" in err

    def test_nothing_but_none(self, files):
        (files / "de-en.mqm.seg.score").write_text("A\tNone\nB\tNone\n")
        with pytest.raises(DataError):
            mm.evaluate(files / "de-en.mqm.seg.score", files / "chrF-refA.seg.score", task="ranking")
