"""Commands that write, killed or interrupted at random moments: what they write is whole or not there, and nothing else is left.

A process that has everything imported forks a child for each trial, which is as good as a start and takes a tenth of the time.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
CLASSES = ("--classes", "a,b,c")
COMMANDS = {
    "evaluate": ("evaluate", "gold.tsv", "run.tsv", *CLASSES, "--ci", "--scores", "{}scores.csv", "--chart", "{}chart.svg"),
    "evaluate, Parquet": ("evaluate", "gold.tsv", "run.tsv", *CLASSES, "--scores", "{}scores.parquet"),
    "convert": ("convert", "gold.tsv", "{}converted.jsonl"),
    "count": ("count", "gold.tsv", "run.tsv", *CLASSES, "-o", "{}part.npz"),
    "report": ("report", "gold.tsv", "run.tsv", *CLASSES, "--trials", "200", "-o", "{}page.html"),
    "codabench": ("codabench", "task.toml", "-o", "{}bundle.zip"),
    "simulate": ("simulate", "{}task", "--topics", "3", "--runs", "10"),
    "meta": ("meta", "discrimination", "scores.csv", "--trials", "2000", "--chart", "{}power.svg", "--resume", "{}work.zip"),
    "axioms": ("axioms", "kappa", "--properties", "symmetric", "--trials", "2000", "--chart", "{}axioms.svg"),
}
TRACES = ("Traceback", "internal error", "Fatal Python error")


def prepare(folder):
    """The files that the commands read."""
    rows = [(n, f"t{n % 4}", "abc"[n * 7 % 3], "abc"[n * 5 % 3]) for n in range(400)]
    (folder / "gold.tsv").write_text("item\ttopic\tlabel\n" + "".join(f"{n}\t{t}\t{g}\n" for n, t, g, _ in rows))
    (folder / "run.tsv").write_text("item\tlabel\n" + "".join(f"{n}\t{r}\n" for n, _, _, r in rows))
    lines = [f"{m},t{t},r{r},{(t * 7 + r * 3 + len(m)) % 11}" for m in ("mae", "kappa") for t in range(20) for r in range(8)]
    (folder / "scores.csv").write_text("measure,topic,run,score\n" + "\n".join(lines) + "\n")
    task = 'title = "T"\ngold = "gold.tsv"\nmeasures = ["accuracy"]\nclasses = "a,b,c"\nimage = "example.org/x:1"\n'
    (folder / "task.toml").write_text(task)


@dataclass
class Count:
    """What became of the trials."""

    tried: Counter = field(default_factory=Counter)
    during: int = 0
    """Trials in which the command was still at work."""
    partial: list = field(default_factory=list)
    traces: list = field(default_factory=list)
    statuses: list = field(default_factory=list)
    """Ends that are neither the command's own nor the signal's."""


class Interrupter:
    """Runs commands in children of a process that is ready."""

    def __init__(self, folder, names=tuple(COMMANDS)):
        self.folder, self.count = Path(folder), Count()
        prepare(self.folder)
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
        call = [sys.executable, __file__, str(self.folder / "said")]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.server = subprocess.Popen(call, cwd=folder, env=environment, text=True, **pipes)
        self.server.stdout.readline()
        self.before = self.inputs()
        self.whole = {name: self.uninterrupted(name) for name in names}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()
        self.server.stdin.close()
        self.server.stdout.close()

    def inputs(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}

    def ask(self, name, place, after=0.0, kill=0):
        """The status of a command that gets a signal after so many seconds, and what it said."""
        arguments = [part.format(place) for part in COMMANDS[name]]
        self.server.stdin.write(json.dumps([arguments, after, kill]) + "\n")
        self.server.stdin.flush()
        return json.loads(self.server.stdout.readline())

    def uninterrupted(self, name):
        """What the command writes by itself, and in what time."""
        place = f"whole-{len(list(self.folder.glob('whole-*')))}-"
        start = time.monotonic()
        status, said = self.ask(name, place)
        assert status == 0, said
        seconds = time.monotonic() - start
        return {part.format(""): contents(self.folder / part.format(place)) for part in outputs(name)}, seconds

    def trial(self, name, kill, seed):
        """One run of a command that gets a signal at a random moment."""
        rng = random.Random(f"{name}/{kill}/{seed}")  # noqa: S311 - no secret
        place = f"{kill.name}-{name.replace(' ', '')}-{seed}-"
        whole, seconds = self.whole[name]
        status, said = self.ask(name, place, rng.random() * seconds, kill)
        self.judge(name, kill, place, status, said, whole)

    def judge(self, name, kill, place, status, said, whole):
        count = self.count
        count.tried[kill.name] += 1
        count.during += status != 0
        if any(trace in said for trace in TRACES):
            count.traces.append((name, said[-400:]))
        if status not in (0, -kill, *((130,) if kill == signal.SIGINT else ())):
            count.statuses.append((name, status, said[-400:]))
        for part in outputs(name):
            file = self.folder / part.format(place)
            allowed = name == "meta" and part == "{}work.zip"  # a checkpoint holds what is finished
            if file.exists() and not (is_checkpoint(file) if allowed else contents(file) == whole[part.format("")]):
                count.partial.append((name, file.name))
            if status == 0 and not file.exists():
                count.partial.append((name, f"{file.name} is not there"))
        if kill == signal.SIGINT:
            count.partial += [(name, f"left {path.name}") for path in self.folder.glob(".*")]
        clear(self.folder)
        if self.inputs_changed():
            count.partial.append((name, "an input was changed"))

    def inputs_changed(self):
        return {name: (self.folder / name).read_bytes() for name in self.before} != self.before


def outputs(name):
    return [part for part in COMMANDS[name] if "{}" in part]


def contents(path):
    """The bytes of a file, or of all files of a folder; of an archive, those of its members, for it holds the time too."""
    import zipfile

    if path.is_dir():
        return {str(one.relative_to(path)): one.read_bytes() for one in sorted(path.rglob("*")) if one.is_file()}
    if path.suffix == ".zip":
        try:
            with zipfile.ZipFile(path) as archive:
                return {name: nested(archive.read(name)) for name in archive.namelist()}
        except zipfile.BadZipFile:
            return None
    return path.read_bytes()


def nested(data):
    """What an archive within an archive holds."""
    import io
    import zipfile

    if not data.startswith(b"PK"):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def is_checkpoint(path):
    held = contents(path)
    return held is not None and "about.json" in held


def clear(folder):
    """Away with what a trial has left: a kill leaves scratch files, whose names begin with a dot."""
    import shutil

    for path in [*folder.glob("SIG*"), *folder.glob(".*")]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def serve(said):
    """Fork a child for each question: its status, and what it said, which is kept in a file."""
    import importlib

    from metameasure.cli import main

    ours = (
        "evaluating.evaluate",
        "page.report",
        "meta.measure_summary",
        "properties.search",
        "simulation.simulate",
        "competition.bundle",
    )
    ours += ("statistics.compiled", "show.canvas", "tasks.conversion", "cli.evaluate", "cli.report", "cli.meta")
    others = ("matplotlib.figure", "matplotlib.backends.backend_svg", "scipy.special", "duckdb", "narwhals")
    for name in (*others, *(f"metameasure.{one}" for one in ours)):
        importlib.import_module(name)
    print("ready", flush=True)  # noqa: T201
    for line in sys.stdin:
        arguments, after, kill = json.loads(line)
        child = os.fork()
        if child == 0:
            stream = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(stream, 1)
            os.dup2(stream, 2)
            try:
                status = main(arguments)
                sys.stdout.flush()
            except KeyboardInterrupt:  # before or after main, where the interpreter itself sees to it
                status = 130
            os._exit(status)
        if kill:
            time.sleep(after)
            os.kill(child, kill)  # it is there until it is waited for
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps([ended, said.read_text(errors="replace")]), flush=True)  # noqa: T201


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
