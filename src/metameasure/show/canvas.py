"""Figures and files: one look, colours that all readers can tell apart, the same bytes each time. Loads matplotlib when drawn."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.formats.output import whole_file
from metameasure.show.inert import shortened, visible

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
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.hashsalt": "metameasure",
    "text.parse_math": False,  # a name such as $a_$ is a name
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
# What would make two files of the same chart differ.
_DATES: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
_MOST_ACROSS = 4
# Characters that a line of a chart may have before its middle is left out: beside an axis, and in a title or below an axis.
_LONGEST_NAME, _LONGEST_TITLE = 48, 100


@contextmanager
def house_style() -> Iterator[None]:
    """Our look, whatever the user's settings are; they come back afterwards."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it complains where the home is read-only
    try:
        import matplotlib as mpl  # noqa: PLC0415 - loaded when something is drawn
    except Exception as error:  # absent, or broken in whatever way
        raise UsageError(f"charts need matplotlib, which cannot be loaded ({error})", hint="install it anew") from None

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


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


def with_inert_text(figure: Figure) -> Figure:
    """The figure with names that do nothing: a control character is shown as Python writes it (an SVG with one in it is no XML),
    and a name that would push the chart off its page is cut."""
    from matplotlib.text import Text  # noqa: PLC0415
    from matplotlib.ticker import FixedLocator  # noqa: PLC0415

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(axis.get_major_locator(), FixedLocator):  # names beside an axis are set anew whenever it is drawn
                names = [label.get_text() for label in axis.get_ticklabels()]
                if any(name != _inert(name) for name in names):
                    axis.set_ticks(axis.get_ticklocs(), [_inert(name) for name in names])
    titles = {id(one) for axes in figure.axes for one in (axes.title, axes.xaxis.label, axes.yaxis.label)}
    for text in figure.findobj(Text):
        shown = _inert(text.get_text(), _LONGEST_TITLE if id(text) in titles else _LONGEST_NAME)
        if shown != text.get_text():
            text.set_text(shown)
    return figure


def _inert(text: str, longest: int = _LONGEST_NAME) -> str:
    return "\n".join(shortened(line, longest) for line in visible(text).split("\n"))


def panels(number: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """A grid of so many panels of that size each."""
    across = number if number <= _MOST_ACROSS else _MOST_ACROSS if number % _MOST_ACROSS == 0 else _MOST_ACROSS - 1
    down = -(-number // across)
    figure = new_figure(width * across, height * down)
    axes = [figure.add_subplot(down, across, place + 1) for place in range(number)]
    return figure, axes


def heat_map(
    axes: Axes,
    values: Floats,
    names: tuple[Sequence[str], Sequence[str]],
    texts: Sequence[Sequence[str]],
    ends: tuple[float, float],
) -> None:
    """Numbers with their names down and across, darker from the first end to the second; NaN stays empty. Darkness alone says
    it, so it prints in grey too."""
    from matplotlib import colormaps  # noqa: PLC0415

    (down, across), (low, high) = names, ends
    colours = colormaps["Blues"].with_extremes(bad="#ffffff")
    axes.imshow(np.ma.masked_invalid(values), cmap=colours, vmin=low, vmax=high, aspect="equal")
    for row, cells in enumerate(texts):
        for column, text in enumerate(cells):
            dark = (values[row, column] - low) > 0.6 * (high - low)
            axes.text(column, row, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")
    axes.set_xticks(range(len(across)), across, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(down)), down)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def dots(
    axes: Axes,
    names: Sequence[str],
    values: Floats,
    *,
    ends: tuple[Floats, Floats] | None = None,
    texts: Sequence[str] = (),
    labelled: bool = True,
) -> None:
    """A dot for each name, the first at the top, with a bar where there is an interval and a text beside it."""
    places = np.arange(len(names))
    if ends is not None:
        axes.hlines(places, ends[0], ends[1], color=GREY, linewidth=2)
    axes.plot(values, places, "o", color=COLOURS[0], markersize=5)
    for place, text in enumerate(texts):
        axes.annotate(text, (values[place], place), xytext=(6, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(places, names if labelled else [""] * len(names))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.margins(x=0.12)
    if any(texts):
        left, right = axes.get_xlim()
        axes.set_xlim(left, right + 0.12 * (right - left))
    axes.locator_params(axis="x", nbins=6)
    axes.grid(axis="y", color="#e5e5e5", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)


def rows_high(number: int) -> float:
    """Inches for so many rows of a dot plot, title and axis included."""
    return 1.2 + 0.24 * number
