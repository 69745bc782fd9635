"""Bad days: damaged files, absurd values, full disks, closed streams. An error is clean and the file's, and outputs are whole."""

import io
import os
import random
import resource
import subprocess
import sys

import pytest

from conftest import ROOT, seeds

CLASSES = ("--classes", "a,b", "--measures", "accuracy")
ROWS = [(str(place), "ab"[place % 2]) for place in range(60)]
RUN = "item\tlabel\n" + "".join(f"{item}\ta\n" for item, _ in ROWS)


def parquet(compression):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    target = io.BytesIO()
    table = pa.table({"item": [item for item, _ in ROWS], "label": [label for _, label in ROWS]})
    pq.write_table(table, target, compression=compression)
    return target.getvalue()


def arrow():
    pa = pytest.importorskip("pyarrow")
    target = io.BytesIO()
    table = pa.table({"item": [item for item, _ in ROWS], "label": [label for _, label in ROWS]})
    with pa.ipc.new_file(target, table.schema) as writer:
        writer.write(table)
    return target.getvalue()


def zst(tmp_path):
    import duckdb

    path = tmp_path / "whole.tsv.zst"
    duckdb.sql("SELECT i::VARCHAR AS item, 'a' AS label FROM range(60) t(i)").write_csv(
        str(path), sep="\t", header=True, compression="zstd"
    )
    return path.read_bytes()


def command(*arguments, cwd, before="", environment=None):
    """The command in a process of its own, which does something ``before``: close a stream, or take a limit upon itself."""
    run = "os.execv(sys.executable, [sys.executable, '-m', 'metameasure', *sys.argv[1:]])"
    start = f"import os, resource, sys; {before or 'pass'}; {run}"
    told = os.environ | {"PYTHONPATH": str(ROOT / "src"), **(environment or {})}
    call = [sys.executable, "-c", start, *arguments]
    return subprocess.run(call, cwd=cwd, env=told, capture_output=True, encoding="utf-8", errors="replace", check=False)


class TestDamagedFiles:
    @pytest.mark.parametrize("seed", seeds(4, each_time=1))
    @pytest.mark.parametrize("kind", ["snappy.parquet", "none.parquet", "file.arrow", "file.tsv.zst", "file.tsv.gz"])
    def test_are_said_as_such(self, tmp_path, kind, seed):
        """Each in a process, for a crash would take the test along."""
        import gzip

        raw = {
            "snappy.parquet": lambda: parquet("snappy"),
            "none.parquet": lambda: parquet("none"),
            "file.arrow": arrow,
            "file.tsv.zst": lambda: zst(tmp_path),
            "file.tsv.gz": lambda: gzip.compress(RUN.encode()),
        }[kind]()
        (tmp_path / "run.tsv").write_text(RUN)
        rng, files = random.Random(seed), []  # noqa: S311 - no secret
        for number in range(12):
            damaged = bytearray(raw)
            for _ in range(rng.choice((1, 2, 5, 20))):
                damaged[rng.randrange(4, len(damaged))] = rng.randrange(256)
            if rng.random() < 0.2:
                del damaged[rng.randrange(4, len(damaged)) :]
            files.append(tmp_path / f"{number}.{kind}")
            files[-1].write_bytes(damaged)
        program = "import sys; from metameasure.cli import main\nfor gold in sys.argv[2:]:\n"
        program += f"    print(main(['evaluate', gold, sys.argv[1], *{CLASSES!r}]), flush=True)"
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "run.tsv"), *map(str, files)],
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (done.returncode, done.stderr[-300:])
        assert "internal error" not in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout.splitlines().count("1") >= 3, "most are broken"


