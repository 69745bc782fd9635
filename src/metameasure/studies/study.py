"""What a study is: values as published and as we find them, side by side.

A study is a file in this folder with a ``STUDY`` in it.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal, TypeVar

from metameasure import studies as room
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.signed import signed_measures
from metameasure.catalogue.sources import Citation
from metameasure.core.errors import MetameasureWarning, UsageError, did_you_mean
from metameasure.core.messages import Listed, Message, data, note, say
from metameasure.core.notes import listed
from metameasure.core.numbers import json_number, number, with_digits
from metameasure.core.options import with_options
from metameasure.core.output import new_folder
from metameasure.core.signature import Signature
from metameasure.evidence.distributions import Distributions
from metameasure.properties.property import properties
from metameasure.properties.search import axioms
from metameasure.scores.framed import Framed
from metameasure.scores.scores import Scores
from metameasure.show.canvas import Width, house_style, inches, save, with_inert_text
from metameasure.show.frames import frame_of
from metameasure.show.table import Drawing, OutputFormat, Signed, Table
from metameasure.statistics.checkpoint import resuming
from metameasure.statistics.pieces import kept_json
from metameasure.statistics.work import in_steps
from metameasure.studies.data import DataFolder, other_size, simulated_distributions, simulated_scores, task_of
from metameasure.studies.tolerances import rounding_of
from metameasure.tasks.option_groups import StudyOptions

Cell = float | bool | str | None
Kind = Literal["program", "paper", "simulated"]
Against = Literal["print", "code"]
Answer = TypeVar("Answer")
_ROUNDING = 1e-9
TRIALS = 3000
"""How many larger cases are drawn at random where the small ones do not decide about a claim."""
MADE_UP = (
    "The systems are simulated, in tasks of the same shape: nothing here can be compared with the paper. Real files: --data DIR."
)
OF_PLUGIN = "Rows without a published value beside others are of a plugin's measures, which the paper does not have."
_ALONE = "nothing here can be compared with the paper."
_NONE = "none: the same"
FLOATING = "rounding of floating point"


@dataclass(frozen=True)
class Value:
    """One value: where the paper has it, what is published there (None where nothing is), and ours.

    Numbers agree within the tolerance, everything else where it is the same. One that need not agree says why in its ``note``.
    ``kind`` says what is compared: what the *program* computes from data, with the paper; the *paper* with itself, by arithmetic
    on printed numbers; or nothing, where the program ran on *simulated* data. ``against`` is ``code`` where what must come out is
    not printed but was computed once by independent code.
    """

    where: str
    row: str
    column: str
    published: Cell
    ours: Cell
    tolerance: float = 0.0
    must: bool = True
    note: str = ""
    digits: int | None = None
    """How many decimals are published."""
    kind: Kind = "program"
    why: str = _NONE
    """Why the tolerance is what it is."""
    against: Against = "print"
    standard_error: float | None = None
    """Of one draw of the experiment, where the published value is one."""

    def __post_init__(self) -> None:
        if self.tolerance and self.why == _NONE:
            raise ValueError(f"{self.where}, {self.row}, {self.column}: a tolerance without a reason")

    @property
    def agrees(self) -> bool | None:
        """None where nothing is published."""
        if self.published is None:
            return None
        if self.difference is None:
            return self.published == self.ours
        return abs(self.difference) <= self.tolerance + _ROUNDING

    @property
    def difference(self) -> float | None:
        """Ours less the published one, of numbers."""
        numbers = [one for one in (self.published, self.ours) if isinstance(one, int | float) and not isinstance(one, bool)]
        return float(numbers[1]) - float(numbers[0]) if len(numbers) == 2 else None

    @property
    def in_errors(self) -> float | None:
        """The difference in standard errors of one draw."""
        if self.difference is None or not self.standard_error:
            return None
        return self.difference / self.standard_error

    @property
    def fails(self) -> bool:
        """Whether it must agree and does not."""
        return self.must and self.agrees is False

    def __str__(self) -> str:
        return f"{self.where}, {self.row}, {self.column}: published {_shown(self.published)}, ours {_shown(self.ours)}"


def printed(where: str, row: str, column: str, text: str, ours: Any, **more: Any) -> Value:
    """A number as the paper prints it: ours agrees if it rounds to that."""
    if "tolerance" not in more:
        more |= {"tolerance": rounding_of(text), "why": "rounding of the print"}
    return Value(where, row, column, float(text), float(ours), digits=len(text.partition(".")[2]), **more)


def same(first: float, second: float, tolerance: float = 1e-12) -> str:
    """The sign between two numbers that should be the same, or should not."""
    return "=" if abs(first - second) < tolerance else "≠"


def _of_plugin(value: Value) -> Value:
    """A value of a measure that the paper does not have, and says so."""
    return replace(value, note=" ".join(filter(None, (OF_PLUGIN, value.note))))


def need_not(value: Value, why: str) -> Value:
    """A published value that need not agree, such as an erratum: it is shown, with the reason."""
    return replace(value, must=False, note=why)


def of_paper(value: Value) -> Value:
    """A value that says nothing about the program: arithmetic on what is printed, beside what is printed elsewhere."""
    return replace(value, kind="paper")


def found(where: str, row: str, column: str, ours: Any, note: str = "", kind: Kind = "simulated") -> Value:
    """A value of ours with nothing published beside it."""
    return Value(where, row, column, None, ours if isinstance(ours, bool | str) else float(ours), note=note, kind=kind)


@dataclass(frozen=True)
class Basis:
    """What values are computed on. Where it cannot be what the paper used, ``kind`` says what it is and ``why`` what that
    means."""

    kind: Literal["", "simulated", "partly simulated", "other data"] = ""
    why: str = ""

    @property
    def kind_of_value(self) -> Kind:
        """Whether anything of it is simulated."""
        return "simulated" if "simulated" in self.kind else "program"


def of_data(where: str, row: str, column: str, text: str | None, ours: Any, basis: Basis, **more: Any) -> Value:
    """A value that is compared with what is printed where it comes from the paper's own data, and otherwise is ours alone."""
    if not basis.kind and text is not None:
        return printed(where, row, column, text, ours, **more)
    return found(f"{where}, {basis.kind}" if basis.kind else where, row, column, ours, basis.why, basis.kind_of_value)


