"""What a signature says of measures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from metameasure.catalogue.measure import Measure


def signed_measures(measures: Iterable[Measure]) -> dict[str, Any]:
    """What a signature says of measures: their ids with their settings, and digests of the files of those that are not ours."""
    chosen = list(measures)
    others = [measure for measure in chosen if not measure.module.startswith("metameasure.")]
    named = {file.name if (file := one.source_file()) is not None else one.module: one for one in others}
    plugin = {name: named[name].code_digest()[:12] for name in sorted(named)}
    return {"measures": [measure.id for measure in chosen], "plugin": plugin or None}
