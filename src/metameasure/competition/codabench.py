"""What Codabench reads of a bundle: competition.yaml in its second version, and pages in Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from metameasure.catalogue.explain import explanation_markdown
from metameasure.catalogue.measure import Measure
from metameasure.competition.config import Config
from metameasure.competition.scoring import column_key


def parts(config: Config, measures: Sequence[Measure]) -> dict[str, bytes]:
    """The files beside the programs and the data, by name."""
    return {
        "competition.yaml": _competition(config, measures),
        "pages/terms.md": config.terms,
        "pages/evaluation.md": _evaluation_page(config, measures),
    }


def _competition(config: Config, measures: Sequence[Measure]) -> bytes:
    """YAML, of which JSON is a part."""
    columns = [
        {
            "title": measure.id,
            "key": column_key(measure),
            "index": place,
            "sorting": "asc" if measure.better == "lower" else "desc",
        }
        for place, measure in enumerate(measures)
    ]
    facts: dict[str, Any] = {
        "version": 2,
        "title": config.title,
        "description": config.description,
        "image": "logo.png",
        "terms": "pages/terms.md",
        "docker_image": config.image,
        "enable_detailed_results": True,
        "pages": [{"title": "Evaluation", "file": "pages/evaluation.md"}],
        "tasks": [
            {
                "index": 0,
                "name": config.title,
                "description": config.description,
                "reference_data": "reference_data.zip",
                "scoring_program": "scoring_program.zip",
            }
        ],
        "phases": [{"name": "Test", "start": config.start, "tasks": [0]}],
        "leaderboards": [{"title": "Results", "key": "results", "columns": columns}],
    }
    return (json.dumps(facts, ensure_ascii=False, indent=2) + "\n").encode()


def _evaluation_page(config: Config, measures: Sequence[Measure]) -> bytes:
    """What participants read: which measures, which is the primary one, and what becomes of undefined scores."""
    opening = "".join(f"{one}\n\n" for one in config.opening(measures[0].id))
    return (opening + "\n".join(explanation_markdown(measure) for measure in measures)).encode()