@dataclass(frozen=True)
class Setting:
    """What a study is run with: the real data, as far as it is there, and the seed of all that is drawn at random."""

    data: DataFolder
    seed: int = 0
    registry: Registry | None = None
    known: dict[Hashable, Any] = field(default_factory=dict, compare=False)
    """What has been computed already, and is drawn too."""

    def once(self, key: Hashable, compute: Callable[[], Answer]) -> Answer:
        """What was computed under that key, or is now."""
        if key not in self.known:
            self.known[key] = compute()
        found: Answer = self.known[key]
        return found

    def scores(self, task: str, measures: Sequence[str | Measure]) -> dict[str, Scores]:
        """The scores of a task's runs, by data set: of the real ones where they are there, otherwise of simulated ones."""
        ask = self.data.scores if task in self.data else simulated_scores
        return self.once(("scores", task, *map(str, measures)), lambda: ask(task, measures, self.seed))

    def plugins(self, *tasks: str) -> list[Measure]:
        """The measures of plugins that score runs of one of the tasks, and that no paper has."""
        known = default_registry()
        added = [one for name, one in (self.registry or {}).items() if name not in known]
        return [one for one in added if not {*tasks}.isdisjoint(one.tasks) and one.better is not None and not one.open]

    def distributions(self, task: str, data: str) -> Distributions:
        """Gold's and the runs' distributions of a data set of quantification."""
        ask = self.data.distributions if task in self.data else simulated_distributions
        return ask(task, data, self.seed)

    def basis(self, scores: Mapping[str, Scores]) -> Basis:
        """What a value is computed on that comes from these data sets together."""
        simulated = [data for data in scores if task_of(data) not in self.data]
        if simulated:
            if len(simulated) == len(scores):
                return Basis("simulated", MADE_UP)
            why = f"Of these data sets {listed(simulated, 'and')} {'is' if len(simulated) == 1 else 'are'} simulated: {_ALONE}"
            return Basis("partly simulated", why)
        others = [said for data, one in scores.items() if (said := other_size(data, one))]
        return Basis("other data", f"{'; '.join(others)}: {_ALONE}") if others else Basis()


