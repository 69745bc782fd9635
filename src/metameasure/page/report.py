"""The page itself: one file that opens from disk and asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Measure
from metameasure.core.errors import UsageError, deprecated
from metameasure.core.messages import data as as_findings
from metameasure.core.notes import counted
from metameasure.core.numbers import decimals
from metameasure.core.options import Arguments, part, with_options
from metameasure.core.output import whole_file
from metameasure.core.signature import UNSIGNED, Signature
from metameasure.page.answering import answer, cautions
from metameasure.page.charts import ON_PAPER
from metameasure.page.gathering import Content, Request, gather
from metameasure.page.sections import MOST_IN_A_MATRIX, definition, p_texts, sections, sections_of
from metameasure.show.formats import latex, markdown
from metameasure.show.grid import environment, sayable, shown, template_text
from metameasure.show.inert import visible, visible_line
from metameasure.show.table import Presentable, Signed, showing
from metameasure.tasks.gold_or_scores import are_scores
from metameasure.tasks.option_groups import ReportOptions
from metameasure.version import __version__

Floats = npt.NDArray[np.float64]
# Every score of the page is a 16-bit number, for its explorer to read.
STEPS = 65000
UNDEFINED, INFINITE, MINUS_INFINITE = 65535, 65534, 65533
_MOST_BYTES_OF_CUBE = 600_000
_PAGES = (".html", ".htm")
_DIGITS_OF_CUBE = 4  # its steps are too large for more
_IN_SCRIPT = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})

_INKS = ["|".join(map(re.escape, ON_PAPER)), ON_PAPER]
# How tables that are copied are escaped: as by --format markdown and latex.
_RULES = {
    "markup": markdown.MARKUP.pattern,
    "entities": markdown.ENTITIES.pattern,
    "names": markdown.ENTITY_NAMES,
    "apart": latex.LIGATURES.pattern,
    "letters": latex.LETTERS,
}


@dataclass(frozen=True)
class Report:
    """A page about an evaluation: its HTML, the answer that stands at its top, and what to be careful of."""

    html: str
    answer: tuple[str, ...]
    careful: tuple[str, ...]
    signature: Signature = UNSIGNED
    """How it was made."""
    findings: tuple[Mapping[str, Any], ...] = ()
    """What the answer and the cautions say, as data: kinds, whom they are about, numbers."""

    def save(self, path: str | Path) -> None:
        """Write the page, whole or not at all."""
        with whole_file(path) as scratch:
            scratch.write_text(self.html, encoding="utf-8", newline="\n")

    def __str__(self) -> str:
        return "\n".join([*self.answer, *(f"Caution: {one}" for one in self.careful)])

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """What stands at the top of the page, as JSON has it."""
        signed = {"signature": str(self.signature), "signature_parts": self.signature.parts()} if self.signature else {}
        notes = [*self.answer, *self.careful]
        return {
            "answer": list(self.answer), "careful": list(self.careful), "notes": notes, "findings": list(self.findings), **signed,
        }  # fmt: skip


def _page_first(args: tuple[Any, ...], keywords: dict[str, Any]) -> Arguments:
    """``report(scores, "page.html")``; and as in 0.2 ``report(gold, "page.html", runs)``."""
    if len(args) < 2 or not (_is_page(args[1]) or (args[1] is None and len(args) > 2)):
        return args, keywords
    data, page, *runs = args
    if (runs and runs[0] is not None and not _is_page(runs[0])) or "runs" in keywords:
        deprecated("the runs come before the page: report(gold, runs, 'page.html')")
        return (data, *runs), {**keywords, "path": page}
    return ((data,), {**keywords, "path": page}) if _is_page(page) else (args, keywords)


def _is_page(path: Any) -> bool:
    return isinstance(path, str | Path) and Path(path).suffix.lower() in _PAGES


@with_options(ReportOptions, former=_page_first, renamed={"data": "gold"})
def report(asked: ReportOptions, gold: Any, runs: Any = None, path: str | Path | None = None) -> Report:
    """Make one self-contained page about an evaluation.

    ``report(gold, runs, "page.html", classes=...)`` takes what ``evaluate`` takes. ``report(scores, "page.html")`` takes scores,
    and leaves out what needs gold.

    Parameters
    ----------
    gold : path, data frame, array, evidence, scores or another result
        Gold; or scores from ``evaluate``, matrices, a frame or a file of scores. Of the result of ``judge``, ``agree``,
        ``study`` or ``axioms`` the page has the answer, its tables and its chart.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    path : path, optional
        The page to write.

    Returns
    -------
    Report
        The page, ``.html``, and what stands at its top. It prints as the answer.

    Raises
    ------
    UsageError
        If an option makes no sense, or the page cannot be written there.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Scores from ``evaluate`` have been made with ``average``, ``interval``, ``level`` and ``undefined`` already.

    Examples
    --------
    >>> import metameasure as mm
    >>> scores = mm.evaluate([1, 2, 1, 2], {"a": [1, 2, 1, 1], "b": [2, 2, 1, 1]}, classes=[1, 2], measures="accuracy")
    >>> print(mm.report(scores).answer[0])
    By accuracy, a is first of 2 runs (0.750; higher is better).

    """
    if path is not None:
        check_page_path(path)
    if isinstance(gold, Presentable) and not are_scores(gold):
        with showing(asked.digits):
            made = page_of_result(gold, asked.title)
    else:
        request = part(Request, asked)
        with showing(asked.digits):
            made = _page_of(gather(gold, runs, request), asked.title)
    if path is not None:
        made.save(path)
    return made


def check_page_path(path: str | Path) -> None:
    """UsageError for a name that no browser takes for a page, or a folder that is not there: said before all is computed."""
    if Path(path).suffix.lower() not in _PAGES:
        raise UsageError(f"'{path}' is not the name of a page", hint="let it end in .html")
    if not Path(path).absolute().parent.is_dir():
        raise UsageError(f"there is no folder '{Path(path).parent}'", hint="make it, or name another")


def _page_of(content: Content, title: str) -> Report:
    """The page of what was gathered."""
    page = _page(
        visible_line(title) or _title(content),
        answer(content),
        cautions(content),
        facts=_facts(content),
        sections=sections(content),
        with_baselines=bool(content.scores.baselines),
    )
    return replace(page, signature=content.signature)


def page_of_result(result: Presentable, title: str = "") -> Report:
    """A page about one result (judges on trial, agreement, a study, properties): its answer, its tables, its chart."""
    made, measures = sections_of(result)
    about = _about([(one.id, one) for one in measures])
    facts: dict[str, Any] = {"about": about, "measures": [], "topics": [], "runs": [], "word": "topic", "cube": None, "p": []}
    said = result.in_words()
    page = _page(visible_line(title or result.title), said, (), facts=facts, sections=made, with_baselines=False)
    return replace(page, signature=result.signature) if isinstance(result, Signed) else page


def _page(title: str, sentences: Sequence[str], warned: Sequence[str], *, facts: dict[str, Any], **parts: Any) -> Report:
    """The page with these sentences at its top; its script reads the facts as JSON that no name can break out of."""
    said, careful = ([sayable(visible_line(one)) for one in part] for part in (sentences, warned))
    findings = as_findings([*sentences, *warned])
    facts = facts | {"findings": findings, "escape": _RULES, "inks": _INKS, "digits": min(decimals(), _DIGITS_OF_CUBE)}
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_IN_SCRIPT)
    script = _without_comments(template_text("page.js", "metameasure.page"))
    style = template_text("table.css") + "\n" + template_text("page.css", "metameasure.page")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    html = environment("metameasure.page").get_template("page.html.j2").render(
        title=title, answer=said, careful=careful, data=data, style=style, script=script, script_digest=digest,
        version=__version__, **parts,
    )  # fmt: skip
    return Report(html, tuple(said), tuple(careful), findings=tuple(findings))


def _without_comments(script: str) -> str:
    """A script as a page has it: what is there for those who change it is left out."""
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _title(content: Content) -> str:
    task = content.scores.task.capitalize() or "Scores"
    return f"{task}: {counted(len(content.own), 'run')}, {counted(len(content.scores.measures), 'measure')}"


def _facts(content: Content) -> dict[str, Any]:
    """What the script reads."""
    scores = content.scores
    order = [run for run in scores.order() if scores.own[run]]
    cube = scores.values[:, :, order]
    whole = len(scores.topics) > 1 and cube.size * 8 / 3 <= _MOST_BYTES_OF_CUBE
    return {
        "about": _about(content.defined),
        "measures": [{"id": shown(one.id), "better": one.better or ""} for one in scores.measures],
        "topics": [shown(topic) for topic in scores.topics] if whole else [],
        "runs": [shown(scores.runs[run]) for run in order],
        "word": scores.topic_word,
        "cube": packed(cube) if whole else None,
        "p": _p_values(content),
    }


def _about(measures: Sequence[tuple[str, Measure | None]]) -> dict[str, str]:
    """Each measure in a few words, by its name on the page."""
    return {shown(id): visible(definition(measure, id)) for id, measure in measures}


def _p_values(content: Content) -> list[dict[str, Any]]:
    """The p-values by every measure, for the table of significance, as they are shown there."""
    compared = [one for one in content.comparisons.values() if len(one.runs) <= MOST_IN_A_MATRIX]
    return [
        {
            "id": shown(one.measure),
            "alpha": one.alpha,
            "runs": [shown(run) for run in one.runs],
            "p": p_texts(one),
        }
        for one in compared
    ]


def packed(values: Floats) -> dict[str, Any]:
    """An array (measures, ...) as text, each measure from its lowest to its highest score in 65,000 steps."""
    flat = values.reshape(len(values), -1)
    finite = np.isfinite(flat)
    low = np.where(finite, flat, np.inf).min(axis=1, initial=np.inf)
    high = np.where(finite, flat, -np.inf).max(axis=1, initial=-np.inf)
    some = np.isfinite(low)
    low, high = np.where(some, low, 0.0), np.where(some, high, 1.0)
    span = np.where(high > low, high - low, 1.0)
    steps = np.rint((np.where(finite, flat, low[:, None]) - low[:, None]) / span[:, None] * STEPS)
    coded = np.select(
        [np.isnan(flat), flat == np.inf, flat == -np.inf], [UNDEFINED, INFINITE, MINUS_INFINITE], default=steps
    ).astype("<u2")
    ends = [[float(f"{end:.9g}") for end in pair] for pair in zip(low, low + span, strict=True)]
    return {"ends": ends, "steps": STEPS, "codes": base64.b64encode(coded.tobytes()).decode()}
