"""Topic set sizes as a table."""

from __future__ import annotations

from metameasure.show.numbers import FULL, exact, percent
from metameasure.show.table import Table
from metameasure.topic_set_size import VARIANCES, Design, MeasureDesign


def design_table(found: Design, format: str) -> Table:
    """A row for each measure: what a difference takes, and what the topics at hand can find."""
    if format in FULL:
        columns = found.columns()
        rows = zip(*([exact(cell) for cell in column] for column in columns.values()), strict=True)
        return Table(tuple(columns), tuple(rows))
    headings = ["measure", found.variance]
    if found.difference is not None:
        headings.append(f"topics for {found.difference:g}")
    headings += ["simulated %", "on residuals %", "topics now", "finds now", "interval now"]
    if found.wanted_width is not None:
        headings.append(f"topics for width {found.wanted_width:g}")
    headings.append("pairs of runs")
    rows_of_measures = tuple(tuple(_row(one, found)) for one in found.measures)
    return Table(tuple(headings), rows_of_measures, right=frozenset(headings[1:]), notes=_notes(found))


def _row(one: MeasureDesign, found: Design) -> list[str]:
    cells = [one.id, f"{one.variance:.4g}"]
    if found.difference is not None:
        cells.append(_topics(one.topics))
    cells += [percent(one.simulated), percent(one.resampled), str(one.topics_now), f"{one.detectable:.4f}", f"{one.width:.4f}"]
    if found.wanted_width is not None:
        cells.append(_topics(one.topics_for_width))
    return [*cells, f"{one.pairs[0]:.2f} to {one.pairs[1]:.2f}"]


def _topics(number: int | None) -> str:
    return "more than 10,000,000" if number is None else f"{number:,}"


def _notes(found: Design) -> tuple[str, ...]:
    finds = "Finds now: the smallest difference that the topics at hand find."
    if found.difference is None:
        finds += " Add --difference D for the topics that D takes."
    departs = "by what factors the variance of two runs' difference departs from the mean of all pairs"
    return (
        f"For a {found.how()}, alpha = {found.alpha:g}, power {found.power:.0%}.",
        finds,
        f"{found.variance} is {VARIANCES[found.variance]} of these scores.",
        "Simulated: the power in normal data of that variance; on residuals: in data drawn from these scores' own residuals.",
        "Interval now: the full width of a confidence interval of a difference.",
        f"Pairs of runs: {departs}. A pair of factor 2 needs twice as many topics.",
        *(f"{note}." for note in found.notes),
        f"{found.trials} simulated data sets, seed {found.seed}.",
    )
