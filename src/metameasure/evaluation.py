"""Gold and runs in, scores out: the whole road in one call."""

from __future__ import annotations

import hashlib
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure import __version__
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.errors import MetameasureWarning, UsageError, did_you_mean
from metameasure.evidence.counting import count_tables
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.joint import count_jointly
from metameasure.evidence.prepare import CountOptions
from metameasure.formats.columns import Columns
from metameasure.formats.labels import LabelTables, ReadOptions, frames_to_tables, read_gold_alone, read_label_files
from metameasure.scale import Classes, Kind, Scale
from metameasure.scores import intervals as bootstrap
from metameasure.scores.baselines import baselines as make_baselines
from metameasure.scores.cube import Average, Scores

if TYPE_CHECKING:
    from collections.abc import Iterator

TASKS = ("classification",)


@dataclass(frozen=True)
class Labels:
    """Gold and runs as a user names them, and how they are to be read and counted."""

    gold: Any
    runs: Any
    read: ReadOptions
    count: CountOptions

    @contextmanager
    def tables(self, *, alone: bool = False) -> Iterator[LabelTables]:
        """The tables, while the files they come from are needed. ``alone`` takes gold as its own only run."""
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            if alone:
                yield read_gold_alone(self.gold, self.read, Path(scratch))
            else:
                yield _open(self.gold, self.runs, self.read, Path(scratch))

    def counts(self) -> LabelCounts:
        with self.tables() as tables:
            return count_tables(tables, self.count)


def labels(
    gold: Any,
    runs: Any = None,
    *,
    classes: Classes | None = None,
    kind: Kind | None = None,
    bins: Sequence[float] = (),
    missing: str | None = None,
    partitions: int | None = None,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
    run_columns: Sequence[str] = (),
    format_in: str | None = None,
    threads: int | None = None,
    memory: str | None = None,
) -> Labels:
    """Labels to evaluate: paths (patterns, ``-``) or data frames. See ``evaluate``."""
    read = ReadOptions(_columns(columns or {}), format_in, bool(bins), tuple(run_columns), threads, memory)
    return Labels(gold, runs, read, CountOptions(classes, kind, tuple(bins), missing, partitions, seed))


def evaluate(
    gold: Any,
    runs: Any = None,
    *,
    measures: str | Sequence[str | Measure] | None = None,
    task: str = "classification",
    average: Average = "topics",
    baselines: bool = False,
    ci: bool = False,
    level: float = 0.95,
    trials: int = 1000,
    distance: Any = None,
    registry: Registry | None = None,
    seed: int = 0,
    **how: Any,
) -> Scores:
    """Score runs against gold.

    ``gold`` and ``runs`` are paths or data frames: ``runs`` a list of paths, ``{name: path or frame}``, or one frame with a
    column ``run``; left out, ``gold`` holds the runs too, side by side or stacked. How labels are read and counted (``classes``,
    ``bins``, ``missing``, ``partitions``, ``columns``, ...) is said as to ``labels``.
    """
    if task not in TASKS:
        raise UsageError(f"there is no task '{task}'", hint=did_you_mean(task, TASKS) or f"the tasks are {', '.join(TASKS)}")
    if average not in ("topics", "pooled"):
        raise UsageError(f"there is no average '{average}'", hint="choose topics or pooled")
    if not 0 < level < 1 or trials < 1:
        raise UsageError(f"no interval of level {level} from {trials} trials", hint="a level between 0 and 1, at least one trial")
    asked = labels(gold, runs, seed=seed, **how)
    chosen = _chosen(measures, registry or default_registry(), task)
    counts = asked.counts()
    if not chosen:
        chosen = _headline(registry or default_registry(), task, counts.scale)
    drawn_with = seed if baselines or ci else None
    scores = score_counts(counts, chosen, distance=distance, average=average, drawn_with=drawn_with)
    scores = replace(scores, library=_library(gold))
    if baselines:
        scores = _with_baselines(scores, counts, distance, seed)
    if ci:
        found = bootstrap.intervals(scores, counts, distance=distance, level=level, trials=trials, seed=seed)
        scores = replace(scores, intervals=found)
    for warning in scores.warnings():
        warnings.warn(warning, MetameasureWarning, stacklevel=2)
    return scores