DIGITS = "9" * 5000
DEEP = "[" * 100_000 + "]" * 100_000
ABSURD = {
    "deep JSONL": ("gold.jsonl", f'{{"item":1,"label":{DEEP}}}\n', CLASSES, "gold.jsonl:1: this is not a JSON object"),
    "deep JSONL, second line": ("gold.jsonl", f'{{"item":1,"label":"a"}}\n{{"item":2,"label":{DEEP}}}\n', CLASSES, "gold.jsonl"),
    "deep JSON": ("gold.json", DEEP, ("--task", "quantification", "--classes", "a,b"), "gold.json: "),
    "digits as JSON": ("gold.jsonl", f'{{"item":1,"label":{DIGITS}}}\n', CLASSES, "gold.jsonl:1: "),
    "digits as a weight": ("gold.tsv", f"item\tlabel\tweight\n1\ta\t{DIGITS}\n", CLASSES, "gold.tsv:2: weight '999999"),
    "digits as a label": ("gold.tsv", f"item\tlabel\n1\t{DIGITS}\n", CLASSES, "gold.tsv:2: label '99999"),
    "digits as a rank": ("gold.csv", f"segment,item,rank\n1,a,{DIGITS}\n", ("--task", "ranking"), "gold.csv:2: rank '9999"),
    "a header and weights": ("gold.tsv", "item\tlabel\tweight\n", CLASSES, "gold.tsv: there are no items"),
    "a header, weights, side by side": ("gold.tsv", "item\tgold\tweight\tr\n", CLASSES, "gold.tsv: there are no items"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ABSURD)
def test_absurd_values_are_problems_of_their_file(run, tmp_path, kind):
    name, text, flags, expected = ABSURD[kind]
    (tmp_path / name).write_text(text)
    (tmp_path / "run.tsv").write_text("item\tlabel\n1\ta\n" if "ranking" not in flags else "segment\titem\trank\n1\ta\t1\n")
    runs = () if "side by side" in kind else (tmp_path / "run.tsv",)
    status, out, err = run("evaluate", tmp_path / name, *runs, *flags)
    assert (status, out) == (1, "")
    assert expected in err
    assert "internal error" not in err
    assert max(map(len, err.splitlines())) < 500, "a cell is shown by its ends"


def test_absurd_classes(run, tmp_path):
    (tmp_path / "both.tsv").write_text("item\tgold\tr\n1\ta\tb\n")
    for classes in (f"1..{DIGITS}", "1..1000000000"):
        status, _, err = run("evaluate", tmp_path / "both.tsv", "--classes", classes)
        assert (status, "more than 10,000 classes" in err) == (2, True)


@pytest.fixture
def both(tmp_path):
    file = tmp_path / "both.tsv"
    file.write_text("item\tgold\tfirst\n" + "".join(f"{item}\t{label}\ta\n" for item, label in ROWS))
    return file


class TestOutputs:
    @pytest.mark.parametrize(
        ("flags", "said"),
        [
            (("--scores", "s.csv", "--chart", "x.xyz"), "does not say which format to draw"),
            (("--scores", "s.csv", "--chart", "no/x.svg"), "check the folder"),
            (("--scores", "s.doc", "--chart", "x.svg"), "does not say which format to write"),
            (("--scores", "s.csv", "--chart", "both.svg"), "--chart would overwrite"),
            (("--scores", "fifo.csv"), "is a pipe or a device"),
        ],
    )
    def test_are_checked_before_the_first_is_written(self, run, both, tmp_path, monkeypatch, flags, said):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "both.svg").symlink_to(both)
        os.mkfifo(tmp_path / "fifo.csv")
        before = {path.name for path in tmp_path.iterdir()}
        status, out, err = run("evaluate", both, *CLASSES, *flags)
        assert (status, out, said in err) == (2, "", True), err
        assert {path.name for path in tmp_path.iterdir()} == before
        assert both.read_text().startswith("item\tgold")

    def test_appear_together_or_not_at_all(self, both, tmp_path):
        """The chart cannot be drawn, for matplotlib is broken: the scores are not written either."""
        (tmp_path / "broken").mkdir()
        (tmp_path / "broken/matplotlib.py").write_text("raise ImportError('no matplotlib here')\n")
        path = os.pathsep.join([str(tmp_path / "broken"), str(ROOT / "src")])
        command = [sys.executable, "-m", "metameasure", "evaluate", str(both), *CLASSES]
        files = ["--scores", str(tmp_path / "s.csv"), "--chart", str(tmp_path / "c.svg")]
        done = subprocess.run(
            [*command, *files], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 2, done.stderr
        assert "internal error" not in done.stderr
        assert "matplotlib" in done.stderr
        assert not {*tmp_path.glob("s.csv"), *tmp_path.glob("c.svg"), *tmp_path.glob(".*")}
        done = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), "without a chart nothing is missing"

    def test_no_output_is_an_input(self, run, both, tmp_path):
        before = both.read_bytes()
        link = tmp_path / "link.csv"
        link.symlink_to(both)
        for flags in (("--scores", both), ("--scores", link)):
            status, _, err = run("evaluate", both, *CLASSES, *flags)
            assert (status, "would overwrite" in err) == (2, True)
        distances = tmp_path / "distances.csv"
        distances.write_text("0,1\n1,0\n")
        call = (
            "evaluate",
            both,
            "--classes",
            "a,b",
            "--measures",
            "kappa_weighted",
            "--distance",
            distances,
            "--scores",
            distances,
        )
        assert run(*call)[0] == 2
        assert both.read_bytes() == before
        assert distances.read_text() == "0,1\n1,0\n"

    def test_links_are_followed(self, run, both, tmp_path):
        (tmp_path / "far").mkdir()
        link = tmp_path / "scores.csv"
        link.symlink_to(tmp_path / "far/real.csv")
        assert run("evaluate", both, *CLASSES, "--scores", link)[0] == 0
        assert link.is_symlink()
        assert (tmp_path / "far/real.csv").read_text().startswith("measure,topic,run,score")
        assert run("convert", both, link)[0] == 0
        assert link.is_symlink()

    def test_a_full_disk(self, both, tmp_path):
        """As good as full: no file may grow beyond a few bytes. What else is written, tests/cli/test_doors.py tries."""
        call = ("evaluate", "both.tsv", *CLASSES, "--scores", "out.parquet")
        before = {path.name for path in tmp_path.iterdir()}
        environment = {"MPLCONFIGDIR": str(tmp_path / "mpl"), "PYTHONDONTWRITEBYTECODE": "1"}
        limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))"
        done = command(*call, cwd=tmp_path, before=limit, environment=environment)
        assert done.returncode in (1, 2), done.stdout + done.stderr
        assert "internal error" not in done.stderr, done.stderr
        assert "cannot" in done.stderr
        assert {path.name for path in tmp_path.iterdir()} - {"mpl"} == before