@dataclass(frozen=True)
class Study:
    """A paper as a program. ``runs`` says what is run, ``cannot`` what cannot be reproduced without data that is not public, and
    why; ``reads`` names the data sets that it uses where they are there."""

    id: str
    source: Citation
    runs: tuple[str, ...]
    cannot: tuple[tuple[str, str], ...]
    values: Callable[[Setting], Iterable[Value]]
    reads: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    """Whose measures of plugins can stand in its tables."""
    with_plugins: Callable[[Setting, Sequence[Measure]], Iterable[Value]] = lambda _, __: ()
    """The rows that measures of plugins get in its tables."""
    drawings: Callable[[Setting], Iterable[Drawing]] = lambda _: ()
    """The paper's figures, as files are called and as they are drawn."""


@dataclass(frozen=True, eq=False)
class Compared(Framed):
    """What a study comes to."""

    caption: ClassVar[str] = "Published values and ours"

    study: Study
    values: tuple[Value, ...]
    setting: Setting | None = field(default=None, repr=False)

    def drawings(self) -> list[Drawing]:
        """The paper's figures, with what was found."""
        drawn = [] if self.setting is None else self.study.drawings(self.setting)
        return [replace(one, name=f"{self.study.id}-{one.name}") for one in drawn]

    def charts(self, folder: str | Path, *, width: Width = "page") -> list[Path]:
        """Every figure of the paper as a file in a new folder; where they are."""
        return _saved(self.drawings(), folder, width)

    @property
    def failures(self) -> tuple[Value, ...]:
        """The values that must agree and do not."""
        return tuple(value for value in self.values if value.fails)

    def parts(self) -> dict[str, list[Value]]:
        """The values by where the paper has them."""
        by_place: dict[str, list[Value]] = {}
        for value in self.values:
            by_place.setdefault(value.where, []).append(value)
        return by_place

    def summary(self) -> str:
        """How many values agree, in a sentence: first those that the program computes and the paper prints."""
        told = [_agreement(self._chosen("program", "print"), "of the program must agree with {source}", self.study.source.short)]
        if frozen := self._chosen("program", "code"):
            told.append(_agreement(frozen, "must agree with {source}", "independent code"))
        if others := [value for value in self.values if value.agrees is not None and value.kind == "program" and not value.must]:
            agree = sum(bool(one.agrees) for one in others)
            words = "{others} need not, for the reasons given, and {agreeing} of them " + ("does" if agree == 1 else "do")
            told.append(say(words, others=len(others), agreeing=agree))
        if itself := [value for value in self.values if value.agrees is not None and value.kind == "paper"]:
            agree = sum(bool(one.agrees) for one in itself)
            words = "{itself} hold the paper against itself, and {agreeing} of them " + ("agrees" if agree == 1 else "agree")
            told.append(say(words, itself=len(itself), agreeing=agree))
        alone = [value for value in self.values if value.agrees is None]
        simulated = sum(value.kind == "simulated" for value in alone)
        told += [say("{simulated} are of simulated data", simulated=simulated)] if simulated else []
        told += [say("{alone} are ours alone", alone=len(alone) - simulated)] if len(alone) > simulated else []
        return note("agreement", "{name}: {told}.", name=self.study.id, told=Listed(told, joint="; ", between="; "))

    def _chosen(self, kind: Kind, against: Against) -> list[Value]:
        """The values of a kind that must agree with the print, or with other code."""
        compared = [value for value in self.values if value.agrees is not None and value.must]
        return [value for value in compared if (value.kind, value.against) == (kind, against)]

    @property
    def title(self) -> str:
        return f"{self.study.id}: published values and ours"

    def in_words(self) -> list[str]:
        return [self.summary()]

    def to_dict(self) -> dict[str, Any]:
        values = [_json(value) for value in self.values]
        return {"study": self.study.id, "values": values, "summary": self.summary(), **_told(self), **self.signed()}

    def tables(self, format: OutputFormat) -> list[Table]:
        tables = [
            _list(where, part) if any(value.published is not None for value in part) else _matrix(where, part)
            for where, part in self.parts().items()
        ]
        return [*tables[:-1], replace(tables[-1], notes=(*tables[-1].notes, self.summary()))]

    def columns(self) -> dict[str, list[Any]]:
        """The values as columns of a long table."""
        cells = {name: [getattr(value, name) for value in self.values] for name in _FACTS}
        return {"study": [self.study.id] * len(self.values)} | {
            name: [str(cell).lower() if isinstance(cell, bool) else cell for cell in column] for name, column in cells.items()
        }

    def to_frame(self, library: str | None = None) -> Any:
        """The long table as a data frame, numbers as text where a column has words too."""
        columns = self.columns()
        texts = {name: [None if cell is None else str(cell) for cell in columns[name]] for name in ("published", "ours")}
        return frame_of(columns | texts, library)


