"""One submission scored as a platform does it: gold with its settings and a run in, scores and a page out."""

from __future__ import annotations

import html
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.errors import DataError, MetameasureError
from metameasure.evaluation import evaluate
from metameasure.formats.output import whole_file
from metameasure.reporting.page import report
from metameasure.show.inert import visible

SETTINGS = "settings.json"
LAST = 1_000_000.0
"""What is written for a score that is undefined, with the sign that ranks it last: platforms put an empty cell first."""


def column_key(measure: str) -> str:
    """The key of a measure's column: letters, digits and underscores."""
    return re.sub(r"\W+", "_", measure).strip("_")


def score_submission(reference: str | Path, submission: str | Path, target: str | Path) -> int:
    """Score a submission, a file or a folder with one file in it, against the gold and by the settings in the folder
    ``reference``. Writes scores.json, scores.txt, evaluation.prototext (which TIRA reads) and detailed_results.html into
    ``target``. The exit status: 1 where the submission is broken, with what is wrong on standard error and on the page."""
    folder, output = Path(reference), Path(target)
    settings: dict[str, Any] = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    gold = folder / settings.pop("gold")
    output.mkdir(parents=True, exist_ok=True)
    try:
        runs = {"submission": str(_only_file(Path(submission)))}
        scores = evaluate(str(gold), runs, **settings)
        _write_scores(scores.measures, scores.averages()[:, list(scores.runs).index("submission")].tolist(), output)
        report(str(gold), output / "detailed_results.html", runs, title="Your submission", **settings)
    except MetameasureError as error:
        text = visible(str(error))
        sys.stderr.write(f"{text}\n")
        page = (
            f"<!DOCTYPE html><meta charset='utf-8'><title>Not scored</title><h1>Not scored</h1><pre>{html.escape(text)}</pre>\n"
        )
        _write(output / "detailed_results.html", page)
        return error.exit_status
    return 0


def _only_file(folder: Path) -> Path:
    """The file that was submitted: the one in the archive, but for what systems leave there."""
    if folder.is_file():
        return folder
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".") and path.name != "metadata" and "__MACOSX" not in path.parts
    )
    if len(files) != 1:
        named = f": {', '.join(path.name for path in files[:5])}" if files else ""
        raise DataError(f"the submission holds {len(files)} files{named}", hint="submit an archive with one file in it")
    return files[0]


def _write_scores(measures: tuple[Measure, ...], values: list[float], output: Path) -> None:
    written: dict[str, float] = {}
    for measure, value in zip(measures, values, strict=True):
        last = LAST if measure.better == "lower" else -LAST
        written[column_key(measure.id)] = value if math.isfinite(value) else last
        if not math.isfinite(value):
            sys.stderr.write(f"{measure.id} is undefined for this submission; {last:g} ranks it last\n")
    _write(output / "scores.json", json.dumps(written, indent=2) + "\n")
    _write(output / "scores.txt", "".join(f"{key}: {value!r}\n" for key, value in written.items()))
    measured = (f'measure {{\n  key: "{key}"\n  value: "{value!r}"\n}}\n' for key, value in written.items())
    _write(output / "evaluation.prototext", "".join(measured))


def _write(path: Path, text: str) -> None:
    with whole_file(path) as scratch:
        scratch.write_text(text, encoding="utf-8")
