"""What the five papers describe, thing by thing, with the command that shows it: docs/things.tsv says which values the output
has, one behind the other with … between them, and where they are stated: in the paper, by hand, or by independent code.

python tools/things.py               run every command, and say which fails or lacks its values (minutes; every night)
python tools/things.py --paper 001   those of one paper
python tools/things.py --write       the list in docs/studies.md

Commands run in a scratch folder with small files: cases that can be worked out by hand (e1, q, r4, ...), the papers' worked
examples (f1, f2, f3), frozen scores (tweets.csv, ...), and simulated tasks (oc, oq, rte, qe, with scores in oc.csv, ...).
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
from metameasure.studies.avramidis2013 import TIED
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
    stated: str = "by hand"
    """Where what it shows is stated: nowhere, where no command can show it."""

    @property
    def runs(self) -> bool:
        return bool(self.command)

    def lacks(self, output: str) -> str:
        """The first value that the output does not have behind those before it; nothing where it has all."""
        rest = " ".join(output.split())
        for value in self.shows.split("…"):
            wanted = " ".join(value.split())
            _, has, rest = rest.partition(wanted)
            if not has:
                return wanted
        return ""


def things() -> list[Thing]:
    """All of them, in the order of the papers."""
    with LIST.open(encoding="utf-8", newline="") as lines:
        return [Thing(**row) for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def _labels(folder: Path, name: str, labels: Sequence[str]) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("item\tlabel\n" + "".join(f"{item}\t{label}\n" for item, label in enumerate(labels, 1)), "utf-8")


def _table(folder: Path, classes: Sequence[str], tables: dict[str, Sequence[Sequence[int]]]) -> None:
    """Gold and a run for each confusion table, rows gold."""
    for name, table in tables.items():
        pairs = [(classes[g], classes[p]) for g, row in enumerate(table) for p, number in enumerate(row) for _ in range(number)]
        _labels(folder, "gold.tsv", [gold for gold, _ in pairs])
        _labels(folder, f"{name}.tsv", [given for _, given in pairs])


def _lines(*lines: str) -> str:
    return "".join(line.replace(" ", "\t") + "\n" for line in lines)


def _ranks(column: str, *values: float) -> str:
    return _lines(f"segment item {column}", *(f"s1 i{place} {value}" for place, value in enumerate(values, 1)))


def _topics(*scores: str) -> str:
    return "topic,ndcg\n" + "".join(f"t{place},.{score}\n" for place, score in enumerate(scores, 1))


_SIX = {"A": "986798", "B": "789576", "C": "456263", "D": "364341"}
# Cases that can be worked out by hand, or that two programs have scored that know nothing of this one.
BY_HAND = {
    "e1/gold.tsv": _lines("item label", "1 1", "2 1", "3 2", "4 3"),
    "e1/run.tsv": _lines("item label", "1 1", "2 2", "3 2", "4 3"),
    "even/gold.tsv": _lines("item label", "1 1", "2 2", "3 3"),
    "even/run.tsv": _lines("item label", "1 1", "2 2", "3 2"),
    "evall/gold.tsv": _lines("T 1 1", "T 2 1", "T 3 2", "T 4 3"),
    "evall/run.tsv": _lines("T 1 1", "T 2 2", "T 3 2", "T 4 3"),
    "sem/gold.txt": _lines("1 t1 -2", "2 t1 0", "3 t2 1", "4 t2 1"),
    "sem/run.txt": _lines("1 t1 -1", "2 t1 0", "3 t2 1", "4 t2 2"),
    "one/gold.tsv": _lines("topic item label", "x 1 a", "x 2 a", "y 3 a", "y 4 a", "y 5 b", "y 6 b"),
    "one/run.tsv": _lines("topic item label", "x 1 a", "x 2 a", "y 3 a", "y 4 a", "y 5 b", "y 6 a"),
    "one/two.tsv": _lines("item label", "1 a", "2 a", "3 a", "4 b"),
    "one/always-a.tsv": _lines("item label", "1 a", "2 a", "3 a", "4 a"),
    "one/always-b.tsv": _lines("item label", "1 b", "2 b", "3 b", "4 b"),
    "q/gold.csv": "topic,a,b,c,d\nt,.4,.4,.2,0\n",
    "q/run.csv": "topic,a,b,c,d\nt,.1,.2,.3,.4\n",
    "votes/gold.csv": "topic,a,b,c,d\nt,40,40,20,0\n",
    "votes/run.csv": "topic,a,b,c,d\nt,10,20,30,40\n",
    "p/gold.csv": "topic,low,mid,high\nt,.5,.3,.2\n",
    "p/run.csv": "topic,low,mid,high\nt,.2,.3,.5\n",
    "dq/gold.json": '[{"id": "d1", "annotations": ['
    + ", ".join(f'{{"quality": {{"A": {vote}}}}}' for vote in (2, 2, 1, 1))
    + "]}]",
    "dq/run.json": '[{"id": "d1", "quality": {"A": {"2": 1.0}}}]',
    "e1r/gold.tsv": _lines("item label", "1 YES", "2 YES", "3 UNKNOWN", "4 NO"),
    "e1r/weighted.tsv": _lines("item label weight", "1 YES .4", "2 YES .3", "3 UNKNOWN .2", "4 NO .1"),
    "e1r/run.tsv": _lines("item label confidence score", "1 YES .4 .9", "2 UNKNOWN .3 .5", "3 UNKNOWN .2 .4", "4 NO .1 .1"),
    "e1r/wrong.tsv": _lines("item label", "1 NO", "2 NO", "3 NO", "4 YES"),
    "cws/gold.tsv": _lines("item label", "1 YES", "2 YES", "3 UNKNOWN", "4 NO"),
    "cws/run.tsv": _lines("item label confidence", "1 YES .9", "2 NO .8", "3 UNKNOWN .7", "4 NO .6"),
    "ap/gold.tsv": _lines("item label", "1 YES", "2 NO", "3 YES"),
    "ap/run.tsv": _lines("item label score", "1 YES .9", "2 YES .9", "3 NO .5"),
    "rte.xml": "<entailment-corpus>"
    + "".join(
        f'<pair id="{n}" entailment="{label}" task="{task}"><t>a</t><h>b</h></pair>'
        for n, (label, task) in enumerate(zip(LABELS, ("IE", "IE", "QA"), strict=True))
    )
    + "</entailment-corpus>",
    "rte_run.txt": "ranked: yes\n0 YES\n1 UNKNOWN\n2 UNKNOWN\n",
    "r4/gold.tsv": _ranks("rank", 1, 2, 3, 4),
    "r4/run.tsv": _ranks("rank", 1, 1, 2, 3),
    "r4/right.tsv": _ranks("rank", 1, 2, 3, 4),
    "r4/scores.tsv": _ranks("score", 0.9, 0.8, 0.7, 0.6),
    "wmt/gold.tsv": _lines(
        "segment judge item rank",
        *(f"s{n} j1 a 1\ns{n} j1 b 2\ns{n} j2 a {1 + (n == 4)}\ns{n} j2 b {2 - (n == 4)}" for n in (1, 2, 3, 4)),
    ),
    "wmt/run.tsv": _lines("segment item rank", *(f"s{n} a 1\ns{n} b 2" for n in (1, 2, 3, 4))),
    "six.csv": "measure,topic,run,score\n"
    + "".join(f"ndcg,t{n},{run},.{score}\n" for run, scores in _SIX.items() for n, score in enumerate(scores)),
    **{f"{run}.csv": _topics(*scores) for run, scores in _SIX.items()},
    "unanimous.csv": "measure,topic,run,score\n"
    + "".join(
        f"{measure},t{case},s{run},{score}\n"
        for measure, rows in {"m1": (".9 .8", ".5 .6", ".5 .4"), "m2": (".7 .6", ".8 .5", ".2 .5")}.items()
        for run, row in enumerate(rows, 1)
        for case, score in enumerate(row.split(), 1)
    ),
    "robust.csv": "measure,topic,run,score\n"
    + "".join(
        f"score,t{topic},s{run},{score}\n"
        for run, row in enumerate((".9 .8 .3", ".5 .6 .6", ".1 .2 .2"), 1)
        for topic, score in enumerate(row.split(), 1)
    ),
}


def _tied(folder: Path) -> None:
    """The sentences with ties of the study, predicted and human ranks."""
    folder.mkdir()
    for name, side in (("run", 0), ("gold", 1)):
        rows = (f"s{n} i{place} {rank}" for n, both in enumerate(TIED) for place, rank in enumerate(both[side]))
        (folder / f"{name}.tsv").write_text(_lines("segment item rank", *rows), encoding="utf-8")


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
        for place, text in BY_HAND.items():
            (folder / place).parent.mkdir(exist_ok=True)
            (folder / place).write_text(text, encoding="utf-8")
        _tied(folder / "ties")
        for file in FOLDER.glob("*.csv"):
            shutil.copy(file, folder)
        shutil.copy(ROOT / "examples/summaries.csv", folder)
        (folder / "distance.csv").write_text(",neg,neu,pos\nneg,0,1,3\nneu,1,0,1\npos,3,1,0\n")
        shutil.copy(folder / "dialogues.csv", folder / "dialogues2.csv")
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
            for thing in those:
                if status not in (0, None):
                    said.append(f"{thing.paper} {thing.section}, {thing.thing}: '{command}' ends with {status}: {output[-200:]}")
                elif lacking := thing.lacks(output):
                    said.append(f"{thing.paper} {thing.section}, {thing.thing}: '{command}' does not show '{lacking}'")
    return said


def listed() -> str:
    """The list as a part of the page."""
    parts = [_BEGIN, ""]
    for paper, name in PAPERS.items():
        rows = [thing for thing in things() if thing.paper == paper]
        parts += [
            f"### {name}: {len(rows)} things",
            "",
            "| section | what | command | shows | stated in |",
            "|---|---|---|---|---|",
        ]
        for one in rows:
            command = f"`{one.command.replace('|', chr(92) + '|')}`" if one.runs else "none"
            cells = (one.section, one.thing, command, one.shows, one.stated)
            parts.append(f"| {' | '.join(cell if cell is command else cell.replace('|', '/') for cell in cells)} |")
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
