"""What every kind of evidence offers to those who score it, and the file that it is kept in: reduced anywhere, part by part,
merged anywhere, scored later.

A file is NumPy's npz: arrays, and a JSON object of facts with the task, the settings and a checksum. Parts add up to the whole:
items of labels, topics of distributions, segments of rankings, or runs on the same gold.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from metameasure.core.errors import DataError, MetameasureError, UsageError
from metameasure.core.messages import Message, added_up, restored, say, stored
from metameasure.core.notes import counted
from metameasure.core.output import whole_file
from metameasure.core.scale import Scale
from metameasure.core.signature import Signature
from metameasure.core.values import in_order
from metameasure.evidence.layout import LAYOUTS, Layout, UnfitError, check_length, layout_of, read_arrays
from metameasure.reading.no_tables import FACTS
from metameasure.statistics.arrays import Floats, Integers
from metameasure.version import __version__

if TYPE_CHECKING:
    from metameasure.evidence.counts import LabelCounts
    from metameasure.evidence.items import ItemEvidence
    from metameasure.evidence.judgements import Judgements
    from metameasure.evidence.outcomes import OfOutcomes

FORMAT = 3
"""In 3, sums of weights that have more than 62 bits are texts; in 2 they were rounded to 62."""
_READABLE = (2, FORMAT)
_KINDS: dict[str, type[Evidence]] = {}
"""By the task."""


@dataclass(frozen=True)
class Part:
    """Cases of one shape: the places of their topics, and arrays (runs, those topics, *case)."""

    topics: Any
    arrays: tuple[Any, ...]


@dataclass(frozen=True)
class Reading:
    """What a measure is computed from: the topics, in parts whose cases have one shape, and all topics as one (runs, *case).

    ``items`` is how many items stand behind each case (runs, topics).
    """

    parts: tuple[Part, ...]
    pooled: tuple[Any, ...]
    items: Any
    of_one: bool = False
    """Whether there is one topic, and its case is the same as that of all topics: it need not be scored twice."""

    @classmethod
    def of(cls, topics: tuple[Any, ...], pooled: tuple[Any, ...], items: Any, *, of_one: bool = False) -> Reading:
        """All topics in one part."""
        return cls((Part(slice(None), topics),), pooled, items, of_one)


@dataclass(frozen=True)
class ScoredUnits:
    """How many items (or topics) of each run stand behind its scores (runs,), and how many there are in all."""

    number: Integers
    of: int
    word: str

    @property
    def are_all(self) -> bool:
        """Whether nothing is missing behind any run's scores."""
        return bool((self.number == self.of).all())


def _in_short(evidence: Evidence) -> str:
    topics = counted(len(evidence.topics), evidence.topic_word)
    return f"<evidence of {evidence.task}: {counted(len(evidence.runs), 'run')}, {topics}>"


