"""Long work that is interrupted goes on where it was, and comes to the same, to the bit."""

import io
import json
import os
import signal
import subprocess
import sys
import zipfile
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.statistics.checkpoint import Checkpoint, resuming
from metameasure.statistics.kernels import resampled_sums
from metameasure.statistics.pieces import NoFingerprintError, fingerprint, keeping, kept, kept_json, where_kept
from metameasure.statistics.work import in_chunks

# The command in a process that kills itself once so many pieces are in the file.
KILLED = """
import os, signal, sys
from metameasure.statistics import checkpoint
write, most = checkpoint.Checkpoint.write, int(sys.argv.pop(1))

def dies(self):
    write(self)
    if self.written >= most:
        os.kill(os.getpid(), signal.SIGKILL)

checkpoint.Checkpoint.write = dies
from metameasure.cli import main
sys.exit(main())
"""


def command(program, *arguments, cwd):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    call = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(call, cwd=cwd, env=environment, capture_output=True, check=False)


@pytest.fixture
def scores(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["measure,topic,run,score"]
    for measure in ("accuracy", "cem_ord", "kappa"):
        lines += [f"{measure},t{t},r{r},{rng.random() + r / 20}" for t in range(12) for r in range(5)]
    (tmp_path / "scores.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "scores.csv"


LONG = {
    "meta all": ("meta", "all", "scores.csv", "--trials", "100", "--splits", "50", "--leave-out", "r1"),
    "meta discrimination, stepwise": ("meta", "discrimination", "scores.csv", "--trials", "200", "--test", "stepwise"),
    "axioms": ("axioms", "kappa", "rnod", "tau@b", "--properties", "symmetric,bounded,monotonic", "--trials", "500"),
    "study": ("study", "bergmair2009"),
}


@pytest.fixture
def counted(monkeypatch):
    """The pieces that are computed, as they are kept."""
    put, pieces = Checkpoint.put, []
    monkeypatch.setattr(Checkpoint, "put", lambda self, key, piece: (pieces.append(key), put(self, key, piece)))
    return pieces


class TestKilled:
    @pytest.mark.thorough
    @pytest.mark.parametrize("work", ["meta all", *(pytest.param(work, marks=pytest.mark.slow) for work in [*LONG][1:])])
    def test_between_two_pieces_goes_on_from_there(self, run, scores, tmp_path, monkeypatch, counted, work):
        """kill -9 after the second piece: what is printed is the same as without an interruption; what is done is the rest."""
        monkeypatch.chdir(tmp_path)
        call = (*LONG[work], "--format", "json")
        whole = run(*call, "--resume", "whole.zip")
        assert whole[0] == 0, whole
        pieces, after = len(counted), 1 if work == "study" else 2
        counted.clear()
        killed = command(KILLED, after, *call, "--resume", "work.zip", cwd=tmp_path)
        assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, b"")
        assert run(*call, "--resume", "work.zip") == whole
        assert len(counted) <= pieces - after, "the first ones are not done again"
        counted.clear()
        assert run(*call, "--resume", "work.zip") == whole
        assert not counted, "nothing is left to do"
        assert not list(tmp_path.glob(".*")), "no scratch file"

    @pytest.mark.parametrize("work", [pytest.param("meta all", marks=pytest.mark.slow), "axioms"])
    def test_what_is_printed_does_not_depend_on_a_checkpoint(self, run, scores, tmp_path, monkeypatch, work):
        monkeypatch.chdir(tmp_path)
        for format in ("table", "json", "csv", "html"):
            plain = run(*LONG[work], "--format", format)
            assert plain[0] == 0
            assert run(*LONG[work], "--format", format, "--resume", "kept.zip") == plain
            assert run(*LONG[work], "--format", format, "--resume", "kept.zip") == plain

    def test_whatever_the_number_of_threads(self, run, scores, tmp_path, counted):
        call = ("meta", "discrimination", scores, "--trials", "300", "--format", "json", "--resume", tmp_path / "work.zip")
        one = run(*call, "--threads", "1")
        counted.clear()
        assert run(*call, "--threads", "3") == one
        assert not counted

    @pytest.mark.slow
    def test_studies_as_a_whole(self, run, tmp_path):
        call = ("study", "sakai2021", "amigo2020", "--format", "json")
        whole = run(*call)
        killed = command(KILLED, 20, *call, "--resume", "work.zip", cwd=tmp_path)
        assert killed.returncode == -signal.SIGKILL
        assert run(*call, "--resume", tmp_path / "work.zip") == whole


def npy(array):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()


def pieces_like(content):
    """Pieces that somebody might put in place of one: of another shape and type; JSON with other entries."""
    array = np.lib.format.read_array(io.BytesIO(content))
    yield from (npy(wrong) for wrong in (array[..., None], array[:-1], np.zeros(3, "U3"), np.full(array.shape, np.inf)))
    if array.dtype == np.uint8:
        value = json.loads(array.tobytes())
        entries = value if isinstance(value, dict) else value[0]
        others = [{**entries, name: {"x": [1]}} for name in entries] + [{**entries, "more": 1}, {}, 3]
        for other in others:
            yield npy(np.frombuffer(json.dumps(other if isinstance(value, dict) else [other]).encode(), np.uint8))


def write_archive(path, contents):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


class TestRefused:
    @pytest.fixture
    def kept_file(self, run, scores, tmp_path):
        file = tmp_path / "work.zip"
        assert run("meta", "discrimination", scores, "--trials", "50", "--resume", file)[0] == 0
        return file

    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (("discrimination", "--trials", "60"), "is a checkpoint of the same work with trials 50, not 60; "),
            (("discrimination", "--trials", "50", "--seed", "1"), "with seed 0, not 1; "),
            (("discrimination", "--trials", "50", "--alpha", ".01"), "with alpha 0.05, not 0.01; "),
            (("discrimination", "--trials", "50", "--runs", "r1,r2,r3"), "is a checkpoint of other data; "),
            (("consistency", "--trials", "50"), "is a checkpoint of meta discrimination, and this is meta consistency; "),
        ],
    )
    def test_other_work(self, run, scores, kept_file, call, said):
        before = kept_file.read_bytes()
        status, out, err = run("meta", call[0], scores, *call[1:], "--resume", kept_file)
        assert (status, out, said in err) == (2, "", True), err
        assert err.endswith("name another file with --resume, or remove this one to start again\n")
        assert kept_file.read_bytes() == before

    def test_other_data(self, run, scores, kept_file):
        scores.write_text(scores.read_text().replace("t3", "t33"))
        status, _, err = run("meta", "discrimination", scores, "--trials", "50", "--resume", kept_file)
        assert (status, "is a checkpoint of other data" in err) == (2, True)

    def test_another_version(self, run, scores, kept_file, monkeypatch):
        from metameasure.statistics import checkpoint

        monkeypatch.setattr(checkpoint, "__version__", "99")
        status, _, err = run("meta", "discrimination", scores, "--trials", "50", "--resume", kept_file)
        said = f"is a checkpoint of metameasure {mm.__version__}, and this is metameasure 99"
        assert (status, said in err) == (2, True), err

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("damage", ["cut short", "a byte", "empty", "no archive", "another archive"])
    def test_damaged(self, run, scores, kept_file, damage):
        held = kept_file.read_bytes()
        other = bytearray(held)
        other[len(held) // 2] ^= 1
        contents = {"cut short": held[: len(held) // 2], "a byte": bytes(other), "empty": b"", "no archive": b"item,label\n1,a\n"}
        if damage == "another archive":
            with zipfile.ZipFile(kept_file, "w") as archive:
                archive.writestr("x", "y")
        else:
            kept_file.write_bytes(contents[damage])
        before = kept_file.read_bytes()
        status, _, err = run("meta", "discrimination", scores, "--trials", "50", "--resume", kept_file)
        assert (status, "work.zip: this is not a readable checkpoint" in err) == (1, True), err
        assert kept_file.read_bytes() == before, "it is not ours to overwrite"

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("work", LONG)
    def test_written_by_hand(self, run, scores, tmp_path, monkeypatch, work):
        """Pieces under their right names, in a sound archive of the same work: what they hold is looked at."""
        monkeypatch.chdir(tmp_path)
        call = (*LONG[work], "--format", "json", "--resume", "work.zip")
        assert run(*call)[0] == 0
        with zipfile.ZipFile("work.zip") as archive:
            held = {name: archive.read(name) for name in archive.namelist()}
        for name, content in list(held.items())[
            -1 if work == "study" else -4 :
        ]:  # of a study that is done only the whole is read
            wrong = pieces_like(content) if name != "about.json" else ()
            for piece in wrong:
                write_archive("work.zip", {**held, name: piece})
                before = (tmp_path / "work.zip").read_bytes()
                status, out, err = run(*call)
                assert (status, out) == (1, ""), (name, piece[:200], err)
                assert "work.zip: this is not a readable checkpoint (a piece of it" in err
                assert (tmp_path / "work.zip").read_bytes() == before

    @pytest.mark.parametrize("settings", [None, [], "x", 3, [["trials", 50]]])
    def test_settings_that_are_none(self, run, scores, kept_file, settings):
        with zipfile.ZipFile(kept_file) as archive:
            held = {name: archive.read(name) for name in archive.namelist()}
        about = json.loads(held["about.json"]) | {"settings": settings}
        write_archive(kept_file, {**held, "about.json": json.dumps(about).encode()})
        status, _, err = run("meta", "discrimination", scores, "--trials", "50", "--resume", kept_file)
        assert (status, "it does not say its settings" in err) == (1, True), err

    def test_a_bomb(self, run, scores, kept_file):
        with zipfile.ZipFile(kept_file, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x.npy", bytes(2**20))
        status, _, err = run("meta", "discrimination", scores, "--trials", "50", "--resume", kept_file)
        assert (status, "not a readable checkpoint (it is compressed)" in err) == (1, True), err

    def test_an_output_is_no_checkpoint(self, run, scores, kept_file, tmp_path):
        (tmp_path / "c.svg").write_bytes(kept_file.read_bytes())
        call = ("meta", "discrimination", scores, "--trials", "50", "--resume", tmp_path / "c.svg", "--chart", tmp_path / "c.svg")
        status, _, err = run(*call)
        assert (status, "--chart would overwrite" in err) == (2, True)

    def test_a_folder_that_is_not_there(self, run, scores, tmp_path):
        status, _, err = run("meta", "discrimination", scores, "--resume", tmp_path / "no/work.zip")
        assert (status, "check the folder" in err) == (2, True)

    def test_a_plugin_that_was_changed(self, run, tmp_path):
        plugin = tmp_path / "mine.py"
        plugin.write_text(
            "from metameasure.plugin import measure, ratio, namespace, hits, total\n"
            "@measure(id='mine', title='Mine', better='higher', formula='x', source='Me.')\n"
            "def mine(counts):\n    return ratio(namespace(counts).sum(hits(counts), axis=-1), total(counts))\n"
        )
        call = ("axioms", "--plugin", plugin, "--properties", "symmetric", "--trials", "10", "--resume", tmp_path / "w.zip")
        assert run(*call)[0] == 0
        plugin.write_text(plugin.read_text() + "# changed\n")
        status, _, err = run(*call)
        assert (status, "is a checkpoint of other data" in err) == (2, True)


class TestInPython:
    def test_every_long_answer_takes_resume(self, scores, tmp_path):
        found = mm.meta.discrimination(scores, trials=50, resume=tmp_path / "w.zip")
        assert (tmp_path / "w.zip").is_file()
        assert mm.meta.discrimination(scores, trials=50, resume=tmp_path / "w.zip").to_dict() == found.to_dict()
        plain = mm.axioms("kappa", properties="symmetric", trials=10)
        assert mm.axioms("kappa", properties="symmetric", trials=10, resume=tmp_path / "a.zip").to_dict() == plain.to_dict()
        assert mm.study("bergmair2009", resume=tmp_path / "s.zip").to_dict() == mm.study("bergmair2009").to_dict()

    def test_defaults_are_the_same_as_said(self, scores, tmp_path):
        first = mm.meta.consistency(scores, trials=20, splits=10, resume=tmp_path / "w.zip")
        again = mm.meta.consistency(scores, trials=20, splits=10, alpha=0.05, seed=0, resume=tmp_path / "w.zip")
        assert again.to_dict() == first.to_dict()

    def test_a_question_without_long_work_writes_nothing(self, scores, tmp_path):
        mm.meta.robustness(scores, resume=tmp_path / "w.zip")
        assert not (tmp_path / "w.zip").exists()

    def test_pieces_are_kept_where_work_fails(self, tmp_path):
        def failing():
            kept(lambda: np.arange(3), "first")
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError), resuming(tmp_path / "w.zip", "x", data="", settings={}):
            failing()
        with resuming(tmp_path / "w.zip", "x", data="", settings={}):
            assert kept(lambda: np.arange(4), "first").tolist() == [0, 1, 2]
        assert where_kept() is None

    def test_json_is_kept_as_it_is(self, tmp_path):
        value = {"a": [1.1, float("inf"), None, "é"], "b": {"c": 5e-324}}
        with resuming(tmp_path / "w.zip", "x", data="", settings={}):
            assert kept_json(lambda: value, 1) == value
        with resuming(tmp_path / "w.zip", "x", data="", settings={}):
            assert kept_json(lambda: pytest.fail("it is there"), 1) == value

    def test_a_checkpoint_holds_no_code(self, scores, tmp_path):
        mm.meta.discrimination(scores, trials=50, resume=tmp_path / "w.zip")
        with zipfile.ZipFile(tmp_path / "w.zip") as archive:
            about = json.loads(archive.read("about.json"))
            assert about["work"] == "meta discrimination"
            for name in archive.namelist():
                if name.endswith(".npy"):
                    with archive.open(name) as stream:
                        np.lib.format.read_array(stream, allow_pickle=False)


class TestFingerprints:
    def test_other_values_have_others(self):
        values = [
            0, 1, 1.0, "1", None, True, (), (1,), ((1,),), (1, 1), "", ("1",), {"a": 1}, {"a": 2}, np.arange(3), np.arange(3.0),
            np.arange(3)[None], np.array(["a"], dtype=object), np.int64(1), {1, 2}, fingerprint, kept,
            mm.Scale.of("a,b"), mm.Scale.of("a,c"),
        ]  # fmt: skip
        assert len({fingerprint(value) for value in values}) == len(values)
        assert fingerprint(1, 2) != fingerprint(12)
        assert fingerprint("ab", "c") != fingerprint("a", "bc")

    def test_the_same_in_another_process(self, tmp_path):
        program = "from metameasure.statistics.pieces import fingerprint\nimport numpy as np\n"
        program += "print(fingerprint({'a', 'b', 'c'}, np.arange(4), {'x': 1.5}, fingerprint))"
        done = command(program, cwd=tmp_path)
        assert done.stdout.decode().strip() == fingerprint({"a", "b", "c"}, np.arange(4), {"x": 1.5}, fingerprint)

    def test_what_is_no_value_has_none(self):
        for nothing in (lambda: 1, object(), iter(())):
            with pytest.raises(NoFingerprintError):
                fingerprint(nothing)


def test_an_interrupt_loses_no_more_than_a_sixty_fourth_of_the_trials():
    pieces = {}
    task = partial(resampled_sums, np.arange(12).reshape(6, 2), 0)
    with keeping(SimpleNamespace(get=pieces.get, put=pieces.__setitem__)):
        drawn = in_chunks(task, 640, threads=1)
    assert len(pieces) == 64
    np.testing.assert_array_equal(drawn, task(0, 640))