@dataclass(frozen=True, eq=False)
class Studies(Signed):
    """Several studies."""

    caption: ClassVar[str] = "Published values and ours"

    results: tuple[Compared, ...]

    def drawings(self) -> list[Drawing]:
        """The figures of all papers."""
        return [one for result in self.results for one in result.drawings()]

    def charts(self, folder: str | Path, *, width: Width = "page") -> list[Path]:
        """Every figure of every paper as a file in a new folder; where they are."""
        return _saved(self.drawings(), folder, width)

    @property
    def failures(self) -> tuple[Value, ...]:
        """The values that must agree and do not."""
        return tuple(value for result in self.results for value in result.failures)

    def in_words(self) -> list[str]:
        return [sentence for result in self.results for sentence in result.in_words()]

    def to_dict(self) -> dict[str, Any]:
        return {"studies": [result.to_dict() for result in self.results], **_told(self), **self.signed()}

    def tables(self, format: OutputFormat) -> list[Table]:
        return [table for result in self.results for table in result.tables(format)]

    def full_table(self) -> Table:
        columns = [result.columns() for result in self.results]
        return Table.of({name: [cell for one in columns for cell in one[name]] for name in columns[0]})


_FACTS = (
    *("where", "row", "column", "published", "ours", "difference", "agrees", "must", "note"),
    *("kind", "against", "tolerance", "why", "standard_error", "in_errors"),
)  # fmt: skip


def _saved(drawings: Sequence[Drawing], folder: str | Path, width: Width) -> list[Path]:
    """SVG files, all or none."""
    if not drawings:
        raise UsageError("no figure can be drawn", hint="its papers have none")
    wide = inches(width)
    with new_folder(folder) as scratch, house_style():
        for one in drawings:
            save(with_inert_text(one.draw(wide)), scratch / f"{one.name}.svg")
    return [Path(folder) / f"{one.name}.svg" for one in drawings]


def _agreement(values: Sequence[Value], what: str, source: str) -> Message:
    failing = sum(value.fails for value in values)
    end = "{failing} do NOT" if failing else "all do"
    return say("{compared} values " + what + ", and " + end, compared=len(values), source=source, failing=failing)


def _told(result: Compared | Studies) -> dict[str, Any]:
    """What is said of the values, as JSON has it."""
    return {"notes": result.in_words(), "findings": data(result.in_words())}


