"""Figures and files: one look, colours that all readers can tell apart, the same bytes each time. Loads matplotlib when drawn."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.output import whole_file
from metameasure.show.inert import visible
from metameasure.show.lettering import TYPE, typeset

if TYPE_CHECKING:
    from matplotlib import axes, figure

    Axes: TypeAlias = axes.Axes
    Figure: TypeAlias = figure.Figure
else:
    Axes = Figure = Any  # names for annotations; the library is loaded when something is drawn

Floats = npt.NDArray[np.float64]
# Okabe and Ito's palette, without black and yellow; line styles and markers tell more measures apart, and in print.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LINES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREY = "#999999"
_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": TYPE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(("axes.titlesize", "axes.labelsize", "legend.fontsize", "xtick.labelsize", "ytick.labelsize"), TYPE),
    **dict.fromkeys(("axes.linewidth", "xtick.major.width", "ytick.major.width"), 0.6),
    **dict.fromkeys(("xtick.major.size", "ytick.major.size"), 2.5),
    **dict.fromkeys(("xtick.major.pad", "ytick.major.pad"), 2.5),
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.hashsalt": "metameasure",
    "text.hinting": "none",  # letters as wide as they were measured, at any size
    "text.parse_math": False,  # a name such as $a_$ is a name
    "svg.fonttype": "none",  # text stays text, to be found and copied
    "pdf.fonttype": 42,
}
# What would make two files of the same chart differ.
_DATES: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
WIDTHS = {"column": 3.3, "page": 6.9}
"""Inches of a column and of a page in a paper of two columns."""
_NARROWEST, _WIDEST = 2.0, 40.0
RULE, PAPER = "#e5e5e5", "#fefefe"
Width: TypeAlias = str | float


@contextmanager
def house_style() -> Iterator[None]:
    """Our look, whatever the user's settings are; they come back afterwards."""
    log = logging.getLogger("matplotlib")
    usual = log.level
    log.setLevel(logging.ERROR)  # it warns if the home directory is read-only
    try:
        try:
            import matplotlib as mpl  # noqa: PLC0415 - loaded when something is drawn
        except Exception as error:  # absent, or broken in whatever way
            raise UsageError(f"charts need matplotlib, which cannot be loaded ({error})", hint="install it again") from None

        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(_STYLE)
            yield
    finally:
        log.setLevel(usual)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure that needs no screen; sizes in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def check_chart_path(path: str | Path) -> str:
    """The format that a name asks for; UsageError for another."""
    format = Path(path).suffix.lower().removeprefix(".")
    if format not in _DATES:
        raise UsageError(f"'{path}' does not say which format to draw", hint="let it end in .svg, .pdf or .png")
    return format


def save(figure: Figure, path: str | Path) -> None:
    """The figure in a file, whole or not at all."""
    format = check_chart_path(path)
    with whole_file(path) as scratch:
        metadata: Any = _DATES[format]
        figure.savefig(scratch, format=format, metadata=metadata)


def inches(width: Width) -> float:
    """A width as users give it: column, page or a number of inches."""
    try:
        size = WIDTHS[width] if isinstance(width, str) and width in WIDTHS else float(width)
    except ValueError:
        size = math.nan
    if not _NARROWEST <= size <= _WIDEST:
        raise UsageError(
            say("{--width} is '{width}'", width=width),
            hint=say(
                "column, page, or inches from {narrowest:g} to {widest:g}, as in {--width 4.5}",
                narrowest=_NARROWEST,
                widest=_WIDEST,
            ),
        )
    return size


def with_inert_text(figure: Figure) -> Figure:
    """The figure with names that do nothing (a control character is shown as Python writes it; an SVG with one in it is no XML),
    and with the symbols of measures as papers set them."""
    from matplotlib.text import Text  # noqa: PLC0415
    from matplotlib.ticker import FixedLocator  # noqa: PLC0415

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(axis.get_major_locator(), FixedLocator):  # names beside an axis are set anew whenever it is drawn
                written = [typeset(visible(label.get_text())) for label in axis.get_ticklabels()]
                if any(text for text, _ in written):
                    axis.set_ticks(axis.get_ticklocs(), [text for text, _ in written])
                    for label, (_, mathematics) in zip(axis.get_ticklabels(), written, strict=True):
                        label.set_parse_math(mathematics)
    for text in figure.findobj(Text):
        shown, mathematics = typeset(visible(text.get_text()))
        if shown != text.get_text():
            text.set_text(shown)
            text.set_parse_math(mathematics)
    return figure
