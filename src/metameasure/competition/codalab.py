"""What CodaLab reads of a bundle: competition.yaml as of version 1.5, and pages in HTML."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from metameasure.catalogue.explain import range_text
from metameasure.catalogue.measure import Measure
from metameasure.competition.config import Config
from metameasure.competition.scoring import column_key
from metameasure.show.inert import visible
from metameasure.show.table import Table

_BOARD = {"label": "Results", "rank": 1}


def parts(config: Config, measures: Sequence[Measure]) -> dict[str, bytes]:
    """The files beside the programs and the data, by name."""
    return {
        "competition.yaml": _competition(config, measures),
        "overview.html": f"<h1>{html.escape(config.title)}</h1>\n<p>{html.escape(config.description)}</p>\n".encode(),
        "evaluation.html": _evaluation_page(config, measures),
        "terms.html": _terms(config),
        "data.html": b"<p>Submit an archive (.zip) with one file in it: your run.</p>\n",
    }


def _competition(config: Config, measures: Sequence[Measure]) -> bytes:
    """YAML: a line for each part, its value as JSON; phases go by numbers, which no JSON has for keys."""
    pages = {"overview": "overview.html", "evaluation": "evaluation.html", "terms": "terms.html", "data": "data.html"}
    phase = {
        "phasenumber": 1,
        "label": "Test",
        "start_date": config.start,
        "max_submissions": 100,
        "is_scoring_only": True,
        "reference_data": "reference_data.zip",
        "scoring_program": "scoring_program.zip",
    }
    columns = {
        column_key(measure): {
            "leaderboard": _BOARD,
            "label": measure.id,
            "rank": place,
            "sort": "asc" if measure.better == "lower" else "desc",
            "numeric_format": 4,
            **({"selection_default": 1} if place == 1 else {}),
        }
        for place, measure in enumerate(measures, 1)
    }
    facts: dict[str, Any] = {
        "title": config.title,
        "description": config.description,
        "image": "logo.png",
        "competition_docker_image": config.image,
        "has_registration": True,
        "enable_detailed_results": True,
        "html": pages,
    }
    lines = [f"{name}: {_value(value)}" for name, value in facts.items()]
    lines += ["phases:", f"  1: {_value(phase)}"]
    lines += ["leaderboard:", f"  leaderboards: {_value({'Results': _BOARD})}", "  columns:"]
    lines += [f"    {_value(key)}: {_value(column)}" for key, column in columns.items()]
    return ("\n".join(lines) + "\n").encode()


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _evaluation_page(config: Config, measures: Sequence[Measure]) -> bytes:
    """What participants read: which measures, which is the primary one, and what becomes of undefined scores."""
    rows = tuple(
        (one.id, f"{one.title} ({one.symbol})", one.formula, range_text(one), "; ".join(map(str, one.source))) for one in measures
    )
    opening = "".join(f"<p>{html.escape(one)}</p>\n" for one in config.opening(measures[0].id))
    return (opening + Table(("measure", "what it is", "formula", "range", "source"), rows).render("html")).encode()


def _terms(config: Config) -> bytes:
    """HTML as it is; Markdown and plain text as they are written."""
    if Path(str(config.about.get("terms", ""))).suffix.lower() in (".html", ".htm"):
        return config.terms
    text = visible(config.terms.decode("utf-8", "replace"))
    return f'<div style="white-space: pre-wrap">{html.escape(text)}</div>\n'.encode()