def _json(value: Value) -> dict[str, Any]:
    cells = {name: getattr(value, name) for name in _FACTS}
    return {name: json_number(cell) if isinstance(cell, float) else cell for name, cell in cells.items()}


def _list(where: str, part: Sequence[Value]) -> Table:
    """A row for each value; what there is to say of some, and why a tolerance is what it is, stands below by number."""
    reasons = list(dict.fromkeys([value.note for value in part if value.note] + [_tolerated(value) for value in part]))
    reasons = [reason for reason in reasons if reason]
    signs = {True: "✓", False: "✗", None: ""}

    def told(reason: str) -> str:
        return f"({reasons.index(reason) + 1})" if reason else ""

    rows = tuple(
        (
            value.row,
            value.column,
            _as_printed(value.published, value.digits),
            _shown(value.ours, value.digits and value.digits + 1),
            _difference(value.difference) + (f" ({value.in_errors:+.0f} s.e.)" if value.in_errors is not None else ""),
            " ".join(filter(None, (f"{value.tolerance:.2g}" if value.tolerance else "", told(_tolerated(value))))),
            value.kind if value.against == "print" else f"{value.kind}, code",
            " ".join(filter(None, (signs[value.agrees], told(value.note)))),
        )
        for value in part
    )
    notes = tuple(f"({place}) {reason}" for place, reason in enumerate(reasons, start=1))
    bold = frozenset((row, "agrees") for row, value in enumerate(part) if value.fails)
    headings = (where, "column", "published", "ours", "difference", "tolerance", "kind", "agrees")
    return Table(headings, rows, frozenset(headings[2:6]), bold, notes)


def _tolerated(value: Value) -> str:
    return f"Tolerance: {value.why}." if value.tolerance else ""


def _difference(difference: float | None) -> str:
    return "" if difference is None else "0" if abs(difference) < _ROUNDING else f"{difference:+.2g}"


def _matrix(where: str, part: Sequence[Value]) -> Table:
    """Values of ours alone: rows down, columns across."""
    cells = {(value.row, value.column): _shown(value.ours) for value in part}
    columns = list(dict.fromkeys(value.column for value in part))
    rows = tuple(
        (row, *(cells.get((row, column), "") for column in columns)) for row in dict.fromkeys(value.row for value in part)
    )
    kinds = " and ".join(dict.fromkeys(value.kind for value in part))
    notes = (*dict.fromkeys(value.note for value in part if value.note), f"Kind: {kinds}; nothing is published beside it.")
    return Table((where, *columns), rows, frozenset(columns), notes=notes)


def _as_printed(cell: Cell, digits: int | None) -> str:
    """What is published, with the decimals that the paper has, however many are asked for of ours."""
    with with_digits(None):
        return _shown(cell, digits)


def _shown(cell: Cell, digits: int | None = None) -> str:
    """A cell for reading, with so many decimals."""
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return cell
    return f"{cell:g}" if digits is None and float(cell).is_integer() else number(cell, 3 if digits is None else digits)


def claims_of(paper: Citation, also_refuted: Collection[tuple[str, str]] = ()) -> Iterator[Value]:
    """What a paper claims about properties of measures, beside what the search finds. Claims that are known to be wrong need not
    agree: by the erratum beside the claim, or because the search refutes them (measure and property in ``also_refuted``)."""
    claimed_properties = [one for one in properties() if any(claim.source.short == paper.short for claim in one.claims.values())]
    for one in claimed_properties:
        named = [measure for measure, claim in one.claims.items() if claim.source.short == paper.short]
        # Weighted kappa has no weights of its own: it is tried as linear and quadratic.
        known = [measure for measure in map(default_registry().__getitem__, named) if not measure.needs_distance]
        tried = axioms([measure.example if measure.open else measure.id for measure in known], properties=one.id, trials=TRIALS)
        for verdict in tried.verdicts:
            if verdict.claim is None or verdict.claim.source.short != paper.short:
                continue
            where = f"{verdict.claim.source.where}: claims, by search"
            value = Value(where, verdict.measure.id, verdict.asked.id, verdict.claim.holds, verdict.holds)
            refuted = bool(verdict.claim.erratum) or (verdict.measure.id, verdict.asked.id) in also_refuted
            reason = f"{verdict.measure.id}, {verdict.asked.id}: {verdict.sentence()}"
            yield need_not(value, reason) if refuted and verdict.differs else value


