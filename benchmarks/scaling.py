"""How cost grows with items, topics, runs, classes and trials: each varied by itself, the others fixed.

Cost is processor seconds of all threads together, which waiting for a busy core does not change: the best of several calls,
after the start of Python. The exponent b of cost ~ size^b is that of a straight line through the larger half of the
sizes, both axes logarithmic: what is small is mostly what every call costs.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from harness import machine, print_table

import metameasure as mm
from metameasure.evidence.rankings import Rankings
from metameasure.show.canvas import COLOURS, GREY, LINES, MARKERS, house_style, save
from metameasure.statistics.tukey import randomised_tukey_hsd

LABELS, DISTRIBUTIONS, RANKINGS, TEST = "labels from files", "distributions", "rankings", "Tukey's test"
DIMENSIONS = ("items", "topics", "runs", "classes", "trials")


@dataclass(frozen=True)
class Case:
    """What is done at which sizes: one dimension varies, from the smallest size by equal factors."""

    what: str
    dimension: str
    sizes: Sequence[int]
    prepare: Callable[[int], Callable[[], Any]]
    """Makes what a size needs, and gives what is timed."""


def label_files(folder: Path, *, items: int, topics: int, runs: int, classes: int) -> Callable[[], Any]:
    """Gold and runs in Parquet, read, joined, checked, counted and scored."""
    place = folder / f"labels-{items}-{topics}-{runs}-{classes}"
    place.mkdir(exist_ok=True)
    paths = [place / f"{name}.parquet" for name in ("gold", *(f"run{run}" for run in range(runs)))]
    for number, path in enumerate(paths):
        label = f"hash(i, {number}) % {classes}"
        query = f"SELECT 'item' || i AS item, 't' || i % {topics} AS topic, {label} AS label FROM range({items}) t(i)"  # noqa: S608
        duckdb.sql(query).write_parquet(str(path))
    return lambda: mm.evaluate(paths[0], paths[1:], classes=f"0..{classes - 1}", measures="accuracy,kappa_linear,cem_ord")


def distributions(*, topics: int, runs: int, classes: int) -> Callable[[], Any]:
    """Arrays (runs, topics, classes), scored by three measures."""
    rng = np.random.default_rng(0)
    gold, estimates = (rng.dirichlet(np.ones(classes), shape) for shape in ((topics,), (runs, topics)))
    return lambda: [mm.measures[name](estimates, gold) for name in ("nmd", "rnod", "jsd")]


def rankings(*, segments: int, items: int, runs: int) -> Callable[[], Any]:
    """Segments of so many items with ties, scored by a measure of pairs and one of an order."""
    rng = np.random.default_rng(0)
    names = tuple(map(str, range(segments)))

    def drawn(*shape: int) -> Any:
        return rng.integers(1, max(3, items // 2), shape).astype(float)

    # Two sets of items by turns: where all segments have the same ones, systems are compared too, by a test of their own.
    own = np.arange(items) + items * (np.arange(segments)[:, None] % 2)
    facts: dict[str, Any] = {"runs": tuple(f"r{run}" for run in range(runs)), "topics": names, "sources": names}
    facts |= {"judges": (None,) * segments, "starts": np.arange(segments + 1) * items, "items": own.ravel()}
    gold, predicted = drawn(segments * items), drawn(runs, segments * items)

    def scored() -> Any:
        evidence = Rankings(**facts, item_names=tuple(map(str, range(2 * items))), gold=gold, predicted=predicted)
        return mm.evaluate(evidence, measures="tau@b,ndcg")

    return scored


def test(*, topics: int, runs: int, trials: int) -> Callable[[], Any]:
    """The randomised Tukey HSD of one measure."""
    scores = np.random.default_rng(0).random((topics, runs))
    return lambda: randomised_tukey_hsd(scores, trials=trials)


def cases(folder: Path, largest: float) -> list[Case]:
    """All of them, the sizes of each from the smallest up to a share of the largest."""

    def sizes(first: int, last: int) -> list[int]:
        steps = max(1, round(np.log2(max(first, last * largest) / first)))
        return [first * 2**step for step in range(steps + 1)]

    labels = {"items": 20_000, "topics": 10, "runs": 2, "classes": 5}
    masses = {"topics": 2_000, "runs": 4, "classes": 5}
    ranked = {"segments": 1_000, "items": 8, "runs": 4}
    tested = {"topics": 100, "runs": 16, "trials": 1_000}
    varied = {
        (LABELS, "items"): ("items", 20_000, 2_500_000),
        (LABELS, "topics"): ("topics", 16, 8_192),
        (LABELS, "runs"): ("runs", 2, 128),
        (LABELS, "classes"): ("classes", 2, 64),
        (DISTRIBUTIONS, "topics"): ("topics", 2_000, 256_000),
        (DISTRIBUTIONS, "runs"): ("runs", 4, 512),
        (DISTRIBUTIONS, "classes"): ("classes", 2, 256),
        (RANKINGS, "items"): ("items", 4, 256),
        (RANKINGS, "topics"): ("segments", 500, 32_000),
        (RANKINGS, "runs"): ("runs", 2, 128),
        (TEST, "topics"): ("topics", 25, 3_200),
        (TEST, "runs"): ("runs", 8, 256),
        (TEST, "trials"): ("trials", 500, 32_000),
    }
    makers: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        LABELS: (label_files, {"folder": folder, **labels}),
        DISTRIBUTIONS: (distributions, masses),
        RANKINGS: (rankings, ranked),
        TEST: (test, tested),
    }
    found = []
    for (what, dimension), (name, first, last) in varied.items():
        maker, fixed = makers[what]
        more = {"items": 100_000} if what == LABELS and name in ("topics", "classes") else {}
        prepare = lambda size, maker=maker, fixed={**fixed, **more}, name=name: maker(**{**fixed, name: size})  # noqa: E731
        found.append(Case(what, dimension, sizes(first, last), prepare))
    return found


def cost(call: Callable[[], Any], repeats: int) -> float:
    """Processor seconds, the fewest of some calls after a first one."""
    call()
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return max(min(taken), 1e-6)


def exponent(sizes: Sequence[int], costs: Sequence[float]) -> float:
    """The slope of the larger half of the sizes in a plot with logarithmic axes."""
    half = min(len(sizes) // 2, len(sizes) - 2)
    return float(np.polyfit(np.log(sizes[half:]), np.log(costs[half:]), 1)[0])


def two_digits(value: float) -> str:
    return f"{round(value, 2) + 0:.2f}"  # never -0.00


def measured(largest: float, repeats: int) -> list[dict[str, Any]]:
    """Sizes, costs and exponents of every case."""
    figures: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="scaling-") as folder:
        for case in cases(Path(folder), largest):
            costs = [cost(case.prepare(size), repeats) for size in case.sizes]
            first = next((one["first"] for one in figures if one["what"] == case.what), case.dimension)
            figures.append(
                {"what": case.what, "dimension": case.dimension, "first": first, "sizes": list(case.sizes), "costs": costs}
                | {"exponent": exponent(case.sizes, costs)}
            )
    return figures


def draw(figures: Sequence[dict[str, Any]], path: Path) -> None:
    """A panel for each dimension, a line for each kind of work."""
    kinds = list(dict.fromkeys(one["what"] for one in figures))

    def short(size: float, _: Any = None) -> str:
        unit = next((unit for unit in (10**6, 10**3) if size >= unit), 1)
        return f"{size / unit:g}{ {10**6: ' M', 10**3: ' k', 1: ''}[unit] }"

    with house_style():
        from matplotlib.figure import Figure  # noqa: PLC0415 - in our style
        from matplotlib.ticker import LogLocator  # noqa: PLC0415

        figure = Figure(figsize=(11, 3.6))
        panels = figure.subplots(1, len(DIMENSIONS), sharey=True)
        for panel, dimension in zip(panels, DIMENSIONS, strict=True):
            panel.set(xscale="log", yscale="log", title=dimension)
            for row, one in enumerate(one for one in figures if one["dimension"] == dimension):
                style = kinds.index(one["what"])
                label = one["what"] if dimension == one["first"] else None
                looks = {"color": COLOURS[style], "linestyle": LINES[style], "marker": MARKERS[style], "markersize": 4}
                panel.plot(one["sizes"], one["costs"], label=label, **looks)
                exponent = f"{one['what']}: {two_digits(one['exponent'])}"
                panel.text(
                    0.04, 0.98 - 0.07 * row, exponent, transform=panel.transAxes, color=COLOURS[style], fontsize=7, va="top"
                )
            for axis in (panel.xaxis, panel.yaxis):
                axis.set_major_formatter(short)
                axis.set_minor_formatter("")
            sizes = [size for one in figures if one["dimension"] == dimension for size in one["sizes"]]
            panel.xaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5) if max(sizes) < 100 * min(sizes) else (1,)))
            panel.grid(color=GREY, alpha=0.25, which="major")
        panels[0].set_ylim(top=panels[0].get_ylim()[1] * 30)  # room for the exponents
        panels[0].set_ylabel("processor seconds")
        figure.legend(loc="outside lower center", ncols=len(kinds))
        save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=float, default=1.0, help="this share of the largest sizes (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="the best of so many counts (default: %(default)s)")
    parser.add_argument(
        "--figures", type=Path, help="keep sizes and costs in this file, as JSON; if it is there, nothing is measured"
    )
    parser.add_argument("--chart", type=Path, help="draw them to this file")
    options = parser.parse_args()
    print(machine("duckdb"))
    kept = options.figures is not None and options.figures.exists()
    figures = json.loads(options.figures.read_text(encoding="utf-8")) if kept else measured(options.largest, options.repeats)
    rows = [
        (
            one["what"],
            one["dimension"],
            f"{one['sizes'][0]:,} to {one['sizes'][-1]:,}",
            f"{one['costs'][0]:.4f}",
            f"{one['costs'][-1]:.4f}",
            two_digits(one["exponent"]),
        )
        for one in sorted(figures, key=lambda one: DIMENSIONS.index(one["dimension"]))
    ]
    print_table("Cost against size", ("what", "of", "sizes", "first (s)", "last (s)", "exponent"), rows)
    if options.figures and not kept:
        options.figures.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.chart:
        draw(figures, options.chart)


if __name__ == "__main__":
    main()
