"""One submission scored as a platform does it: gold with its settings and a run in, scores and a page out."""

from __future__ import annotations

import html
import json
import math
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.registry import default_registry
from metameasure.cleaning.submissions import is_of_system
from metameasure.core.errors import DataError, MetameasureError
from metameasure.core.messages import say
from metameasure.core.output import whole_file
from metameasure.evaluating.evaluate import evaluate
from metameasure.page.report import Report, report
from metameasure.scores.scores import Scores
from metameasure.show.inert import ACTIVE, visible

SETTINGS = "settings.json"
LAST = 1_000_000.0
"""What is written for a score that is undefined, with the sign that ranks it last: platforms put an empty cell first."""
_SCORES = ("scores.txt", "evaluation.prototext", "scores.json")
OF_THE_PAGE = frozenset({"ci", "interval", "level"})
"""Settings that are about the page only: what is written for the leaderboard are scores."""


def column_key(measure: Measure) -> str:
    r"""The key of a measure's column, which no other measure has: letters, digits and underscores. What separates the parts of a
    parameter is an underscore; any other character is written as ``__2d_``, its number.

    >>> [column_key(default_registry()[name]) for name in ("mae_macro", "ndcg@10:gain=linear", "recall@1", "recall@-1")]
    ['mae_macro', 'ndcg_10_gain_linear', 'recall_1', 'recall___2d_1']
    """
    base, at, text = measure.id.partition("@")
    if not at:
        return base
    parts = measure.argument if isinstance(measure.parameter, Labels) else re.split(r"[:=._]", text)
    written = "_".join("".join(char if char.isalnum() else f"__{ord(char):x}_" for char in part) for part in parts)
    key = f"{base}_{written}"
    other = default_registry().find(key)
    is_other = other is not None and key in (other.template, *other.aliases)  # f1@macro is not f1_macro
    return f"{base}__40_{written}" if is_other else key


def score_submission(reference: str | Path, submission: str | Path, target: str | Path) -> int:
    """Score a submission, a file or a folder with one file in it, against the gold and by the settings in the folder
    ``reference``. Writes detailed_results.html, scores.txt, evaluation.prototext (which TIRA reads) and, when all else is there,
    scores.json into ``target``. The exit status: 1 where the submission is broken, with what is wrong on standard error and on
    the page."""
    folder, output = Path(reference), Path(target)
    settings: dict[str, Any] = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    gold = folder / settings.pop("gold")
    output.mkdir(parents=True, exist_ok=True)
    for name in _SCORES:  # an earlier submission's
        (output / name).unlink(missing_ok=True)
    try:
        with _sayable(_only_file(Path(submission), folder)) as run:
            scores, page = scored(str(gold), {"submission": str(run)}, settings)
    except MetameasureError as error:
        text = visible(str(error))
        sys.stderr.write(f"{text}\n")
        explained = (
            f"<!DOCTYPE html><meta charset='utf-8'><title>Not scored</title><h1>Not scored</h1><pre>{html.escape(text)}</pre>\n"
        )
        _write(output / "detailed_results.html", explained)
        return error.exit_status
    page.save(output / "detailed_results.html")
    _write_scores(scores.measures, scores.averages()[:, list(scores.runs).index("submission")].tolist(), output)
    return 0


def scored(gold: Any, runs: Mapping[str, str] | None, settings: Mapping[str, Any]) -> tuple[Scores, Report]:
    """The scores of a submission and the page about it."""
    about_scores = {name: value for name, value in settings.items() if name not in OF_THE_PAGE}
    scores = evaluate(gold, runs, **about_scores)
    about_page = {name: value for name, value in settings.items() if name != "ci"}  # a page always has intervals
    return scores, report(gold, runs, title="Your submission", **about_page)


def _only_file(folder: Path, reference: Path) -> Path:
    """The file that was submitted: the one in the archive, but for what systems leave there."""
    if folder.is_file():
        return folder
    submitted = (path for path in folder.rglob("*") if path.is_file() and not is_of_system(path.relative_to(folder)))
    files = sorted(path for path in submitted if not path.name.startswith(".") and path.name != "metadata")
    if len(files) != 1:
        named = f": {', '.join(path.name for path in files[:5])}" if files else ""
        raise DataError(
            say("the submission holds {files} files{named}", files=len(files), named=named),
            hint="submit an archive with one file in it",
        )
    if reference.resolve() in files[0].resolve().parents:
        raise DataError("the submission is a link to what it is scored against", hint="submit a file of your own")
    return files[0]


@contextmanager
def _sayable(path: Path) -> Iterator[Path]:
    """The file under a name that engines and messages can take: itself, or a copy where its name is no text."""
    if not ACTIVE.search(str(path)):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="metameasure-") as place:
        copy = Path(place, ACTIVE.sub("_", path.name))
        shutil.copyfile(path, copy)
        yield copy


def _write_scores(measures: tuple[Measure, ...], values: list[float], output: Path) -> None:
    written: dict[str, float] = {}
    for measure, value in zip(measures, values, strict=True):
        last = LAST if measure.better == "lower" else -LAST
        written[column_key(measure)] = value if math.isfinite(value) else last
        if not math.isfinite(value):
            what = "undefined" if math.isnan(value) else "infinite"
            sys.stderr.write(f"{measure.id} is {what} for this submission; {last:g} ranks it last\n")
    lines = "".join(f"{key}: {value!r}\n" for key, value in written.items())
    measured = "".join(f'measure {{\n  key: "{key}"\n  value: "{value!r}"\n}}\n' for key, value in written.items())
    for name, text in zip(_SCORES, (lines, measured, json.dumps(written, indent=2) + "\n"), strict=True):
        _write(output / name, text)


def _write(path: Path, text: str) -> None:
    with whole_file(path) as scratch:
        scratch.write_text(text, encoding="utf-8")