class Evidence(ABC):
    """Runs and gold, reduced to what measures need."""

    task: ClassVar[str]
    name: ClassVar[str]
    """How a signature calls it."""
    micro: ClassVar[bool] = False
    """Whether what is counted of all topics makes a micro average, of the measures that have one."""
    policies: ClassVar[dict[str, str]] = {"missing": "error", "extra": "error"}
    """What becomes of what a run lacks, and of what gold lacks, unless the settings say something else."""
    why_unusable: ClassVar[str] = ""
    """The reason why a case cannot be scored, where there is only one left after all checks."""
    kept: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The fields that a file keeps: arrays of numbers, NaN where there is none, with the names of their axes. Parts are merged
    along ``runs`` or ``topics``. Evidence that is kept in another way has ``stored``, ``restored`` and ``plus``."""
    scale: Scale | None
    """The classes, where there are any."""
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__repr__ = _in_short  # type: ignore[method-assign, assignment] # that of a dataclass would print all arrays
        if "task" in vars(cls):
            _KINDS[cls.task] = cls

    @property
    def topic_word(self) -> str:
        """What one of its topics is called: a partition, if items were divided into partitions."""
        return "partition" if any(name == "partitions" for name, _ in self.settings) else "topic"

    @property
    def offers(self) -> frozenset[str]:
        """What measures may read of it."""
        return frozenset({self.name})

    def checksum(self) -> str:
        """The same for the same data, whatever files or frames it comes from, and in whatever order the runs are named."""
        return digest_of((), after=hash_of(self.digests()))

    def which_items(self) -> Any:
        """The same for parts that have the same items, topics or segments of gold."""
        return self.digests().get("gold")

    def digests(self) -> dict[str, str | dict[str, str]]:
        """What a signature says of the data: a digest of gold and one of each run. By default those of the arrays that are kept:
        gold's are without an axis of runs. Of all data at once, where no arrays are kept."""
        if type(self).checksum is not Evidence.checksum and not self.kept:
            return {"data": self.checksum()}
        if not self.kept:
            raise TypeError(f"{type(self).__name__} keeps no arrays, so that it needs a checksum, or digests, of its own")
        facts = hash_of([str(self.scale), self.topics])
        shared = [_without_ends(getattr(self, name), axes) for name, axes in self.kept.items() if "runs" not in axes]
        own = {name: axes for name, axes in self.kept.items() if "runs" in axes}
        each = {
            run: digest_of([_of_run(getattr(self, name), axes, place) for name, axes in own.items()], after=facts)
            for run, place in sorted(zip(self.runs, range(len(self.runs)), strict=True))
        }
        return {"gold": digest_of(shared, after=facts), "runs": each} if shared else {"runs": each}

    def signed(self) -> Signature:
        """How it was read and counted, and of what."""
        classes = {} if self.scale is None else {"classes": self.scale.signed(), "kind": self.scale.kind}
        return Signature(
            task=self.task, **classes, topics=len(self.topics), **{**self.policies, **dict(self.settings)}, **self.digests()
        ).signed()

    @abstractmethod
    def size(self, run: int) -> str:
        """How much there is of a run, in words."""

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a file holds of it, besides runs, topics, classes, settings and notes: facts for JSON, and arrays. UsageError for
        evidence that is not kept in files, as that of a new task need not be."""
        if not self.kept:
            raise UsageError(f"evidence of {self.task} is not kept in files", hint="score the data themselves")
        return {}, {name: np.asarray(getattr(self, name), dtype=float) for name in self.kept}

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:
        """What ``stored`` gave, and what else the file says."""
        return cls(scale=scale, **described(facts), **arrays)  # type: ignore[call-arg]

    def without_reading_notes(self) -> Self:
        """The same without what was said of the files that it was read from."""
        kept = tuple(one for one in self.notes if not (isinstance(one, Message) and one.kind == "reading"))
        return replace(self, notes=kept) if len(kept) < len(self.notes) else self  # type: ignore[type-var]

    def noting(self, said: Sequence[str]) -> Self:
        """The same, with more to say beside what is made of it."""
        return replace(self, notes=(*self.notes, *said)) if said else self  # type: ignore[type-var]

    def plus(self, other: Self) -> Self:
        """Both together. UsageError where they do not fit, or hold the same."""
        if not self.kept:
            raise UsageError(f"evidence of {self.task} is not merged", hint="score the data themselves")
        self.check_settings(other)
        if not {*self.topics} & {*other.topics} and {*self.runs} == {*other.runs}:
            same = [other.runs.index(run) for run in self.runs]
            both = (*self.topics, *other.topics)
            topics = tuple(in_order(both))
            order = positions(topics, both)
            joined = {
                name: array.take(order, axis=self.kept[name].index("topics")) if "topics" in self.kept[name] else array
                for name, array in self._joined(other, "topics", same).items()
            }
            return replace(self, topics=topics, notes=added_up(self.notes, other.notes), **joined)  # type: ignore[type-var]
        check_other_runs(self, other)
        notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        return replace(self, runs=(*self.runs, *other.runs), notes=notes, **self._joined(other, "runs"))  # type: ignore[type-var]

    def _joined(self, other: Self, axis: str, runs: Sequence[int] | None = None) -> dict[str, Any]:
        """The arrays that are kept, both along one axis; ``runs`` is the order of the other's runs."""
        joined = {}
        for name, axes in self.kept.items():
            own, others = np.asarray(getattr(self, name)), np.asarray(getattr(other, name))
            if runs is not None and "runs" in axes:
                others = others.take(runs, axis=axes.index("runs"))
            if axis not in axes:
                if not np.array_equal(own, others, equal_nan=True):
                    raise other_gold(self.topic_word)
                joined[name] = own
                continue
            along = axes.index(axis)
            sizes = [max(both) for both in zip(own.shape, others.shape, strict=True)]
            padded = [_padded(one, [one.shape[along] if at == along else size for at, size in enumerate(sizes)])
                      for one in (own, others)]  # fmt: skip
            joined[name] = np.concatenate(padded, axis=along)
        return joined

    def __str__(self) -> str:
        size = f"{counted(len(self.runs), 'run')}, {counted(len(self.topics), self.topic_word)}"
        return f"evidence of {self.task}, {size}, checksum {self.checksum()}"

    def save(self, path: str | Path) -> None:
        """Write it to a file, from which ``load`` reads it."""
        facts, arrays = self.stored()
        if _layout({"task": self.task}) is None:
            raise UsageError(
                f"evidence of {self.task} has no layout by which its file could be read again", hint="score the data"
            )
        shared = {"format": FORMAT, "version": __version__, "task": self.task, "checksum": self.checksum()}
        shared |= {"runs": self.runs, "topics": self.topics, "settings": self.settings, "notes": [*map(stored, self.notes)]}
        if self.scale is not None:
            shared |= {"labels": self.scale.labels, "kind": self.scale.kind, "values": self.scale.values}
        described = np.frombuffer(json.dumps({**shared, **facts}).encode(), dtype=np.uint8)
        with whole_file(path) as scratch, scratch.open("wb") as stream:
            np.savez_compressed(stream, facts=described, **arrays)

    def check_settings(self, other: Evidence) -> None:
        """UsageError where two parts were not read alike."""
        if self.scale != other.scale:
            raise UsageError(f"the classes {self.scale} and {other.scale} cannot be added", hint="count them again")
        if self.settings != other.settings:
            raise UsageError("parts made with different settings cannot be added", hint="count them again with the same options")

    def lacking(self, reads: str) -> dict[int, str]:
        """The runs that do not have what a measure reads, and why."""
        return {}

    def whole(self) -> Evidence:
        """The same with all that there is of items, where a cluster has kept some of it."""
        return self

    def label_counts(self) -> LabelCounts | None:
        """The counts of labels of items, which items and clusters are drawn and swapped from; None where runs label nothing."""
        return None

    def scored(self, reads: str) -> ScoredUnits | None:
        """How much of all there is stands behind the scores of a measure that reads this; None where nobody knows."""
        return None

    @property
    def has_items(self) -> bool:
        """Whether items can be drawn and swapped, within topics too."""
        return self.label_counts() is not None

    @property
    def clustered(self) -> bool:
        """Whether items come in clusters."""
        return False

    def lone_units(self) -> list[str]:
        """The topics that have one item only, or one cluster; none where clusters lie in several topics."""
        return []

    def by_system(self) -> tuple[Floats, Floats] | None:
        """Scores of runs (runs, systems, segments) and gold's (systems, segments), where runs are metrics that judge systems."""
        return None

    def outcomes(self) -> OfOutcomes | None:
        """Scores of items that somebody else computed; None where it is no such evidence."""
        return None

    def single_items(self) -> ItemEvidence | None:
        """What runs did on single items, each of which has a number by a measure; None where items are counted, or are topics."""
        return None

    def orders(self) -> Judgements | None:
        """The labels with the orders that runs bring their items into; None where they bring them into none."""
        return None

    def other_end(self) -> CaseEvidence | None:
        """The same with missing answers at the lower end of the scale that here are at the upper one, because both are as far
        from gold (``--missing worst``): each measure takes the worse. None where there are no such answers."""
        return None


