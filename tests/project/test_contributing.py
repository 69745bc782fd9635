"""CONTRIBUTING.md is true: its files are written into a copy of the package, and its commands print what it says."""

import doctest
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile

import pytest

from conftest import ROOT
from project.test_docs import BLOCK, links

PAGE = ROOT / "CONTRIBUTING.md"
INDENTED = re.compile(r"^ +```.*?^ +```$", re.MULTILINE | re.DOTALL)


def sections():
    """The page by heading, its steps' blocks as if they were not indented."""
    text = PAGE.read_text(encoding="utf-8")
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return {
        title: [(match[1], match[2], match[3]) for match in BLOCK.finditer(INDENTED.sub(lambda m: textwrap.dedent(m[0]), body))]
        for title, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def file_of(title, name):
    """The text of a file that a section of the page writes."""
    return next(text for _, file, text in sections()[title] if file and file.endswith(name))


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of what is extended, with what has been compiled of it."""
    folder = tmp_path_factory.mktemp("package")
    for part in ("src", "docs", "examples", "benchmarks", "tools"):
        shutil.copytree(ROOT / part, folder / part, ignore=None if part == "src" else shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def command_in(folder):
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONIOENCODING": "utf-8"}

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
        )

    return run


ADDED = [title for title in sections() if title.startswith("Add a")]


@pytest.mark.parametrize("title", ADDED)
def test_the_steps_lead_where_they_say(package, title):
    added, tried = [], []
    for language, file, text in sections()[title]:
        if file:
            (package / file).parent.mkdir(parents=True, exist_ok=True)
            (package / file).write_text(text, encoding="utf-8")
            added += [file] if language == "python" else []
        elif language == "console":
            tried += re.findall(r"^\$ metameasure (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
    assert added
    assert tried
    answers = in_one_process(package, package, [command for command, _ in tried], width=400)
    for (command, expected), (status, said) in zip(tried, answers, strict=True):
        assert (status == 0) == ("broken" not in command), said
        wanted = expected.removesuffix("\n") if expected.endswith("\n...\n") else expected  # more lines, or none
        assert doctest.OutputChecker().check_output(wanted, said, doctest.ELLIPSIS), f"$ {command}\n{said}"
    run = command_in(package)
    for tool in (("ruff", "check", "--no-cache"), ("ruff", "format", "--check", "--no-cache")):
        done = run("-m", *tool, *added)
        assert done.returncode == 0, done.stdout


# All commands in one process: what each prints, and its status.
IN_ONE_PROCESS = """
import contextlib, io, json, shlex, sys
from metameasure.cli import main
answers = []
for line in json.loads(sys.stdin.read()):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(shlex.split(line))
    answers.append((status or 0, out.getvalue()))
print(json.dumps(answers))
"""


def in_one_process(package, folder, commands, width):
    """The status of each command, in a folder, and what it prints."""
    environment = os.environ | {"PYTHONPATH": str(package / "src"), "COLUMNS": str(width), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", IN_ONE_PROCESS], input=json.dumps(commands), cwd=folder,
        env=environment, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


FORTY = "all.txt one.txt two.txt three.txt --classes negative,positive --partitions 8"
EVERY_COMMAND = {
    "Add a task": [
        ("evaluate DATA --task regression --ci --groups --ranks --scores scores.csv", 0, "near"),
        ("evaluate gold.tsv.gz near.tsv.gz far.tsv.gz --task regression", 0, "0.6250"),
        ("evaluate gold-value.tsv near-value.tsv --task regression --label-column value", 0, "0.6250"),
        ("evaluate DATA --task regression --label-column value", 1, "there is no column 'value'"),
        ("evaluate DATA --task regression --cluster-column topic", 2, "--cluster-column is not for the task regression"),
        ("evaluate gold.tsv far.tsv --classes 1..9 --cluster-column topic", 0, "Signature: task:classification"),
        ("evaluate gold-value.tsv far-value.tsv --classes 1..9 --label-column value", 0, "Signature: task:classification"),
        ("evaluate gold.tsv cut.tsv.gz --task regression", 1, "cut.tsv.gz: the file is cut short"),
        ("evaluate gold.tsv broken.tsv --task regression", 1, "broken.tsv:3: label 'many' is not a number"),
        ("evaluate gold-weighed.tsv near.tsv --task regression", 1, "gold-weighed.tsv:1: numbers have no weights"),
        ("evaluate gold.tsv lacks.tsv --task regression", 1, "item 'c' is missing; add it, or choose --missing drop"),
        ("evaluate gold.tsv lacks.tsv --task regression --missing drop", 0, "lacks: 1 missing item left out"),
        ("evaluate gold.tsv lacks.tsv --task regression --missing worst", 2, "can only be left out; choose --missing drop"),
        ("evaluate gold.tsv lacks.tsv --task regression --missing class:3", 2, "can only be left out; choose --missing drop"),
        ("evaluate gold.tsv twice.tsv --task regression", 1, "twice.tsv:6: item 'a' again (first in line 2)"),
        ("evaluate gold.tsv others.tsv --task regression", 1, "others.tsv:2: item 'z' is not in gold"),
        ("evaluate gold.tsv others.tsv --task regression --missing drop --extra ignore", 0, "others: 4 missing items left out"),
        (
            "evaluate gold.tsv others.tsv --task regression --missing drop --extra ignore",
            0,
            "items that gold does not have left out",
        ),
        ("evaluate DATA --task regression --distance far.tsv", 2, "--distance is between classes, and regression has none"),
        ("evaluate DATA --task regression --measures accuracy", 2, "it is for classification (--task classification)"),
        ("evaluate DATA --task regression --format latex", 0, "mean\\_error"),
        ("evaluate DATA --task regression --format html", 0, "<table"),
        ("evaluate DATA --task regression --baselines", 2, "there are no baselines of regression"),
        ("check DATA broken.tsv --task regression", 1, "ok  near: 4 items"),
        ("table DATA --task regression", 0, "How many items each topic of a run is scored on."),
        ("table DATA --task regression --format json", 0, '"items": ['),
        ("compare DATA --task regression --measures mean_error", 0, "t interval over topics"),
        ("compare DATA --task regression --measures mean_error --average pooled", 2, "choose --average topics"),
        ("compare DATA --task regression --measures mean_error --units items", 2, "regression has no items"),
        ("compare DATA --task regression", 2, "as in --measures mean_error"),
        ("compare gold.tsv near.tsv --task regression --measures mean_error", 1, "give two runs or more"),
        ("compare scores.csv", 0, "mean_error"),
        ("gate DATA --task regression --margin 1", 2, "as in --measures mean_error"),
        ("gate DATA --task regression --margin 1 --measures mean_error", 4, "UNDECIDED"),
        ("meta all scores.csv", 0, "the only measure here"),
        ("advise DATA --task regression", 0, "No paper recommends any of these measures for regression"),
        ("advise scores.csv", 0, "Scores alone do not show"),
        ("report DATA --task regression -o page.html", 0, "By mean_error, near is first of 2 runs"),
        ("report scores.csv -o page.html", 0, "By mean_error, near is first of 2 runs"),
        ("count gold.tsv near.tsv --task regression -o near.evidence", 0, "1 run, 2 topics"),
        ("count gold.tsv far.tsv --task regression -o far.evidence", 0, "1 run, 2 topics"),
        ("merge near.evidence far.evidence -o both.evidence", 0, "2 runs, 2 topics"),
        ("merge near.evidence near.evidence -o twice.evidence", 2, "run 'near' is in both"),
        ("evaluate both.evidence", 0, "0.6250"),
        ("compare both.evidence", 2, "as in --measures mean_error"),
        ("explain both.evidence --task regression", 1, "this is evidence, not a table; name the gold and the runs"),
        ("compare both.evidence --measures mean_error", 0, "t interval over topics"),
        ("advise both.evidence", 0, "regression"),
        ("report both.evidence -o page.html", 0, "By mean_error, near is first of 2 runs"),
        ("explain gold.tsv near.tsv far.tsv --task regression --measures mean_error", 0, "near 0.6250, far 3.0000"),
        ("ranks DATA --task regression --measures mean_error", 0, "task:regression"),
        ("clean DATA --task regression -o cleaned", 2, "clean does not know what files of regression look like"),
        ("trial mean_error", 2, "there is no trial of mean_error"),
        ("axioms mean_error", 2, "there is no property that mean_error could have"),
        ("evaluate damaged.evidence", 1, "damaged.evidence: this is not a readable file of evidence"),
        ("design scores.csv", 0, "mean_error"),
        ("convert gold.tsv converted.csv --task regression", 0, "4 items written"),
        ("evaluate converted.csv near.tsv far.tsv --task regression", 0, "0.6250"),
        ("evaluate gold-bare.tsv near-bare.tsv --task regression --by kind --by-table kinds.csv", 0, "q          2"),
        ("convert gold-bare.tsv converted.csv --task regression", 0, "4 items written"),
        ("evaluate gold.tsv near.tsv --task regression --classes 1..9", 2, "--classes is not for the task regression"),
    ],
    "Add a format": [
        ("evaluate DATA --classes negative,positive --ci --groups --ranks --scores scores.csv", 0, "0.500 [0.000, 1.000]"),
        ("evaluate gold.txt.gz run.txt.gz --classes negative,positive", 0, "0.5000"),
        ("evaluate gold.txt cut.txt.gz --classes negative,positive", 1, "cut.txt.gz: the file is cut short"),
        ("evaluate gold.txt broken.txt --classes negative,positive", 1, "broken.txt:2: '17' has 1 part; a line is ITEM::LABEL"),
        ("evaluate gold.txt odd.txt --classes negative,positive", 1, "odd.txt:2: the line is not UTF-8"),
        ("evaluate gold.txt twice.txt --classes negative,positive", 1, "twice.txt:3: item '18' again (first in line 1)"),
        ("check DATA broken.txt --classes negative,positive", 1, "ok  run: 2 items"),
        ("table DATA --classes negative,positive", 0, "negative"),
        ("compare DATA other.txt --classes negative,positive --measures accuracy", 0, "other"),
        ("meta all scores.csv", 1, "but a ranking takes at least 2 runs and 1 topic; give scores of several runs"),
        ("advise DATA --classes negative,positive", 0, "no recommendation"),
        ("report DATA --classes negative,positive -o page.html", 0, "run scores"),
        ("count DATA --classes negative,positive -o run.evidence", 0, "1 run, 1 topic"),
        ("merge run.evidence -o merged.evidence", 0, "1 run, 1 topic"),
        ("design scores.csv", 1, "but a comparison takes at least 2 of each; give two runs or more"),
        ("evaluate FORTY --measures accuracy,cem_ord --scores forty.csv", 0, "3 runs, 8 partitions"),
        ("meta all forty.csv", 0, "consistency  power"),
        ("meta consistency forty.csv", 0, "cem_ord"),
        ("design forty.csv", 0, "accuracy"),
        ("compare FORTY --measures accuracy --units topics", 0, "t interval over partitions"),
        ("report FORTY -o page.html", 0, "3 runs"),
        ("count FORTY -o forty.evidence", 0, "3 runs, 8 partitions"),
        ("compare forty.evidence --measures accuracy", 0, "t interval over partitions"),
        ("convert gold.txt converted.csv", 0, "2 items written"),
        ("convert broken.txt converted.csv", 1, "broken.txt:2: '17' has 1 part; a line is ITEM::LABEL"),
        ("evaluate converted.csv run.txt --classes negative,positive", 0, "0.5000"),
    ],
    "Add a measure": [
        (
            "evaluate DATA --classes 1..3 --measures misclassification,accuracy --ci --groups --ranks --scores scores.csv",
            0,
            "misclassification",
        ),
        ("evaluate DATA --classes 1..3 --measures misclassification --baselines", 0, "baseline: majority"),
        ("check DATA --classes 1..3", 0, "nothing is wrong"),
        ("compare DATA --classes 1..3 --measures misclassification", 0, "misclassification"),
        ("compare scores.csv --measures misclassification", 0, "misclassification"),
        ("meta all scores.csv", 0, "misclassification"),
        ("advise DATA --classes 1..3", 0, "Signature"),
        ("advise scores.csv", 0, "Signature"),
        ("report DATA --classes 1..3 --measures misclassification,accuracy -o page.html", 0, "By misclassification"),
        ("report scores.csv -o page.html", 0, "By misclassification"),
        ("count DATA --classes 1..3 -o data.evidence", 0, "3 runs, 6 topics"),
        ("evaluate data.evidence --measures misclassification", 0, "misclassification"),
        ("evaluate damaged.evidence --measures misclassification", 1, "this is not a readable file of evidence"),
        ("evaluate gold.tsv.gz good.tsv.gz --classes 1..3 --measures misclassification", 0, "0.2000"),
        ("evaluate gold.tsv cut.tsv.gz --classes 1..3 --measures misclassification", 1, "cut.tsv.gz: the file is cut short"),
        ("evaluate gold.tsv broken.tsv --classes 1..3 --measures misclassification", 1, "label '9' is not one of the classes"),
        ("table DATA --classes 1..3", 0, "precision"),
        ("count gold.tsv good.tsv --classes 1..3 -o good.evidence", 0, "1 run, 6 topics"),
        ("count gold.tsv poor.tsv --classes 1..3 -o poor.evidence", 0, "1 run, 6 topics"),
        ("merge good.evidence poor.evidence -o both.evidence", 0, "2 runs, 6 topics"),
        ("compare both.evidence --measures misclassification", 0, "t interval over topics"),
        ("convert gold.tsv converted.csv", 0, "60 items written"),
        ("evaluate converted.csv good.tsv --classes 1..3 --measures misclassification", 0, "0.2000"),
        ("design scores.csv", 0, "misclassification"),
        ("axioms misclassification --trials 0", 0, "misclassification"),
        ("measures misclassification", 0, "Err = 1 - "),
        ("measures", 0, "misclassification"),
    ],
}


def written(package, title):
    """The section's files in the package, those that commands read in a folder, with more data and with damaged and compressed
    files beside them; and how a command names the data."""
    folder = package / title.split()[-1]
    folder.mkdir(exist_ok=True)
    for language, file, text in sections()[title]:
        if file:
            place = (package if language == "python" else folder) / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    data = {"Add a task": of_numbers, "Add a format": of_colons, "Add a measure": of_labels}[title](folder)
    with zipfile.ZipFile(folder / "damaged.evidence", "w") as archive:
        archive.writestr("facts.npy", b"nothing")
    for file in [one for one in folder.iterdir() if one.suffix in (".tsv", ".txt")]:
        (folder / f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        (folder / f"cut{file.suffix}.gz").write_bytes(gzip.compress(file.read_bytes())[:20])
    return folder, data


def of_numbers(folder):
    """The page's numbers, also under another name, and without one, as a format of the field has labels; and files in which
    something is wrong."""
    rows = {name: (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines(keepends=True) for name in ("gold", "near")}
    (folder / "gold-weighed.tsv").write_text(
        "".join(f"{row.strip()}\t{'1' if at else 'weight'}\n" for at, row in enumerate(rows["gold"]))
    )
    (folder / "lacks.tsv").write_text("".join(row for row in rows["near"] if not row.startswith("c")))
    (folder / "twice.tsv").write_text("".join([*rows["near"], rows["near"][1]]))
    (folder / "others.tsv").write_text("item\tlabel\nz\t1\n")
    (folder / "kinds.csv").write_text("item,kind\na,p\nb,q\nc,p\nd,q\n", encoding="utf-8")
    for name in ("gold", "near", "far"):
        text = (folder / f"{name}.tsv").read_text(encoding="utf-8")
        (folder / f"{name}-bare.tsv").write_text(text.partition("\n")[2], encoding="utf-8")
        (folder / f"{name}-value.tsv").write_text(text.replace("label", "value", 1), encoding="utf-8")
    return "gold.tsv near.tsv far.tsv"


def of_colons(folder):
    """The page's two items, also with what is wrong in them, and forty items, which can be divided."""
    (folder / "odd.txt").write_bytes(b"18::negative\n17::\xff\n")
    (folder / "twice.txt").write_text("18::negative\n17::positive\n18::positive\n", encoding="utf-8")
    (folder / "other.txt").write_text("17::positive\n18::positive\n", encoding="utf-8")
    for name, wrong in (("all", 0), ("one", 9), ("two", 17), ("three", 5)):
        turned = [(item * 7) % 40 < wrong for item in range(40)]
        labels = ["positive" if (item % 3 == 0) != turn else "negative" for item, turn in enumerate(turned)]
        (folder / f"{name}.txt").write_text("".join(f"{i}::{label}\n" for i, label in enumerate(labels)), encoding="utf-8")
    return "gold.txt run.txt"


def of_labels(folder):
    """Sixty items of three classes in six topics."""
    rows = [(item, item % 6, 1 + item % 3) for item in range(60)]
    for name, right in (("gold", 61), ("good", 5), ("fair", 3), ("poor", 2)):
        said = (f"{item}\tt{topic}\t{1 + label % 3 if item % right == 0 else label}" for item, topic, label in rows)
        said = (f"{item}\tt{topic}\t{label}" for item, topic, label in rows) if name == "gold" else said
        (folder / f"{name}.tsv").write_text("\n".join(["item\ttopic\tlabel", *said]) + "\n", encoding="utf-8")
    text = (folder / "poor.tsv").read_text(encoding="utf-8")
    (folder / "broken.tsv").write_text(text.replace("\t3\n", "\t9\n", 1), encoding="utf-8")
    return "gold.tsv good.tsv fair.tsv poor.tsv"


@pytest.mark.each_time(1)
@pytest.mark.parametrize("title", EVERY_COMMAND)
def test_it_goes_through_every_command(package, title):
    folder, data = written(package, title)
    commands = [
        (command.replace("DATA", data).replace("FORTY", FORTY), status, said) for command, status, said in EVERY_COMMAND[title]
    ]
    assert_answers(package, commands, folder)


def test_a_signature_of_a_new_task_is_computed_again(package):
    """It holds a digest of each run, whatever other runs there are, by which what has changed is found."""
    folder, _ = written(package, "Add a task")
    (folder / "other").mkdir(exist_ok=True)
    (folder / "other/near.tsv").write_text((folder / "near.tsv").read_text(encoding="utf-8").replace("4.5", "4.6"))
    asked = "evaluate gold.tsv near.tsv far.tsv --task regression --format json"
    ((_, said), (_, alone)) = in_one_process(package, folder, [asked, asked.replace("far.tsv ", "")], width=400)
    whole = json.loads(said)["signature"]
    runs = dict(one.split("=") for one in re.search(r"runs:([^|]+)", whole)[1].split(","))
    assert f"runs:near={runs['near']}|" in json.loads(alone)["signature"]
    commands = [f"reproduce '{whole}' gold.tsv {run} far.tsv" for run in ("near.tsv", "other/near.tsv")]
    ((_, same), (_, changed)) = in_one_process(package, folder, commands, width=400)
    assert [line.split("  ")[0] for line in same.splitlines()[2:5]] == ["data", "settings", "numbers"]
    assert same.count("the same") == 3
    assert "near differs" in changed
    assert "far differs" not in changed


# Spans of text: labels that are texts, three arrays, and a measure whose micro average is that of all items.
SPANS = """
from metameasure.catalogue.arrays import namespace, ratio
from metameasure.catalogue.facts import Example, Inputs, Reads, Undefined
from metameasure.catalogue.measure import measure


def _added(numbers):
    xp = namespace(numbers)
    return xp.sum(xp.where(xp.isnan(numbers), 0.0, numbers), axis=-1)


def _unusable(right, found, wanted):
    xp = namespace(right, found, wanted)
    return xp.any(xp.isinf(right + found + wanted), axis=-1) | xp.all(xp.isnan(right + found + wanted), axis=-1)

CASES
SPANS = Inputs(
    reads=Reads("spans", ("right", "found", "wanted"), "extraction"),
    shape="three arrays (..., n)",
    notation="r spans are right, f are found, w are wanted",
    unusable=Undefined("there is no item", _unusable),
    example=Example(text="1 right, 2 found, 3 wanted", arrays=((1,), (2,), (3,))),
    DECLARED
)


@measure(
    id="span_f1", title="F1 of spans", better="higher", inputs=SPANS, formula="2 r / (f + w)", source="You (2026).",
    undefined=Undefined("there is no span", lambda right, found, wanted: _added(found) + _added(wanted) == 0),
    headline={"extraction": 1},
)
def span_f1(right, found, wanted):
    return ratio(2 * _added(right), _added(found) + _added(wanted))
"""
CASES = """
def cases(items):
    import numpy as np

    right, wrong, missed = np.random.default_rng(items).integers(0, 3, (3, 12, items)).astype(float)
    wrong[:2], missed[:2], right[0] = 0, 0, 0
    return right, right + wrong, right + missed
"""
EXTRACTION = """
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from metameasure.evidence.base import CaseEvidence, Reading
from metameasure.evidence.labels_of_items import labels_of_items
from metameasure.tasks.base import CaseTask, label_reader
from metameasure.tasks.extraction import TASK


@dataclass(frozen=True, eq=False)
class Spans(CaseEvidence):
    task: ClassVar[str] = "extraction"
    name: ClassVar[str] = "spans"
    micro: ClassVar[bool] = True
    kept: ClassVar = dict.fromkeys(("right", "found", "wanted"), ("runs", "topics", "items"))
    runs: Any
    topics: Any
    right: Any
    found: Any
    wanted: Any
    settings: Any
    notes: Any = ()
    scale: Any = None

    def reading(self, reads, runs):
        cases = self.right[[*runs]], self.found[[*runs]], self.wanted[[*runs]]
        pooled = tuple(array.reshape(len(runs), -1) for array in cases)
        return Reading.of(cases, pooled, np.isfinite(cases[0]).sum(axis=-1))

    def size(self, run):
        return f"{np.nansum(self.found[run]):g} spans"


class Extraction(CaseTask):
    declared = TASK

    def reduced(self):
        return self._spans(alone=False)

    def gold_alone(self):
        found = self._spans(alone=True)
        return replace(found, runs=(), right=found.right[:0], found=found.found[:0], wanted=found.wanted[:0])

    def _spans(self, alone):
        asked = self.options
        said = labels_of_items(label_reader(asked), self.gold, self.runs, missing=asked.missing, extra=asked.extra, alone=alone)
        counted = said.arrays(lambda own, true: (len({*own.split()} & {*true.split()}), len(own.split()), len(true.split())), 3)
        return Spans(said.runs, said.topics, *counted, said.settings, said.notes)
"""
NO_CASES = (
    "nothing says on which cases measures of spans are to be tried; give their Inputs cases=FUNCTION, which makes a batch of "
    "their arrays for a number of items or classes"
)
OF_SPANS = [
    ("evaluate gold.tsv good.tsv poor.tsv --task extraction --ci --scores scores.csv", 0, "span_f1 micro"),
    ("evaluate gold.tsv good.tsv poor.tsv --task extraction --average pooled", 0, "all topics as one (micro)"),
    ("measures span_f1 --check", 0, "ok     span_f1: perfect output scores best"),
    ("measures span_f1", 0, "2 r / (f + w)"),
    ("check gold.tsv good.tsv cut.tsv --task extraction", 1, "item 'f' is missing; add it, or choose --missing drop"),
    ("evaluate gold.tsv cut.tsv --task extraction --missing worst", 2, "labels that are of no classes that a run lacks"),
    ("evaluate gold.tsv cut.tsv --task extraction --missing drop", 0, "cut: 1 missing item left out"),
    ("compare gold.tsv good.tsv poor.tsv --task extraction", 2, "as in --measures span_f1"),
    ("compare gold.tsv good.tsv poor.tsv --task extraction --measures span_f1", 0, "vs 1"),
    ("ranks gold.tsv good.tsv poor.tsv --task extraction --measures span_f1", 0, "may be"),
    ("gate gold.tsv good.tsv poor.tsv --task extraction --measures span_f1 --margin .1", 3, "FAIL"),
    ("explain gold.tsv good.tsv poor.tsv --task extraction", 0, "influence"),
    ("table gold.tsv good.tsv --task extraction", 0, "How many items"),
    ("advise gold.tsv good.tsv poor.tsv --task extraction", 0, "no recommendation"),
    ("report gold.tsv good.tsv poor.tsv --task extraction -o page.html", 0, "By span_f1, good is first"),
    ("count gold.tsv good.tsv poor.tsv --task extraction -o both.evidence", 0, "2 runs, 3 topics"),
    ("evaluate both.evidence", 0, "span_f1 micro"),
    ("explain both.evidence --task extraction", 1, "this is evidence, not a table"),
    ("convert good.tsv good.csv --task extraction", 0, "6 items written"),
    ("evaluate gold.tsv good.csv --task extraction", 0, "span_f1 micro"),
    ("meta all scores.csv", 0, "the only measure here"),
    ("design scores.csv", 0, "span_f1"),
    ("axioms span_f1", 2, "there is no property that span_f1 could have"),
    ("trial span_f1", 2, "there is no trial of span_f1"),
]


@pytest.mark.thorough
def test_a_task_that_is_less_like_those_there_are(package, tmp_path_factory):
    """Texts instead of numbers, three arrays instead of two, and a micro average."""
    folder = tmp_path_factory.mktemp("spans")
    shutil.copytree(package / "src", folder / "src")
    declared = (
        "from metameasure.tasks.declaration import Declaration, TaskOptions\n\n"
        'TASK = Declaration(__name__, "Extraction", TaskOptions)\n'
    )
    tasks, measures = folder / "src/metameasure/tasks/extraction", folder / "src/metameasure/catalogue/extraction"
    for place, texts in ((tasks, {"__init__": declared, "task": EXTRACTION}), (measures, {"__init__": ""})):
        place.mkdir()
        for name, text in texts.items():
            (place / f"{name}.py").write_text(text, encoding="utf-8")
    (measures / "__init__.py").write_text(SPANS.replace("CASES", "").replace("DECLARED", ""), encoding="utf-8")
    ((status, said),) = in_one_process(folder, folder, ["measures span_f1 --check"], width=400)
    assert (status, said.partition(": ")[2]) == (2, f"{NO_CASES}\n")
    (measures / "__init__.py").write_text(SPANS.replace("CASES", CASES).replace("DECLARED", "cases=cases,"), encoding="utf-8")
    rows = [(item, f"t{at % 3}", f"{at}-{at + 1} 20-30") for at, item in enumerate("abcdef")]
    texts = {
        "gold": [("item", "topic", "label"), *rows],
        "good": [("item", "label"), *((item, said if item in "af" else f"{said} 4-9") for item, _, said in rows)],
        "poor": [("item", "label"), *((item, said.replace("20", "21") if item in "ad" else "1-1") for item, _, said in rows)],
    }
    texts["cut"] = texts["good"][:-1]
    for name, lines in texts.items():
        (folder / f"{name}.tsv").write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    assert_answers(folder, OF_SPANS)


# Labels that are counted, with a measure of counts that is another task's by what it reads.
STANCES = """
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.preparing import prepared
from metameasure.tasks.base import LabelTask, count_options, label_reader
from metameasure.tasks.stance import TASK


@dataclass(frozen=True, eq=False)
class Stances(LabelCounts):
    task: ClassVar[str] = "stance"

    @classmethod
    def of(cls, counts):
        return cls(**{one.name: getattr(counts, one.name) for one in fields(counts)})


class Stance(LabelTask):
    declared = TASK

    @cached_property
    def read(self):
        return label_reader(self.options)

    @cached_property
    def count(self):
        return count_options(self.options)

    def reduced(self):
        with self.read.opened(self.gold, self.runs) as tables:
            return Stances.of(self.counted(*prepared(tables, self.count)))

    def gold_alone(self):
        return Stances.of(self.gold_counts().without_runs())
"""
STANCE = """
from metameasure.tasks.declaration import LABELS, Declaration, ItemLabelOptions

TASK = Declaration(__name__, "Stance", ItemLabelOptions, takes=("classification",), layout=LABELS)
"""
NOT_OPPOSITE = """
from metameasure.plugin import measure, ratio, total


@measure(
    id="not_opposite", title="Share not taken for the opposite", better="higher", formula="1 - (c_1C + c_C1) / N",
    source="You (2026).", tasks="stance", scale="ordinal", headline={"stance": 1},
)
def not_opposite(counts):
    return 1 - ratio(counts[..., 0, -1] + counts[..., -1, 0], total(counts))
"""
DECLARED = "--task stance --classes 1..3"
OF_STANCES = [
    (f"evaluate gold.tsv good.tsv poor.tsv {DECLARED} --baselines", 0, "baseline: majority"),
    (f"evaluate gold.tsv good.tsv {DECLARED} --measures not_opposite,accuracy", 0, "task:stance"),
    (f"count gold.tsv good.tsv {DECLARED} -o good.evidence", 0, "evidence of stance, 1 run"),
    (f"count gold.tsv poor.tsv {DECLARED} -o poor.evidence", 0, "evidence of stance, 1 run"),
    ("merge good.evidence poor.evidence -o both.evidence", 0, "evidence of stance, 2 runs"),
    ("evaluate both.evidence", 0, "task:stance"),
    ("compare both.evidence --measures not_opposite", 0, "vs 1"),
    (f"count gold.tsv good.tsv poor.tsv {DECLARED} --for compare -o pair.evidence", 0, "evidence of stance, 2 runs"),
    ("gate pair.evidence --baseline poor --candidate good --measures not_opposite --margin .2", 0, "PASS"),
    (f"explain gold.tsv good.tsv poor.tsv {DECLARED}", 0, "influence"),
    (f"report gold.tsv good.tsv poor.tsv {DECLARED} -o page.html", 0, "By not_opposite, good is first"),
    (f"clean gold.tsv good.tsv {DECLARED} -o cleaned", 0, "1 submission can be scored now"),
    ("measures not_opposite --check", 0, "ok     not_opposite: class values do not matter"),
]


@pytest.mark.thorough
def test_a_task_of_labels_that_are_counted(package, tmp_path_factory):
    """What is merged stays evidence of the task, and is read by the layout of what it is a kind of."""
    folder = tmp_path_factory.mktemp("stances")
    shutil.copytree(package / "src", folder / "src")
    for file, text in {
        "tasks/stance/__init__": STANCE,
        "tasks/stance/task": STANCES,
        "catalogue/stance/__init__": NOT_OPPOSITE,
    }.items():
        place = folder / f"src/metameasure/{file}.py"
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    of_labels(folder)
    assert_answers(folder, OF_STANCES)
    assert_answers(ROOT, [("evaluate both.evidence", 1, "its task, 'stance', is not known here")], folder)


def assert_answers(package, expected, folder=None):
    """What each command says in a folder, by default that of the package, and its status; no internal error."""
    answers = in_one_process(package, folder or package, [command for command, _, _ in expected], width=400)
    wrong = [
        f"$ metameasure {command}\n{output}=> {status}, not {wanted} with {said!r}"
        for (command, wanted, said), (status, output) in zip(expected, answers, strict=True)
        if status != wanted or said not in output or "internal error" in output
    ]
    assert not wrong, "\n\n".join(wrong)


def test_type_checkers_know_a_new_task(package):
    written(package, "Add a task")
    stub = package / "src/metameasure/__init__.pyi"
    for how in ("--write", "--check"):
        done = command_in(package)("tools/stub.py", how)
        assert done.returncode == 0, done.stdout + done.stderr
    assert 'task: Literal["regression"]' in stub.read_text(encoding="utf-8")


def test_a_measure_a_format_a_question_and_a_task_are_here():
    assert {"Set up", "Test", "Add a measure", "Add a format", "Add a question", "Add a task"} <= {*sections()}
    for title in ADDED:
        assert sum(language == "python" for language, file, _ in sections()[title] if file) in (1, 2, 3)


# What docs/generate.py does, but for the search for properties and the pictures, which take a minute.
QUICKLY = """
import json, sys
sys.path.insert(0, "docs")
import generate, verdicts
kept = json.loads(verdicts.KEPT.read_text(encoding="utf-8")) | {"digest": verdicts.digest()}
verdicts.KEPT.write_text(json.dumps(kept), encoding="utf-8")
for page, text in generate.texts().items():
    page.write_text(text, encoding="utf-8")
"""


@pytest.mark.parametrize(
    "how", [("-c", QUICKLY), pytest.param(("docs/generate.py",), marks=pytest.mark.slow)], ids=["quick", "all"]
)
def test_the_page_of_a_new_measure(package, how):
    """docs/generate.py knows it without being told."""
    name = "src/metameasure/catalogue/classification/misclassification.py"
    (package / name).write_text(file_of("Add a measure", "misclassification.py"), encoding="utf-8")
    done = command_in(package)(*how)
    assert done.returncode == 0, done.stderr
    assert "[`misclassification`](measures/misclassification.md)" in (package / "docs/catalogue.md").read_text(encoding="utf-8")
    assert "Err = 1 - Σ" in (package / "docs/measures/misclassification.md").read_text(encoding="utf-8")


def test_the_tests_know_a_new_measure_which_is_on_no_list(package):
    """The conformance tests find it; what asks whether all measures are known, tested or documented asks it of those that have
    been promised."""
    name = "src/metameasure/catalogue/classification/misclassification.py"
    (package / name).write_text(file_of("Add a measure", "misclassification.py"), encoding="utf-8")
    shutil.copytree(ROOT / "tests", package / "tests", ignore=shutil.ignore_patterns("__pycache__", "evidence"))
    files = [
        "tests/testing/test_conformance.py",
        *(f"tests/catalogue/test_{name}.py" for name in ("registry", "oracles", "plugins")),
    ]
    wanted = "test_conformance and misclassification or every_measure or mapping or test_plugins"
    done = command_in(package)("-m", "pytest", "-c", os.devnull, "-v", "-p", "no:cacheprovider", *files, "-k", wanted)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"test_conformance\[misclassification\] PASSED", done.stdout)
    assert all(re.search(rf"{file}::\S+ PASSED", done.stdout) for file in files)


def test_links_lead_somewhere():
    for target in links(PAGE):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_commands_are_those_of_the_readme_and_ci():
    text = PAGE.read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = next(line for line in readme.splitlines() if line.endswith("python -m pytest"))
    assert command in text.splitlines()
    assert command in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    for named in re.findall(r"`?\.venv/bin/python (\S+\.py)", text):
        assert (ROOT / named).exists(), named


def test_github_calls_ci_and_pre_commit_the_same_tools():
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert re.findall(r"^ +(?:- )?run: (.*)$", workflow, re.MULTILINE) == [".ci/run"]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^ +entry: (.*)$", hooks, re.MULTILINE)
    assert [entry.split()[:2] for entry in entries] == [["ruff", "check"], ["ruff", "format"], ["mypy"], ["lint-imports"]]
    tooling = (ROOT / "tests/project/test_tooling.py").read_text(encoding="utf-8")
    assert all(entry.split()[0].replace("-", "_") in tooling for entry in entries)