def difference(
    gold: Any,
    runs: Any,
    first: str,
    second: str,
    measure: str | Measure,
    *,
    distance: Any = None,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 0,
    registry: Registry | None = None,
    **how: Any,
) -> bootstrap.Difference:
    """By how much one run scores above another on the same items, with a bootstrap interval over items."""
    asked = labels(gold, runs, seed=seed, **how)
    with asked.tables() as tables:
        scale = count_tables(tables, asked.count).scale
        joint = count_jointly(tables, first, second, scale, asked.count)
    chosen = measure if isinstance(measure, Measure) else (registry or default_registry())[measure]
    return bootstrap.difference(joint, chosen, distance=distance, level=level, trials=trials, seed=seed)


def gold_sizes(gold: Any, **how: Any) -> tuple[Any, Scale]:
    """How many items (or how much weight) gold has in each class, over all topics, and the scale."""
    asked = labels(gold, **how)
    with asked.tables(alone=True) as tables:
        counts = count_tables(tables, asked.count)
    return counts.gold_tables().sum(axis=0), counts.scale


def score_counts(
    counts: LabelCounts,
    measures: Sequence[Measure],
    *,
    distance: Any = None,
    average: Average = "topics",
    drawn_with: int | None = None,
) -> Scores:
    """The cube of scores from counts. ``drawn_with`` is the seed of what will be drawn beside them, for the signature."""
    for measure in measures:
        measure.check_scale(counts.scale)
    values = np.empty((len(measures), len(counts.topics), len(counts.runs)))
    pooled = np.empty((len(measures), len(counts.runs)))
    reasons: list[dict[str, int]] = [{} for _ in measures]
    options = {"classes": counts.scale, "distance": distance}
    for block in counts.blocks():
        weights, items = counts.tables(block), counts.item_tables(block).sum(axis=(-2, -1))
        for row, measure in enumerate(measures):
            tables = measure.as_read(weights, items)
            values[row][:, block] = np.asarray(measure(tables, **options)).T
            pooled[row, block] = measure(measure.as_read(weights.sum(axis=1), items.sum(axis=1)), **options)
            if np.isnan(values[row][:, block]).any():
                for reason, holds in measure.why_undefined(tables, **options).items():
                    reasons[row][reason] = reasons[row].get(reason, 0) + int(np.sum(holds))
    notes = [*counts.notes]
    for row, measure in enumerate(measures):
        notes += _undefined_notes(measure, values[row], counts.runs, reasons[row])
    signature = _signature(counts, measures, distance, average, drawn_with)
    return Scores(
        "classification",
        counts.scale,
        tuple(measures),
        counts.topics,
        counts.runs,
        values,
        pooled,
        signature,
        average,
        notes=tuple(notes),
    )


def _signature(counts: LabelCounts, measures: Sequence[Measure], distance: Any, average: Average, seed: int | None) -> str:
    """All that a number depends on: two with the same signature are the same."""
    parts = {
        "task": "classification",
        "classes": str(counts.scale),
        "kind": counts.scale.kind,
        "topics": len(counts.topics),
        "average": average,
        **dict(counts.settings),
    }
    if distance is not None and any(measure.needs_distance for measure in measures):
        parts["distance"] = hashlib.sha256(np.asarray(distance, dtype=float).tobytes()).hexdigest()[:8]
    if seed is not None:
        parts["seed"] = seed
    parts |= {"counts": counts.checksum(), "version": __version__}
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def _undefined_notes(measure: Measure, values: Any, runs: Sequence[str], reasons: Mapping[str, int]) -> list[str]:
    """What was undefined, for whom and why."""
    times = np.isnan(values).sum(axis=0)
    if not times.any():
        return []
    whom = [f"{runs[run]} {times[run]}" for run in np.argsort(-times, kind="stable")[:5] if times[run]]
    more = int((times > 0).sum()) - len(whom)
    why = "; ".join(reason for reason, count in reasons.items() if count)
    listed = ", ".join(whom) + (f" and {more} more" if more else "")
    return [f"{measure.id} is undefined on {int(times.sum())} of {values.size} topic(s) x run(s) ({listed}): {why}"]


