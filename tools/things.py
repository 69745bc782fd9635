"""What the five papers describe, thing by thing, with the command that shows it: docs/things.tsv says which text its output has.

python tools/things.py               run every command, and say which fails or lacks its text (minutes; every night)
python tools/things.py --paper 001   those of one paper
python tools/things.py --write       the list in docs/studies.md

Commands run in a scratch folder with small files: simulated tasks (oc, oq, rte, qe, with scores in oc.csv, oc2.csv, oq.csv,
oq2.csv), the papers' worked examples (f1, f2, f3), frozen scores (tweets.csv, ...), files of RTE and of Sakai's book.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import os
import shlex
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import metameasure as mm
from metameasure.cli.main import main as metameasure
from metameasure.studies.amigo2020 import CLASSES, FIGURE_1_LEFT, FIGURE_3, REVIEWS
from metameasure.studies.bergmair2009 import FIGURE_2, LABELS
from metameasure.studies.frozen import FOLDER

ROOT = Path(__file__).parents[1]
LIST, PAGE = ROOT / "docs/things.tsv", ROOT / "docs/studies.md"
PAPERS = {
    "000": "Sakai (ACL 2021)",
    "001": "Bergmair (2009)",
    "002": "Avramidis (2013)",
    "003": "Amigó et al. (2020)",
    "004": "Sakai (LQ 2021)",
}
_BEGIN, _END = "<!-- things: written by tools/things.py -->", "<!-- end of things -->"
_OC = "alpha_ordinal,alpha_interval,hmpr,f1_macro,mae_macro,kappa_linear,cem_ord,accuracy,mae"
_OQ = "nmd,rsnod,rnod,nvd,rnss,jsd"


@dataclass(frozen=True)
class Thing:
    """One thing: where it stands, what it is, the command that shows it, and what its output says; or why no command can."""

    paper: str
    section: str
    thing: str
    command: str
    shows: str

    @property
    def runs(self) -> bool:
        return bool(self.command)


def things() -> list[Thing]:
    """All of them, in the order of the papers."""
    with LIST.open(encoding="utf-8", newline="") as lines:
        return [Thing(**row) for row in csv.DictReader(lines, delimiter="\t")]


def _labels(folder: Path, name: str, labels: Sequence[str]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("item\tlabel\n" + "".join(f"{item}\t{label}\n" for item, label in enumerate(labels, 1)), "utf-8")


def _table(folder: Path, classes: Sequence[str], tables: dict[str, Sequence[Sequence[int]]]) -> None:
    """Gold and a run for each confusion table, rows gold."""
    for name, table in tables.items():
        pairs = [(classes[g], classes[p]) for g, row in enumerate(table) for p, number in enumerate(row) for _ in range(number)]
        _labels(folder, "gold.tsv", [gold for gold, _ in pairs])
        _labels(folder, f"{name}.tsv", [given for _, given in pairs])


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder with all files that commands name, which is where they run."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="things-") as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(name)
        for place, seed in (("oc", 1), ("oc2", 2)):
            made = mm.simulate("sem17t4c", topics=12, items=30, seed=seed)
            made.evaluate(_OC).save(folder / f"{place}.csv")
            made.save(folder / place)
        for place, seed in (("oq", 1), ("oq2", 2)):
            made = mm.simulate("dialeval1", topics=30, seed=seed)
            made.evaluate(_OQ).save(folder / f"{place}.csv")
            made.save(folder / place)
        mm.simulate("rte4", items=200, kinds=["calibrated=.3", "unsound=.4", "constant=YES", "rand"]).save(folder / "rte")
        mm.simulate("qe78", topics=30, judges=2, kinds=["noisy=.5,2", "tied=.3", "top=.9"]).save(folder / "qe")
        _labels(
            folder / "f1", "gold.tsv", [label for label, size in zip(REVIEWS, FIGURE_1_LEFT, strict=True) for _ in range(size)]
        )
        _table(folder / "f2", LABELS, {"L": FIGURE_2})
        _table(folder / "f3", CLASSES, FIGURE_3)
        for file in FOLDER.glob("*.csv"):
            shutil.copy(file, folder)
        shutil.copy(ROOT / "examples/summaries.csv", folder)
        (folder / "distance.csv").write_text(",neg,neu,pos\nneg,0,1,3\nneu,1,0,1\npos,3,1,0\n")
        pairs = "".join(
            f'<pair id="{n}" entailment="{label}" task="IE"><t>a</t><h>b</h></pair>' for n, label in enumerate(LABELS)
        )
        (folder / "rte.xml").write_text(f"<entailment-corpus>{pairs}</entailment-corpus>")
        (folder / "rte_run.txt").write_text("ranked: yes\n0 YES\n1 UNKNOWN\n2 UNKNOWN\n")
        for run, scores in {"X": ".7 .3 .5 .2 .9 .4", "Y": ".5 .1 .4 .3 .8 .2", "Z": "0 0 .1 0 .2 .1"}.items():
            (folder / f"{run}.csv").write_text("topic,ndcg\n" + "".join(f"t{n},{one}\n" for n, one in enumerate(scores.split())))
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def output_of(command: str) -> tuple[int, str]:
    """The status of a command, and what it prints."""
    out, err = io.StringIO(), io.StringIO()
    words = shlex.split(command)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            status = metameasure(words[1:])
        except SystemExit as left:
            status = int(left.code or 0)
    return status, out.getvalue() + err.getvalue()


def failures(chosen: Sequence[Thing]) -> list[str]:
    """The things whose command fails or lacks what it is to show."""
    said = []
    with scratch():
        by_command: dict[str, list[Thing]] = {}
        for thing in chosen:
            if thing.runs:
                by_command.setdefault(thing.command, []).append(thing)
        for command, those in by_command.items():
            status, output = output_of(command)
            plain = " ".join(output.split())
            for thing in those:
                if status not in (0, None):
                    said.append(f"{thing.paper} {thing.section}, {thing.thing}: '{command}' ends with {status}: {output[-200:]}")
                elif " ".join(thing.shows.split()) not in plain:
                    said.append(f"{thing.paper} {thing.section}, {thing.thing}: '{command}' does not show '{thing.shows}'")
    return said


def listed() -> str:
    """The list as a part of the page."""
    parts = [_BEGIN, ""]
    for paper, name in PAPERS.items():
        rows = [thing for thing in things() if thing.paper == paper]
        parts += [f"### {name}: {len(rows)} things", "", "| section | what | command | shows |", "|---|---|---|---|"]
        for one in rows:
            command = f"`{one.command.replace('|', chr(92) + '|')}`" if one.runs else "none"
            parts.append(f"| {one.section} | {one.thing.replace('|', '/')} | {command} | {one.shows.replace('|', '/')} |")
        parts.append("")
    return "\n".join([*parts, _END])


def page() -> str:
    """docs/studies.md with the list as it is now."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    return before + listed() + rest.partition(_END)[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--paper", choices=[*PAPERS])
    asked = parser.parse_args()
    if asked.write:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    found = failures([thing for thing in things() if asked.paper in (None, thing.paper)])
    print(*found, f"{len(found)} of {len(things())} fail", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