class TestSurroundings:
    def test_a_closed_standard_output_loses_what_is_printed(self, both, tmp_path):
        done = command("evaluate", both, *CLASSES, "--scores", "s.csv", cwd=tmp_path, before="os.close(1)")
        assert (done.returncode, done.stderr) == (0, "metameasure: wrote s.csv\n")
        assert (tmp_path / "s.csv").exists()

    def test_a_closed_standard_input_is_said(self, both, tmp_path):
        done = command("evaluate", "-", *CLASSES, cwd=tmp_path, before="os.close(0)")
        assert (done.returncode, done.stderr) == (2, "metameasure: standard input is closed; name a file instead of -\n")

    def test_a_closed_standard_error(self, both, tmp_path):
        done = command("evaluate", both, *CLASSES, "--scores", "s.csv", cwd=tmp_path, before="os.close(2)")
        assert (done.returncode, done.stdout.startswith("rank")) == (0, True)

    def test_names_that_are_not_utf8(self, tmp_path):
        (tmp_path / "gold.tsv").write_text("item\tlabel\n1\ta\n2\tb\n")
        name = os.fsdecode(b"caf\xe9.tsv")
        (tmp_path / name).write_text("item\tlabel\n1\ta\n2\ta\n")
        call = (
            "evaluate",
            "gold.tsv",
            name,
            *CLASSES,
            "--ci",
            "--trials",
            "5",
            "--format",
            "csv",
            "--scores",
            os.fsdecode(b"s\xe9.csv"),
        )
        done = command(*call, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[1].startswith("1,caf\ufffd,0.5,")
        assert (tmp_path / os.fsdecode(b"s\xe9.csv")).read_text().splitlines()[1] == "accuracy,all,caf\ufffd,0.5"
        assert command("evaluate", "gold.tsv", "caf*.tsv", *CLASSES, cwd=tmp_path).returncode == 0

    @pytest.mark.slow
    def test_a_home_that_is_read_only(self, both, tmp_path):
        """Nothing is said of fonts or compiled code that cannot be kept."""
        nowhere = {"HOME": "/proc", "MPLCONFIGDIR": "/proc/x", "NUMBA_CACHE_DIR": "/proc/y", "XDG_CACHE_HOME": "/proc/z"}
        for call in (("evaluate", both, *CLASSES, "--chart", "c.svg"), ("demo",)):
            done = command("--quiet", *call, cwd=tmp_path, environment=nowhere)
            assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize("kind", ["one line", "many lines"])
    def test_a_bomb_is_refused_in_bounded_memory(self, tmp_path, kind):
        """300 MB of nothing in 300 kB."""
        import gzip

        block = b"\0" * 1_000_000 if kind == "one line" else b"1\ta\n" * 250_000
        parts = [gzip.compress(b"item\tlabel\n"), *[gzip.compress(block)] * 300]
        (tmp_path / "bomb.tsv.gz").write_bytes(b"".join(parts))
        (tmp_path / "run.tsv").write_text(RUN)
        limit = "resource.setrlimit(resource.RLIMIT_DATA, (1 << 31, 1 << 31))"
        done = command("evaluate", "bomb.tsv.gz", "run.tsv", *CLASSES, cwd=tmp_path, before=limit)
        assert done.returncode == 1, done.stderr
        assert "it holds more than 200 times as much as it is long" in done.stderr

    def test_a_bomb_of_zstandard(self, run, tmp_path, monkeypatch):
        """4 MB in 4 kB: much, where 1 MB is."""
        import duckdb

        from metameasure.reading import on_disk

        monkeypatch.setattr(on_disk, "_MUCH", 1_000_000)
        duckdb.sql("SELECT '1' AS item, 'a' AS label FROM range(1_000_000)").write_csv(
            str(tmp_path / "bomb.tsv.zst"), sep="\t", header=True, compression="zstd"
        )
        (tmp_path / "run.tsv").write_text(RUN)
        status, _, err = run("evaluate", tmp_path / "bomb.tsv.zst", tmp_path / "run.tsv", *CLASSES)
        assert (status, "it holds more than 200 times as much as it is long" in err) == (1, True), err
        small = tmp_path / "small.tsv.zst"
        duckdb.sql("SELECT i::VARCHAR AS item, 'a' AS label FROM range(60) t(i)").write_csv(
            str(small), sep="\t", header=True, compression="zstd"
        )
        assert run("evaluate", small, tmp_path / "run.tsv", *CLASSES)[0] == 0

    def test_what_is_no_file_or_too_long_for_one(self, run, tmp_path):
        (tmp_path / "run.tsv").write_text(RUN)
        status, _, err = run("evaluate", "/dev/zero", tmp_path / "run.tsv", *CLASSES)
        assert (status, "is a device, not a file" in err) == (2, True)
        (tmp_path / "long.tsv").write_text("item\tlabel\n1\t" + "a" * 3_000_000 + "\n")
        status, _, err = run("evaluate", tmp_path / "long.tsv", tmp_path / "run.tsv", *CLASSES)
        assert (status, "longer than 2 MB" in err) == (1, True)
        (tmp_path / "wide.tsv").write_text("item\tgold\t" + "\t".join(f"run{place}" for place in range(400_000)) + "\n1\ta\n")
        status, _, err = run("evaluate", tmp_path / "wide.tsv", *CLASSES)
        assert (status, "longer than 2 MB" in err) == (1, True)

    @pytest.mark.slow
    def test_the_classical_test_of_many_runs(self, run, tmp_path):
        """In bounded time and memory: 100 runs took gigabytes."""
        rng = random.Random(0)  # noqa: S311
        lines = ["topic," + ",".join(f"r{run}" for run in range(40))]
        lines += [f"t{topic}," + ",".join(f"{rng.random():.3f}" for _ in range(40)) for topic in range(10)]
        (tmp_path / "scores.csv").write_text("\n".join(lines) + "\n")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert run("compare", tmp_path / "scores.csv", "--better", "higher", "--test", "classical", "--format", "csv")[0] == 0
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


WMT = b"srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n1,j,a,b,1,2\n"
VOTE = b'{"annotations":{"p":"a","q":"b"}}'
LABELS, RANKS, SCORES = (("convert", "--task", task) for task in ("classification", "ranking", "scores"))
# Found by fuzzing: the file, its bytes, how it is read, and what is said.
FOUND = {
    "no column of labels": ("gold.csv", b"item,lbel\n1,a\n", LABELS, "there is no column 'label'"),
    "no column that is known": ("gold.csv", b"x,y\n1,a\n", LABELS, "there is no column 'label'"),
    "qrels with an empty grade": ("qrels.txt", b"1 0 a 1\n1 0 b \n", RANKS, "qrels.txt:2: 3 fields instead of 4"),
    "WMT, not UTF-8": ("gold.csv", WMT.replace(b",a,", b",\xff,"), RANKS, "gold.csv:2: bytes that are not UTF-8"),
    "WMT, a quote in its header": ("gold.csv", WMT.replace(b"judgeId", b'"judge"Id'), RANKS, "gold.csv:1: this is not CSV"),
    "a matrix of names alone": ("scores.txt", b"a b c\n", SCORES, "scores.txt: there are no scores"),
    "a matrix with too few names": ("scores.txt", b"a b\n1 2 3 4\n", SCORES, "scores.txt:1: 2 names for 4 columns"),
    "a matrix with a name twice": ("scores.txt", b"a a\n1 2\n", SCORES, "scores.txt:1: two columns are called 'a'"),
    "a matrix, not UTF-8": ("scores.txt", b"a \xff\n1 2\n", SCORES, "scores.txt:1: bytes that are not UTF-8"),
    "an item twice": ("r.json", b'{"i":%b,"i":%b}' % (VOTE, VOTE), ("agree", "--classes", "a,b"), "'i' is there twice"),
}  # fmt: skip


@pytest.mark.parametrize("kind", FOUND)
def test_what_fuzzing_found_is_refused(run, tmp_path, kind):
    name, content, (verb, *flags), said = FOUND[kind]
    (tmp_path / name).write_bytes(content)
    target = [tmp_path / "out.csv"] if verb == "convert" else []
    status, _, err = run(verb, tmp_path / name, *target, *flags)
    assert (status, said in err) == (1, True), err
    assert not (tmp_path / "out.csv").exists()


def test_qrels_are_split_alike_whatever_separates_them(run, tmp_path):
    """At ASCII's white space, as trec_eval does, in files that are regular and in others: a no-break space belongs to a name."""
    for place, separator in enumerate((" ", "  ")):
        rows = [("1", "0", "a\u00a0b", "1"), ("1", "0", "c\x1cd", "0")]
        (tmp_path / "qrels.txt").write_text("".join(separator.join(row) + "\n" for row in rows), encoding="utf-8")
        assert run("convert", tmp_path / "qrels.txt", tmp_path / f"{place}.csv", "--task", "ranking")[0] == 0
    assert (tmp_path / "0.csv").read_bytes() == (tmp_path / "1.csv").read_bytes()
    assert "a\u00a0b" in (tmp_path / "0.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("change", ["facts of another kind", "a fact is missing", "a fact of another kind", "an array is none"])
def test_evidence_that_does_not_fit_together(run, both, tmp_path, change):
    import json
    import zipfile

    import numpy as np

    assert run("count", both, "--classes", "a,b", "-o", tmp_path / "part.npz")[0] == 0
    stored = dict(np.load(tmp_path / "part.npz"))
    facts = json.loads(stored["facts"].tobytes())
    match change:
        case "facts of another kind":
            facts = [1]
        case "a fact is missing":
            del facts["gold_parts"]
        case "a fact of another kind":
            facts["topics"] = None
    stored["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    np.savez(tmp_path / "part.npz", **stored)
    if change == "an array is none":
        with zipfile.ZipFile(tmp_path / "part.npz") as old, zipfile.ZipFile(tmp_path / "other.npz", "w") as new:
            for name in old.namelist():
                new.writestr(name, old.read(name).replace(b"'shape': (", b"'shape': (("))
        (tmp_path / "other.npz").replace(tmp_path / "part.npz")
    status, _, err = run("evaluate", tmp_path / "part.npz", "--measures", "accuracy")
    assert (status, "internal error" in err) == (1, False), err
    assert "part.npz: " in err


def test_a_number_is_the_same_to_python_and_to_the_engine(run, tmp_path):
    """A vertical tab is white space to Python's regular expressions and not to the engine's: here it is none."""
    from metameasure.core.values import number_of

    (tmp_path / "gold.csv").write_text("item,label,weight\n1,a,1\v\n2,b,2 \n")
    (tmp_path / "run.csv").write_text("item,label\n1,a\n2,b\n")
    status, _, err = run("evaluate", tmp_path / "gold.csv", tmp_path / "run.csv", *CLASSES)
    assert (status, "gold.csv:2: weight '1\\x0b' is not a number" in err) == (1, True), err
    assert (number_of("1\v"), number_of("2 ")) == (None, 2.0)


def test_an_engine_that_a_damaged_file_put_out_of_action_is_replaced(run, tmp_path):
    """Of some damaged Parquet files DuckDB says a fatal error, and nothing else from then on: here it is closed."""
    from metameasure.reading import duckdb_connection

    (tmp_path / "gold.parquet").write_bytes(parquet("none"))
    (tmp_path / "run.tsv").write_text(RUN)
    run("evaluate", tmp_path / "gold.parquet", tmp_path / "run.tsv", *CLASSES)
    for database in duckdb_connection._DATABASES.values():
        database.close()
    status, _, err = run("evaluate", tmp_path / "gold.parquet", tmp_path / "run.tsv", *CLASSES)
    assert (status, err) == (0, ""), err