def _padded(array: Any, shape: Sequence[int]) -> Any:
    """The array with NaN behind its ends."""
    if array.shape == (*shape,):
        return array
    larger = np.full(shape, np.nan)
    larger[tuple(slice(size) for size in array.shape)] = array
    return larger


def _of_run(array: Any, axes: Sequence[str], place: int) -> Any:
    """What an array says of one run, the same whatever other runs there are."""
    along = axes.index("runs")
    return _without_ends(np.asarray(array, dtype=float).take(place, axis=along), (*axes[:along], *axes[along + 1 :]))


def _without_ends(array: Any, axes: Sequence[str]) -> Any:
    """The array without the NaN behind its ends, which make topics as long as each other; no negative zeros."""
    kept = np.asarray(array, dtype=float) + 0.0
    for along, axis in enumerate(axes):
        there = np.flatnonzero(~np.isnan(kept).all(axis=tuple(other for other in range(kept.ndim) if other != along)))
        if axis != "topics" and kept.shape[along]:
            kept = kept.take(range(there[-1] + 1 if len(there) else 0), axis=along)
    return kept


class CaseEvidence(Evidence):
    """Evidence in which every topic of every run is one case."""

    @abstractmethod
    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        """What a measure that reads this is computed from, for these runs."""

    def blocks(self) -> Iterator[list[int]]:
        """Runs in groups whose arrays fit well into memory."""
        yield list(range(len(self.runs)))