def _with_baselines(scores: Scores, counts: LabelCounts, distance: Any, seed: int) -> Scores:
    made = make_baselines(counts, scores.measures, distance=distance, average=scores.average, seed=seed)
    return replace(
        scores,
        runs=(*scores.runs, *made.names),
        values=np.concatenate([scores.values, made.values], axis=2),
        pooled=np.concatenate([scores.pooled, made.pooled], axis=1),
        simulated=np.concatenate([np.zeros(scores.pooled.shape), made.errors], axis=1),
        baselines=frozenset(made.names),
        notes=(*scores.notes, *made.notes),
    )


def _chosen(measures: str | Sequence[str | Measure] | None, registry: Registry, task: str) -> list[Measure]:
    if measures is None:
        return []
    if isinstance(measures, str):
        found = registry.select(measures)
    else:
        found = list(dict.fromkeys(registry[measure] if isinstance(measure, str) else measure for measure in measures))
    for measure in found:
        if task not in measure.tasks:
            raise UsageError(f"{measure.id} is not a measure of {task}", hint=f"it is for {', '.join(measure.tasks)}")
        if measure.open:
            raise UsageError(f"{measure.id} lacks its {measure.id.partition('@')[2]}", hint=f"as in {measure.example}")
    return found


def _headline(registry: Registry, task: str, scale: Scale) -> list[Measure]:
    """The measures shown unless others are asked for: those that declare it, as far as the scale allows them."""
    found = [measure for measure in registry.values() if measure.headline and task in measure.tasks]
    return sorted((m for m in found if scale.kind != "nominal" or m.scale == "nominal"), key=lambda measure: measure.headline)


def _columns(names: Mapping[str, str]) -> Columns:
    known = {field.name for field in fields(Columns)}
    for role in names:
        if role not in known:
            raise UsageError(
                f"there is no column role '{role}'", hint=did_you_mean(role, known) or f"the roles are {', '.join(sorted(known))}"
            )
    return Columns(**names)


def _open(gold: Any, runs: Any, options: ReadOptions, scratch: Path) -> LabelTables:
    """Files or frames, not both."""
    if isinstance(gold, str | Path):
        paths, names = _paths(runs)
        tables = read_label_files(gold, paths, options, scratch)
        if names and len(names) != len(tables.names):
            raise UsageError(
                f"{len(names)} runs are named, but there are {len(tables.names)} files", hint="name each run's one file"
            )
        return replace(tables, names=names) if names else tables
    if _are_paths(runs):
        raise UsageError("gold is a data frame but the runs are paths", hint="pass both as paths or both as data frames")
    return frames_to_tables(gold, runs, options)


def _are_paths(runs: Any) -> bool:
    values = list(runs.values()) if isinstance(runs, Mapping) else runs if isinstance(runs, list | tuple) else [runs]
    return any(isinstance(value, str | Path) for value in values)


def _paths(runs: Any) -> tuple[list[str | Path], tuple[str, ...]]:
    """The runs' paths, and their names where the user gives them."""
    if runs is None:
        return [], ()
    if isinstance(runs, str | Path):
        return [runs], ()
    if isinstance(runs, Mapping):
        values, names = list(runs.values()), tuple(map(str, runs))
    elif isinstance(runs, list | tuple):
        values, names = list(runs), ()
    else:
        values, names = [runs], ()
    if not all(isinstance(value, str | Path) for value in values):
        raise UsageError("gold is a path but the runs are not", hint="pass both as paths or both as data frames")
    return values, names


def _library(gold: Any) -> str | None:
    library = type(gold).__module__.partition(".")[0]
    return library if library in ("pandas", "polars", "pyarrow") else None
