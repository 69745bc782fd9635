"""Folders of mt-metrics-eval as they lie on disk: for each language pair, what people say of systems and what metrics say.

``TEST/human-scores/SRC-TGT.NAME.LEVEL.score`` are gold, ``TEST/metric-scores/SRC-TGT/METRIC-REF.LEVEL.score`` the runs. What is
chosen of them is what WMT's metrics tasks choose, unless somebody says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import Message, note, say
from metameasure.core.notes import counted, listed
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.values import repeated
from metameasure.reading.files import look
from metameasure.reading.formats.mtme import FORMAT, Blocks, read_blocks
from metameasure.reading.inputs import GoldAndRuns
from metameasure.reading.options import ReadOptions
from metameasure.reading.wmt_test_sets import Decided, decided

MTME = FORMAT.name
Level = Literal["seg", "sys"]
Systems = Literal["wmt", "machines", "all"]
_PEOPLE, _METRICS = "human-scores", "metric-scores"
_WITHOUT = "src"
"""Stands for the reference of a metric that reads none."""
_EVERY = "all"


@dataclass(frozen=True)
class Selection:
    """What of a folder is read; what is not said is as WMT has it."""

    pairs: tuple[str, ...] = ()
    gold: str = ""
    references: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    systems: Systems = "wmt"
    level: Level | None = None

    @classmethod
    def of(cls, options: Any) -> Selection:
        """What the options of rankings say."""
        return cls(
            tuple(options.language_pairs), options.human_scores or "", tuple(options.references), tuple(options.metrics),
            options.systems, options.score_files,
        )  # fmt: skip


AS_AT_WMT = Selection()


def is_eval_folder(written: Any) -> bool:
    """Whether this is the folder of a test set of mt-metrics-eval."""
    return isinstance(written, str | Path) and all((Path(written) / name).is_dir() for name in (_PEOPLE, _METRICS))


@dataclass(frozen=True)
class EvalFolder:
    """The folder of a test set."""

    path: Path
    chosen: Selection = AS_AT_WMT

    @classmethod
    def of(cls, written: str | Path, chosen: Selection) -> EvalFolder:
        """UsageError where it is no such folder."""
        if is_eval_folder(written):
            return cls(Path(written), chosen)
        below = sorted(one.name for one in Path(written).iterdir() if is_eval_folder(one)) if Path(written).is_dir() else []
        if below:
            hint = say("name one of its test sets: {names}", names=listed([f"{Path(written) / name}" for name in below]))
            raise UsageError(f"'{written}' is a folder of several test sets", hint=hint)
        what = f"'{written}' is no folder of mt-metrics-eval: there is no {_PEOPLE} and {_METRICS} in it"
        raise UsageError(what, hint="name the folder of a test set, such as mt-metrics-eval-v2/wmt23")

    @cached_property
    def _people(self) -> dict[str, dict[tuple[str, str], Path]]:
        """The files of people's scores by language pair, and by name and level."""
        found: dict[str, dict[tuple[str, str], Path]] = {}
        for file in sorted((self.path / _PEOPLE).glob("*.score")):
            pair, *name, level, _ = file.name.split(".")
            if name:
                found.setdefault(pair, {})[".".join(name), level] = file
        return found

    def pairs(self) -> list[str]:
        """The language pairs that are asked for, or all that people scored; UsageError for one that they did not."""
        known = list(self._people)
        if not known:
            hint = "people's scores are in files such as en-de.mqm.seg.score"
            raise DataProblems([Problem(str(self.path / _PEOPLE), 0, say("there are no scores of people"), hint)])
        for pair in self.chosen.pairs:
            if pair not in known:
                what = say("'{folder}' has no scores of people for the language pair {pair}", folder=self.path, pair=pair)
                raise UsageError(what, hint=did_you_mean(pair, known) or f"there are {listed(known)}")
        return list(self.chosen.pairs) or [pair for pair in known if self.has_gold(pair)] or known

    def has_gold(self, pair: str) -> bool:
        """Whether it is known which of people's scores are gold, and they are there."""
        name = self.chosen.gold or self._decided(pair).gold.get("seg", "")
        return not name or any(one == name for one, _ in self._people[pair])

    def only_pair(self) -> str:
        """UsageError where there are several."""
        pairs = self.pairs()
        if len(pairs) > 1:
            several = say("'{folder}' has {number}", folder=self.path, number=counted(len(pairs), "language pair"))
            choose = say("choose one with {--language-pairs}: {pairs}", pairs=listed(pairs))
            raise UsageError(several, hint=choose)
        return pairs[0]

    def level_of(self, pair: str, wanted: Level) -> Level:
        """The level that is asked for; segments where people's scores of systems are not there, or the other way round."""
        levels = {level for _, level in self._people[pair]}
        other: Level = "seg" if wanted == "sys" else "sys"
        return other if wanted not in levels and other in levels else wanted

    def opened(self, options: ReadOptions) -> GoldAndRuns:
        """People's scores of the one language pair, and those of the metrics. DataProblems where files are wrong."""
        pair = self.only_pair()
        level = self.level_of(pair, self.chosen.level or "seg")
        gold, name = self._gold(pair, level)
        references = self._references(pair)
        files = self._metric_files(pair, level, references)
        problems: list[Problem] = []
        people = _read(gold, problems)
        metrics = {metric: _read(file, problems) for metric, file in files.items()}
        if people is None or problems:
            raise DataProblems(problems)
        systems, left = self._systems(people, pair, references)
        problems += self._wrong(people, people, (), pair, level)
        for blocks in metrics.values():
            problems += [] if blocks is None else self._wrong(blocks, people, systems, pair, level)
        if problems:
            raise DataProblems(problems)
        of_gold = people.source(options, "gold", systems)
        said = _said(f"{self.path.resolve().name}/{pair}", name, level, systems, left)
        sources = tuple(blocks.source(options, "run", systems) for blocks in metrics.values() if blocks is not None)
        return GoldAndRuns(replace(of_gold, notes=(said, *of_gold.notes)), sources, tuple(metrics))

    def _decided(self, pair: str) -> Decided:
        """What WMT decided for the language pair."""
        return decided(self.path.resolve().name, pair)

    def _translations(self, pair: str) -> set[str]:
        """The translations by people."""
        return {file.name.split(".")[-2] for file in (self.path / "references").glob(f"{pair}.*")}

    def _gold(self, pair: str, level: Level) -> tuple[Path, str]:
        """The file of gold, and what it is called."""
        files = {name: file for (name, one), file in self._people[pair].items() if one == level}
        usual = self._decided(pair).gold.get(level, "")
        name = self.chosen.gold or (usual if usual in files else "")
        if not name and len(files) == 1:
            name = next(iter(files))
        if name in files:
            return files[name], name
        there = listed([*files]) if files else f"none of level {level}"
        if name:
            what = say("there are no scores '{name}' of people for {pair}", name=name, pair=pair)
        else:
            what = say("it is not known which of people's scores are gold for {pair}", pair=pair)
        raise UsageError(what, hint=say("choose {--human-scores NAME}: there are {there}", there=there))

    def _references(self, pair: str) -> tuple[str, ...]:
        """The translations that metrics may read: those that are asked for, that of WMT, or the only one that metrics read."""
        read = {name for file in self._metric_folder(pair).glob("*.score") for name in _split(file)[1]} - {_WITHOUT, _EVERY}
        if self.chosen.references:
            for name in self.chosen.references:
                if name not in read:
                    what = say("no metric for {pair} reads the reference '{name}'", pair=pair, name=name)
                    raise UsageError(what, hint=did_you_mean(name, read) or f"they read {listed(sorted(read))}")
            return self.chosen.references
        usual = self._decided(pair).reference
        if usual in read or len(read) < 2:
            return (usual,) if usual in read else tuple(read)
        what = say("metrics for {pair} read the references {names}", pair=pair, names=listed(sorted(read), "and"))
        raise UsageError(what, hint=say("choose one with {--references}"))

    def _metric_folder(self, pair: str) -> Path:
        folder = self.path / _METRICS / pair
        if not folder.is_dir() or not any(folder.glob("*.score")):
            what = say("there is no metric for the language pair {pair}", pair=pair)
            raise DataProblems([Problem(str(folder), 0, what, "metrics are in files such as BLEU-refA.seg.score")])
        return folder

    def _metric_files(self, pair: str, level: Level, references: Sequence[str]) -> dict[str, Path]:
        """The metrics that read no other reference, by name."""
        of_level = sorted(self._metric_folder(pair).glob(f"*.{level}.score"))
        fitting = [file for file in of_level if _reads(file, self._translations(pair)) <= {*references}]
        names = [_called(file) for file in fitting]
        twice = {*repeated(names)}
        named = {_full(file) if name in twice else name: file for name, file in zip(names, fitting, strict=True)}
        wanted = self._wanted(named, pair)
        if not wanted:
            what = say("there is no metric for {pair} with scores of level {level}", pair=pair, level=level)
            hint = say("see {--references} and {--score-files}")
            raise DataProblems([Problem(str(self.path / _METRICS / pair), 0, what, hint)])
        return wanted

    def _wanted(self, named: Mapping[str, Path], pair: str) -> dict[str, Path]:
        """The metrics that are asked for, by their names with or without their reference; or all."""
        if not self.chosen.metrics:
            return dict(named)
        by_name = {alias: name for name, file in named.items() for alias in (_split(file)[0], _full(file), name)}
        for one in self.chosen.metrics:
            if one not in by_name:
                what = say("there is no metric '{name}' for {pair}", name=one, pair=pair)
                raise UsageError(what, hint=did_you_mean(one, by_name) or f"there are {listed(sorted(named))}")
        return {by_name[one]: named[by_name[one]] for one in self.chosen.metrics}

    def _systems(self, people: Blocks, pair: str, references: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
        """The systems that people scored and metrics are judged by, and the others by why they are left out."""
        outliers = self._decided(pair).outliers if self.chosen.systems != "all" else ()
        written = self._translations(pair)
        left: dict[str, list[str]] = {}
        systems = []
        for system in dict.fromkeys(row[1] for row in people.rows):
            if system in references:
                left.setdefault("the reference", []).append(system)
            elif system in outliers:
                left.setdefault("an outlier", []).append(system)
            elif system in written and self.chosen.systems == "machines":
                left.setdefault("a translation by people", []).append(system)
            else:
                systems.append(system)
        return systems, left

    def _wrong(self, blocks: Blocks, people: Blocks, systems: Iterable[str], pair: str, level: Level) -> list[Problem]:
        """What is wrong with a file beside people's scores, which have these systems."""
        outputs = self.path / "system-outputs" / pair
        known = {file.stem for file in outputs.iterdir()} if outputs.is_dir() else set()
        wrong = [
            Problem(blocks.shown, line, say("there is no output of system '{system}' in {folder}", system=system, folder=outputs),
                    "check its name")
            for system, line in blocks.last.items() if known and system not in known
        ]  # fmt: skip
        wrong += [
            Problem(blocks.shown, 0, say("there is no score of system '{system}', which people scored", system=system),
                    "give the metric's scores of every system")
            for system in systems if system not in blocks.lengths
        ]  # fmt: skip
        expected = 1 if level == "sys" else people.segments
        if blocks.lengths and blocks.segments != expected:
            what = say("every system has {have} instead of {should}", have=counted(blocks.segments, "score"), should=expected)
            one_line = "a file of level sys has one line for each system"
            why = one_line if level == "sys" else say("as many as in {file}", file=people.shown)
            wrong.append(Problem(blocks.shown, min(blocks.last.values()), what, why))
        return wrong


def _read(file: Path, problems: list[Problem]) -> Blocks | None:
    try:
        return read_blocks(look(str(file), file))
    except DataProblems as error:
        problems += error.problems
        return None


def _full(file: Path) -> str:
    """METRIC-REF of METRIC-REF.LEVEL.score."""
    return file.name.rsplit(".", 2)[0]


def _split(file: Path) -> tuple[str, frozenset[str]]:
    """The metric's name, and the references that it reads as they are written."""
    name, _, references = _full(file).rpartition("-")
    return (name, frozenset(references.split("."))) if name else (references, frozenset({_WITHOUT}))


def _reads(file: Path, every: set[str]) -> set[str]:
    """The references that a metric reads."""
    written = _split(file)[1]
    return (every or {_EVERY}) if written == {_EVERY} else {*written} - {_WITHOUT}


def _called(file: Path) -> str:
    """The metric's name, as mt-metrics-eval shows it: one that reads no reference says so."""
    name, references = _split(file)
    return f"{name}[noref]" if references == {_WITHOUT} else name


def _said(of: str, gold: str, level: Level, systems: Sequence[str], left: Mapping[str, Sequence[str]]) -> Message:
    reasons = [f"{listed(names, 'and')} ({why})" for why, names in left.items()]
    without = say("; left out: {left}", left=listed(reasons, "and")) if left else ""
    of_what = "segments" if level == "seg" else "systems"
    said = "{of}: gold is {gold}, people's scores of {of_what}, for {systems}{without}"
    return note("test set", said, of=of, gold=gold, of_what=of_what, systems=counted(len(systems), "system"), without=without)
