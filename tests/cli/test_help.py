"""What users see first: help on one screen, examples that run, a demo to copy, and terminals that are not like ours."""

import os
import re
import shlex
import subprocess
import sys

import click
import pytest

from conftest import ROOT
from metameasure.cli.main import COMMANDS, cli
from metameasure.cli.options import SectionedCommand
from metameasure.tasks.declaration import declarations

NAMES = [(name,) for name in COMMANDS]
NAMES += [
    ("meta", name) for name in ("similarity", "consistency", "discrimination", "overlap", "contradictions", "coverage", "all")
]


def command_of(names):
    context, found = click.Context(cli), cli
    for name in names:
        found = found.get_command(context, name)
    return found


SECTIONED = [names for names in NAMES if isinstance(command_of(names), SectionedCommand)]


@pytest.fixture(autouse=True)
def at_80(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


class TestHelp:
    @pytest.mark.parametrize("names", [(), *NAMES], ids=" ".join)
    def test_fits_on_a_screen(self, run, names):
        for task in (
            (),
            *(
                ("--task", task)
                for task in declarations()
                if command_of(names) and names in (("evaluate",), ("compare",), ("check",))
            ),
        ):
            status, out, err = run(*names, *task, "--help")
            assert (status, err) == (0, "")
            assert out.count("\n") <= 40, out
            assert max(map(len, out.splitlines())) <= 80

    @pytest.mark.parametrize("names", SECTIONED, ids=" ".join)
    def test_has_two_examples_that_can_be_run(self, names):
        command = command_of(names)
        assert len(command.examples) == 2
        for example in command.examples:
            words = shlex.split(example)
            assert words[: len(names) + 1] == ["metameasure", *names]
            command.make_context(names[-1], words[len(names) + 1 :])  # a wrong option would end it
            assert example in command.get_help(click.Context(command, info_name=names[-1]))

    @pytest.mark.parametrize("names", SECTIONED, ids=" ".join)
    def test_what_is_common_comes_first_and_exists(self, names):
        command = command_of(names)
        known = {parameter.name for parameter in command.params}
        assert {*command.common} <= known | {"measures", "runs"}

    def test_the_options_of_the_task_at_hand(self, run):
        _, plain, _ = run("evaluate", "--help")
        assert "--gain" not in plain
        assert "--positive" not in plain
        assert "--task T --help has those of a task" in " ".join(plain.split())
        for written in (("--task", "ranking"), ("--task=ranking",)):
            _, ranking, _ = run("evaluate", *written, "--help")
            assert "For the task ranking:\n" in ranking
            assert "--gain exponential|linear" in ranking
            assert "--positive" not in ranking
        _, entailment, _ = run("evaluate", "--task", "entailment", "--help")
        assert "--positive LABEL" in entailment

    @pytest.mark.parametrize("names", SECTIONED, ids=" ".join)
    def test_help_all_has_every_option(self, run, names):
        status, out, err = run(*names, "--help-all")
        assert (status, err) == (0, "")
        shown = [one for one in command_of(names).params if isinstance(one, click.Option) and not one.hidden]
        assert all(one.opts[-1] in out for one in shown)

    def test_commands_are_documented_with_all_options(self):
        page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
        assert "--gold-tie-epsilon" in page


def test_completion_of_the_shell():
    """As docs/commands.md says; the shell asks for what may come next."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    program = [sys.executable, "-c", "import sys; from metameasure.cli import main; sys.exit(main())"]

    def asked(**more):
        done = subprocess.run(program, env=environment | more, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for shell in ("bash", "zsh", "fish"):
        assert "metameasure" in asked(_METAMEASURE_COMPLETE=f"{shell}_source")
    assert asked(_METAMEASURE_COMPLETE="bash_complete", COMP_WORDS="metameasure ev", COMP_CWORD="1") == "plain,evaluate\n"
    told = asked(_METAMEASURE_COMPLETE="bash_complete", COMP_WORDS="metameasure evaluate --sk", COMP_CWORD="2")
    assert told == "plain,--skip-broken\n"
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    assert all(f"_METAMEASURE_COMPLETE={shell}_source metameasure" in page for shell in ("bash", "zsh", "fish"))


class TestDemo:
    def test_the_lines_it_shows_run_as_they_stand(self, run, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        status, out, err = run("demo", "--copy", "here")
        assert (status, err) == (0, "")
        lines = re.findall(r"^\$ metameasure (.*)$", out, re.MULTILINE)
        assert len(lines) == 5
        for line in lines[:-1]:  # the last one writes a page
            status, told, err = run(*shlex.split(line))
            assert (status, err) == (0, "")
            assert told in out
        assert "The files are in here." in out
        _, alone, _ = run("demo")
        assert "metameasure demo --copy demo writes the files" in alone
        assert not (tmp_path / "demo").exists()
        (tmp_path / "here").rename("demo")  # as a copy to that folder would have it
        assert run(*shlex.split(re.search(r"^\$ metameasure (.*)$", alone, re.MULTILINE)[1]))[0] == 0

    def test_nothing_is_overwritten(self, run, tmp_path):
        (tmp_path / "mine.txt").write_text("")
        status, _, err = run("demo", "--copy", tmp_path)
        assert (status, "exists already; name a new folder" in err) == (2, True)


@pytest.fixture
def both(tmp_path):
    file = tmp_path / "both.tsv"
    file.write_text("item\tgold\tfirst\n" + "".join(f"{item}\t{'ab'[item % 2]}\ta\n" for item in range(6)))
    return file


def test_files_that_were_written_are_named_unless_quiet(run, both, tmp_path):
    files = ("--scores", tmp_path / "s.csv", "--chart", tmp_path / "c.svg")
    call = ("evaluate", both, "--classes", "a,b", "--measures", "accuracy", *files)
    status, out, err = run(*call)
    assert (status, err) == (0, f"metameasure: wrote {tmp_path}/s.csv\nmetameasure: wrote {tmp_path}/c.svg\n")
    for quiet in (("--quiet", *call), (*call, "--quiet")):
        assert run(*quiet) == (0, out, "")


def test_quiet_leaves_out_warnings_but_not_errors(run, both):
    call = ("evaluate", both, "--classes", "a,b", "--measures", "pearson")
    assert run("--quiet", *call)[2] == ""
    status, _, err = run("--quiet", "evaluate", both)
    assert (status, "never guessed" in err) == (2, True)


def test_no_bar_of_progress_where_it_is_to_be_quiet(monkeypatch, capsys):
    from metameasure.statistics import work

    monkeypatch.setattr(work, "_SILENT_SECONDS", -1.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    work.in_chunks(lambda first, count: __import__("numpy").zeros(count), 4, threads=1, chunk=1)
    assert "[####" in capsys.readouterr().err
    with work.without_progress():
        work.in_chunks(lambda first, count: __import__("numpy").zeros(count), 4, threads=1, chunk=1)
    assert capsys.readouterr().err == ""


def test_ascii_where_the_terminal_has_no_unicode(both):
    """Columns stay straight, and nothing is a question mark."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    call = [sys.executable, "-m", "metameasure", "evaluate", str(both), "--classes", "a,b", "--measures", "mae_macro,accuracy"]
    plain, ascii_only = (
        subprocess.run(call, env=environment | {"PYTHONIOENCODING": encoding}, capture_output=True, check=True).stdout
        for encoding in ("utf-8", "ascii")
    )
    told = ascii_only.decode("ascii").splitlines()
    assert told[0] == "rank  run    mae_macro v  accuracy ^"
    assert set(told[1]) == {"-", " "}
    assert [*map(len, told)] == [*map(len, plain.decode().splitlines())]
    shown = [sys.executable, "-m", "metameasure", "measures", "cem_ord"]
    page = subprocess.run(shown, env=environment | {"PYTHONIOENCODING": "ascii"}, capture_output=True, check=True).stdout.decode(
        "ascii"
    )
    assert "?" not in page
    assert "sum" in page