def study_modules() -> list[ModuleType]:
    """Every file of this folder that has a study in it."""
    modules = [importlib.import_module(one.name) for one in pkgutil.iter_modules(room.__path__, f"{room.__name__}.")]
    return [module for module in modules if hasattr(module, "STUDY")]


def studies() -> dict[str, Study]:
    """Every study by its id."""
    return {module.STUDY.id: module.STUDY for module in study_modules()}


@with_options(StudyOptions)
def study(asked: StudyOptions, names: str | Sequence[str] | None = None) -> Compared | Studies:
    """Compute what a paper publishes, and compare.

    Parameters
    ----------
    names : str or sequence of str, optional
        The paper: ``amigo2020``, ``avramidis2013``, ``bergmair2009``, ``sakai2021`` or ``sakai2021lq``; several, or by
        default all.

    Returns
    -------
    Compared or Studies
        The published values beside ours; of several papers, one for each.

    Raises
    ------
    UsageError
        If there is no such study.

    Notes
    -----
    The papers, their tables and figures, and what could not be made again are in docs/studies.md; what is wrong in a paper itself
    is said there too.

    Examples
    --------
    >>> import metameasure as mm
    >>> found = mm.study("bergmair2009")
    >>> found.failures
    ()

    """
    known = studies()
    ids = [names] if isinstance(names, str) else list(names or known)
    for name in ids:
        if name not in known:
            raise UsageError(f"there is no study '{name}'", hint=did_you_mean(name, known) or f"there are {', '.join(known)}")
    setting = Setting(DataFolder.of(asked.data), asked.seed, asked.registry)
    added = setting.plugins(*(task for name in ids for task in known[name].tasks))
    brought = asked.registry is not None and len(asked.registry.all) > len(default_registry().all)
    if brought and not added:
        tasks = listed(sorted({task for name in ids for task in known[name].tasks}), "or")
        raise UsageError(
            say("no measure of a plugin scores runs of {tasks}", tasks=tasks), hint="name another study, or leave it out"
        )
    settings = {"names": ids, "seed": asked.seed, **({"plugins": [one.code_digest() for one in added]} if added else {})}
    kept_in = resuming(asked.resume, "study", data=setting.data.fingerprint() if asked.resume else "", settings=settings)
    with warnings.catch_warnings(), kept_in:
        warnings.simplefilter("ignore", MetameasureWarning)  # what evaluations say is no news: the papers' systems are known
        chosen = [known[name] for name in dict.fromkeys(ids)]
        results = tuple(_compared(one, setting) for one in in_steps(chosen, len(chosen), "", lambda _: 1))
    folder = None if asked.data is None else setting.data.fingerprint()[:12]
    more = signed_measures(added) if added else {}
    made = Signature(command="study", studies=list(dict.fromkeys(ids)), seed=asked.seed, gold=folder, **more).signed()
    return replace(results[0] if isinstance(names, str) or len(results) == 1 else Studies(results), made=made)


def _compared(one: Study, setting: Setting) -> Compared:
    def computed() -> list[Value]:
        added = setting.plugins(*one.tasks)
        return [*one.values(setting), *(_of_plugin(value) for value in (one.with_plugins(setting, added) if added else ()))]

    values = kept_json(lambda: [asdict(value) for value in computed()], "study", one.id, like=list[Value], in_parts=True)
    return Compared(one, tuple(Value(**value) for value in values), setting)