def check_other_runs(first: Evidence, second: Evidence) -> None:
    """UsageError unless two parts are other runs on the same topics. (Other topics of the same runs have been looked for.)"""
    word = first.topic_word
    if first.topics != second.topics:
        raise unlike_parts(word)
    twice = [run for run in first.runs if run in second.runs]
    if twice:
        raise UsageError(say("run '{run}' is in both on the same {word}s", run=twice[0], word=word), hint="merge each part once")


def unlike_parts(word: str) -> UsageError:
    """Two parts have neither the same runs nor the same topics, or items."""
    return UsageError(
        say("neither the runs nor the {word}s of the two parts are the same, or they overlap", word=word),
        hint=say("merge parts with the same runs and other {word}s, or with the same {word}s and other runs", word=word),
    )


def other_gold(word: str) -> UsageError:
    """Two parts have the same topics, or items, and gold says other things of them."""
    return UsageError(f"the parts have the same {word}s but different gold", hint="merge parts of the same gold")


def described(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What the file of any evidence says of it."""
    return {name: facts[name] for name in ("runs", "topics", "settings", "notes")}


def lone_units(topics: Sequence[str], topic: Integers, cluster: Integers | None, times: Integers | None = None) -> list[str]:
    """The topics with one item, or with one cluster where items are in some; none where clusters lie in several topics. Items may
    be so many alike."""
    if cluster is None:
        number = np.bincount(topic, times, minlength=len(topics))
    else:
        pairs = np.unique(np.stack([cluster, topic]), axis=1)
        if pairs.shape[1] > len(np.unique(cluster)):
            return []
        number = np.bincount(pairs[1], minlength=len(topics))
    return [name for name, one in zip(topics, number.tolist(), strict=True) if one == 1]


def hash_of(facts: Any, parts: Iterable[Sequence[Any]] | None = None) -> Any:
    """A hash of facts, to which that of arrays is added. The last fact may be a list of which only a part is there at a time."""
    if parts is None:
        return hashlib.sha256(json.dumps(facts).encode())
    found, between = hashlib.sha256(f"{json.dumps(facts)[:-1]}, [".encode()), ""
    for part in parts:
        found.update(f"{between}{json.dumps(part)[1:-1]}".encode())
        between = ", "
    found.update(b"]]")
    return found


def digest_of(arrays: Iterable[Any], *, after: Any = "", dtype: str = "<f8", digits: int = 12) -> str:
    """A short checksum of arrays, and of a text before them, which may be hashed already."""
    digest = hashlib.sha256(after.encode()) if isinstance(after, str) else after.copy()
    for array in arrays:
        digest.update(np.ascontiguousarray(array, dtype=dtype).tobytes())
    return digest.hexdigest()[:digits]


def positions(names: Iterable[Hashable], among: Iterable[Hashable]) -> Integers:
    """Where each of the names stands among others."""
    place = {name: number for number, name in enumerate(among)}
    return np.array([place[name] for name in names], dtype=np.int64)


def is_saved(path: Any) -> bool:
    """Whether there is such a file, and it holds evidence."""
    if not isinstance(path, str | Path) or not Path(path).is_file() or not zipfile.is_zipfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return FACTS in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def load(path: str | Path) -> Evidence:
    """Evidence from a file. DataError where the file is none, is damaged, or was written by a later version."""
    try:
        with zipfile.ZipFile(path) as archive:
            facts, arrays, layout = _contents(archive, Path(path).stat().st_size)
            kind = _kind(facts["task"])
            assert kind is not None  # noqa: S101 - its layout is known
            layout.check_values(facts, arrays)
            evidence = _restored(kind, facts, arrays)
    except FileNotFoundError:
        raise UsageError(f"there is no file '{path}'", hint="check the path") from None
    except _OtherVersionError as other:
        raise DataError(
            say("{path}: this is evidence of another version ({other})", path=path, other=other), hint="count the data again"
        ) from None
    except (UnfitError, MetameasureError) as error:
        raise DataError(
            say("{path}: this is no sound evidence: {error}", path=path, error=_reason(error)), hint="count the data again"
        ) from None
    except Exception as error:  # whatever NumPy or zipfile raise is the file's fault
        raise DataError(
            say("{path}: this is not a readable file of evidence ({error})", path=path, error=error),
            hint="write it with metameasure count",
        ) from None
    if evidence.checksum() != facts["checksum"]:
        raise DataError(
            say("{path}: the checksum does not match the contents", path=path), hint="the file is damaged: count the data again"
        )
    if wrong := layout.agree(facts, arrays):
        raise DataError(say("{path}: this is no sound evidence: {wrong}", path=path, wrong=wrong), hint="count the data again")
    return evidence


class _OtherVersionError(Exception):
    """A file says that it was written by another version, or says nothing of the kind."""


def _contents(archive: zipfile.ZipFile, length: int) -> tuple[dict[str, Any], dict[str, Any], Layout]:
    """The facts and the arrays of a file, as its task needs them but for their values; and what they are to be like."""
    check_length(archive, length)
    with archive.open(FACTS) as stream:
        facts = json.loads(np.lib.format.read_array(stream, allow_pickle=False).tobytes())
    if not isinstance(facts, dict) or facts.get("format") not in _READABLE:
        raise _OtherVersionError(facts.get("version") if isinstance(facts, dict) else None)
    layout = _layout(facts)
    if layout is None:
        raise UnfitError(say("its task, '{task}', is not known here", task=str(facts.get("task"))))
    layout.check_facts(facts)
    return facts, read_arrays(archive, lambda found: layout.check_shapes(facts, found)), layout


def _layout(facts: Mapping[str, Any]) -> Layout | None:
    """What the file of a task is to be like: as its evidence declares, or the nearest kind that it is one of. None for a task
    that nobody knows, or whose evidence is not kept."""
    task = str(facts.get("task"))
    if task in LAYOUTS:  # known without the task's own module
        return LAYOUTS[task]
    kind = _kind(task)
    for base in () if kind is None else (one for one in kind.__mro__ if issubclass(one, Evidence)):
        if vars(base).get("task") in LAYOUTS:
            return LAYOUTS[base.task]
        if vars(base).get("kept"):
            return layout_of(base.kept, with_classes="labels" in facts)
    return None


def _reason(error: Exception) -> str:
    return error.message if isinstance(error, MetameasureError) else str(error)


def _kind(task: str) -> type[Evidence] | None:
    """The kind of evidence of a task, which comes with the task's own module."""
    if task not in _KINDS and task.isidentifier() and find_spec(f"metameasure.tasks.{task}") is not None:
        import_module(f"metameasure.tasks.{task}.task")
    return _KINDS.get(task)


def _restored(kind: type[Evidence], facts: dict[str, Any], arrays: dict[str, Any]) -> Evidence:
    scale = None
    if "labels" in facts:
        values = tuple(facts["values"]) if facts["kind"] == "interval" else ()
        scale = Scale(tuple(facts["labels"]), facts["kind"], values)
    for name in ("runs", "topics"):
        facts[name] = tuple(facts[name])
    facts["notes"] = tuple(map(restored, facts["notes"]))
    facts["settings"] = tuple((name, value) for name, value in facts["settings"])
    return kind.restored(facts, arrays, scale)


def merged(parts: Sequence[tuple[str, Evidence]]) -> Evidence:
    """All parts, by name, as one. UsageError for two that do not fit together, or are the same."""
    if not parts:
        raise UsageError("there is nothing to merge", hint="name files of evidence, as metameasure count writes them")
    task = parts[0][1].task
    for name, part in parts:
        if part.task != task:
            raise UsageError(f"{name} is evidence of {part.task}, and the others of {task}", hint="merge each by itself")
    if len({frozenset(part.runs) for _, part in parts}) > 1:  # first runs on the same items, then other items of all these runs
        together = dict[Any, list[tuple[str, Evidence]]]()
        for name, part in parts:
            together.setdefault(part.which_items(), []).append((name, part))
        parts = [(some[0][0], _added(some)) for some in together.values()]
    return _added(parts)


def _added(parts: Sequence[tuple[str, Evidence]]) -> Evidence:
    (_, whole), *rest = parts
    for name, part in rest:
        try:
            whole = whole.plus(part)
        except UsageError as error:
            raise UsageError(f"{name}: {error.message}", hint=error.hint) from None
    return whole
