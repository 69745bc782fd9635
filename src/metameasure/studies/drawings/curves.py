"""Sakai (2021), Figures 1 to 3: curves of discriminative power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from metameasure.meta.discriminative_power import Discrimination
from metameasure.show.table import Drawing


def power_curves(name: str, blocks: Sequence[Discrimination], why: str, published: str) -> Drawing:
    """A panel of curves for each data set; below them what is published, and what the data are where they are not the paper's."""
    notes = [f"Published, DialEval-1 E, of 231 pairs: {published}."] if published else []
    together = replace(blocks[0], data=tuple(blocks), notes=())
    title = f"{name.replace('-', ' ').capitalize()}: discriminative power"
    return Drawing(name, title, lambda width: together.draw_all(width, [*notes, *([why] if why else [])]))
