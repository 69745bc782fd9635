"""Every measure there is: found by walking this package, the entry points of other packages, and files a user names."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType

from metameasure import catalogue
from metameasure.catalogue.measure import Measure
from metameasure.core.errors import UnknownName, UsageError, by_others, did_you_mean
from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.core.offers import offered

ENTRY_POINTS = "metameasure.measures"
_BY_AGE = ("agreement", "classification", "entailment", "outcomes", "quantification", "ranking", "multilabel", "probabilities")
"""Folders in the order in which they came: a name that measures of several share stands for the first, and a folder that is new
comes behind these, so that it takes no name from them."""


def place_of(folder: str) -> int:
    """The place of a folder's measures among all."""
    return _BY_AGE.index(folder) if folder in _BY_AGE else len(_BY_AGE)


class Registry(Mapping[str, Measure]):
    """Measures by name, in upper or lower case: ``registry["ndcg@10"]``. Iterating gives the ids; a registry never changes.

    Measures of different tasks may share a name: ``precision@10`` is of the class 10 in classification and of the first ten items
    in ranking. The name then stands for the first of them, and ``of_task`` gives a registry in which a task's own come first.
    """

    def __init__(self, measures: Iterable[Measure]) -> None:
        known = list(measures)
        taken: dict[str, list[Measure]] = {}
        for measure in known:
            for name in (measure.template, *measure.aliases, *measure.spellings):
                for other in taken.setdefault(name, []):
                    if not {*other.tasks}.isdisjoint(measure.tasks):
                        raise UsageError(
                            f"measure '{name}' is declared twice, in {other.module} and in {measure.module}",
                            hint="give one of them another id",
                        )
                taken[name].append(measure)
        self.all = tuple(known)
        """Every measure, those that share a name included."""
        templates = dict.fromkeys(measure.template for measure in known)
        self._by_id = {name: taken[name][0] for name in templates if taken[name][0].template == name}
        self._named = {alias: taken[alias][0] for measure in known for alias in measure.aliases} | self._by_id
        self._spelled = {spelling: taken[spelling][0] for measure in known for spelling in measure.spellings}
        self._liked = {
            _plain(name): measure.as_elsewhere
            for measure in reversed(known)
            for program in measure.like
            for name in measure.called_in(program)
        }
        tasks = {task for measure in known for task in measure.tasks}
        self._sets = {key.partition("@")[0] for measure in known for key in measure.headline} - tasks
        self._headlines: dict[str, tuple[Measure, ...]] = {}
        self._of_tasks: dict[str, Registry] = {}

    def of_task(self, *tasks: str) -> Registry:
        """The same measures, where a name that several have stands for the one of these tasks."""
        key = " ".join(tasks)
        if key not in self._of_tasks:
            first = [measure for measure in self.all if not {*tasks}.isdisjoint(measure.tasks)]
            self._of_tasks[key] = Registry([*first, *(one for one in self.all if {*tasks}.isdisjoint(one.tasks))])
        return self._of_tasks[key]

    def called(self, name: str) -> list[Measure]:
        """Every measure of that name, one for each task that has one."""
        return self.named(name) or [self[name]]

    def named(self, name: str) -> list[Measure]:
        """The same; empty if there is no measure of that name."""
        tasks = {task: None for measure in self.all for task in measure.tasks}
        found = (measure for task in tasks if (measure := self.of_task(task).find(name)) and task in measure.tasks)
        return list(dict.fromkeys(found))

    @classmethod
    def discover(cls) -> Registry:
        """The measures of this package's folders and of installed packages that offer any."""
        everything = pkgutil.walk_packages(catalogue.__path__, catalogue.__name__ + ".")
        measured = (one for one in everything if one.ispkg or one.name.count(".") > catalogue.__name__.count(".") + 1)
        modules = sorted(measured, key=lambda one: place_of(one.name.split(".")[2]))
        own = (measure for module in modules for measure in _declared_in(importlib.import_module(module.name)))
        theirs = offered(ENTRY_POINTS, "measures of", (Measure, ModuleType))
        return cls([*own, *(measure for loaded in theirs for measure in _measures_of(loaded))])

    def with_plugins(self, paths: Iterable[str | Path]) -> Registry:
        """This registry and the measures in the files, in a new one."""
        added = [measure for path in paths for measure in load_file(path)]
        _added.extend(measure for measure in added if measure not in _added)
        return Registry([*self.all, *added])

    def __getitem__(self, name: str) -> Measure:
        exact = self._named.get(name) or self._named.get(name.lower())
        if exact is not None:
            return replace(exact, called=name) if name.lower() in exact.aliases else exact
        base, at, text = name.partition("@")
        base = base.lower()
        alike = [measure for measure in self.all if measure.base == base]
        for measure in alike:
            if at and measure.parameter is not None:
                return self._filled_in(measure, text, alike)
        for spelling, measure in self._spelled.items():  # as another program calls it, with the settings that its name says
            pattern = re.escape(spelling).replace("K", "([0-9]+)").replace("X", r"([0-9]*\.?[0-9]+)")
            number = re.fullmatch(pattern, name.lower())
            if number:
                return replace(measure.at(re.sub("[KX]", number[1], measure.spellings[spelling])), called=name)
        if _plain(name) in self._liked:
            return self._liked[_plain(name)]
        own = self._as_called(name)
        if own is not None:
            return own
        raise UnknownName(f"there is no measure '{name}'", hint=self._hint(name, base, alike))

    def _as_called(self, name: str) -> Measure | None:
        """What other programs write as a call with numbers, ``fbeta_score(beta=2, average="macro")`` in scikit-learn and
        ``P(rel=2)@5`` in ir_measures; None where it is no measure of ours."""
        call = _CALL.fullmatch(name)
        if call is None:
            return None
        settings = re.sub(r"[\s'\"]", "", call["settings"]).split(",")
        for one in settings:
            without = _plain(f"{call['base']}({','.join(other for other in settings if other is not one)})")
            if without in self._liked:
                return self._liked[without].at(one)
        base, said = call["base"] + (call["at"] or ""), ":".join(_CALLED.get(one, one) for one in settings)
        found = self.find(f"{base}@{said}")
        plain = self.find(base) if found is None else None
        return found if plain is None else self[f"{plain.id}{':' if '@' in plain.id else '@'}{said}"]

    def _filled_in(self, measure: Measure, text: str, alike: list[Measure]) -> Measure:
        """The measure with its parameter; where there is no such, the hint names its variants too."""
        try:
            return measure.at(text)
        except UsageError as error:
            variants = _variants(alike)
            if not variants:
                raise
            verb = "is" if len(variants) == 1 else "are"
            raise UsageError(error.message, hint=f"{error.hint}; there {verb} {listed(variants, 'and')} too") from None

    def headline(self, task: str) -> tuple[Measure, ...]:
        """The measures that declare themselves as the first choice for a task, in their order; looked for once."""
        if task not in self._headlines:
            places: dict[Measure, int] = {}
            for declared in self.all:
                for key, place in declared.headline.items():
                    name, _, argument = key.partition("@")
                    if name == task:
                        places[declared.at(argument) if argument else declared] = place
            self._headlines[task] = tuple(sorted(places, key=places.__getitem__))
        return self._headlines[task]

    def none_chosen(self, task: str) -> UsageError:
        """That no measure was chosen where one is needed, with one that the task has."""
        first = next((one.id for one in self.headline(task) if one.better is not None), "MEASURE")
        return UsageError("no measure was chosen", hint=say("choose one, as in {--measures <measure>}", measure=first))

    def find(self, name: str) -> Measure | None:
        """The measure of that name; None where it is not one of ours."""
        try:
            return self[name]
        except UsageError:
            return None

    def _hint(self, name: str, base: str, alike: list[Measure]) -> str:
        if variants := _variants(alike):
            return f"there are {', '.join(variants)}"
        if alike and alike[0].parameter is None:
            return f"{base} takes no parameter"
        if alike:
            return f"{base} needs one: {alike[0].template}, as in {alike[0].example}"
        near = did_you_mean(name, [*self._named, *self._spelled])
        return near or did_you_mean(base, {m.base for m in self._by_id.values()}) or "'metameasure measures' lists them"

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def __repr__(self) -> str:
        return f"<{len(self)} measures: {', '.join(self)}>"

    def parse(self, name: str) -> Measure:
        """The measure of that name, alias or id with parameter: ``parse(str(m)) == m``."""
        return self[name]

    def _brought(self, measure: Measure) -> Measure:
        """A measure that a caller brings along, as Python's callers do; charts and tables know its symbol from now on."""
        if not isinstance(measure, Measure):
            raise UsageError(f"a measure cannot be of type {type(measure).__name__}", hint="give its name, or mm.measures[...]")
        if self.find(measure.id) is None and measure not in _added:
            _added.append(measure)
        return measure

    def select(self, names: str | Measure | Iterable[str | Measure]) -> list[Measure]:
        """The measures of a list, comma-separated or not, each once, in its order; all wrong names are reported at once.
        ``best_vs_human@1..5`` stands for the measure at each of these numbers."""
        given = names if isinstance(names, Iterable) else [names]
        parts = [part.strip() for part in _between_commas(names)] if isinstance(names, str) else list(given)
        selection: dict[Measure, None] = {}
        wrong: list[UsageError] = []
        for part in dict.fromkeys(one for named in parts for one in _spelled_out(named)):
            try:
                if part in self._sets:
                    selection |= dict.fromkeys(self.headline(str(part)))
                elif part:
                    selection[self[part] if isinstance(part, str) else self._brought(part)] = None
            except UsageError as error:
                wrong.append(error)
        if len(wrong) > 1:
            raise UnknownName(f"{len(wrong)} measures cannot be found:\n" + "\n".join(f"  {error}" for error in wrong))
        if wrong:
            raise wrong[0]
        if not selection and (parts or isinstance(names, str)):
            raise UsageError("no measure was chosen", hint="choose at least one, as in mae_macro,cem_ord")
        return list(selection)


def _variants(alike: list[Measure]) -> list[str]:
    """Those with a word of their own behind the ``@``, as ``tau@b`` has."""
    return [measure.template for measure in alike if measure.parameter is None and "@" in measure.template]


_CALL = re.compile(r"(?:(?:sklearn\.)?metrics\.)?(?P<base>\w+)\((?P<settings>[^()]+)\)(?P<at>@\d+)?")
_CALLED = {"dcg=exp-log2": "gain=exponential", "dcg=log2": "gain=linear"}
"""Settings of ir_measures that are called otherwise here."""


def _between_commas(names: str) -> list[str]:
    """The names of a list. Commas in brackets and behind a backslash are part of a name."""
    return re.findall(r"(?:\\.|\([^()]*\)|[^,\\]|\\$)+", names)


def _plain(call: str) -> str:
    """How another program calls a measure, without what people leave out: ``sklearn.metrics.f1_score(average="macro")``."""
    return re.sub(r"[\s'\"]|\(\)$|^(sklearn\.)?metrics\.", "", call.lower())


_RANGE = re.compile(r"(?P<before>[^@]+@)(?P<first>\d+)\.\.(?P<last>\d+)(?P<after>:.*)?")


def _spelled_out(name: str | Measure) -> list[str | Measure]:
    """A measure at each number of a range, or as it is."""
    found = _RANGE.fullmatch(name.strip()) if isinstance(name, str) else None
    if found is None:
        return [name]
    numbers = range(int(found["first"]), int(found["last"]) + 1)
    return [f"{found['before']}{number}{found['after'] or ''}" for number in numbers] or [name]


@cache
def default_registry() -> Registry:
    """The registry that names are looked up in unless another is given; made once, when first asked for."""
    return Registry.discover()


_added: list[Measure] = []
"""The measures of all files that were loaded."""


def known_measure(name: str) -> Measure | None:
    """The measure of that name, of this package or of a file that was loaded, the last first; None where there is none."""
    own = default_registry().find(name)
    if own is not None or not _added:
        return own
    found = (Registry([one]).find(name) for one in reversed(_added))
    return next((one for one in found if one is not None), None)


def loaded() -> dict[str, Measure]:
    """The measures of all files that were loaded, by name."""
    return {one.id: one for one in _added}


def load_file(path: str | Path) -> list[Measure]:
    """The measures that a Python file declares."""
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"there is no file '{file}'", hint="name a Python file that declares measures")
    name = f"metameasure_plugin_{file.stem}_{abs(hash(file.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{file}: not a Python file", hint="name a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # as import does: pickling and dataclasses look modules up there
    try:
        with by_others(str(file), "it must be importable on its own"):
            spec.loader.exec_module(module)
    except UsageError as error:
        if isinstance(error.__cause__, SyntaxError):
            where, hint = f"{file}:{error.__cause__.lineno}", "it must be a Python file that declares measures"
            raise UsageError(f"{where}: {error.__cause__.msg}", hint=hint) from error.__cause__
        named = error.message if error.__cause__ is not None else f"{file}: {error.message}"
        raise UsageError(named, hint=error.hint) from error
    measures = _declared_in(module)
    if not measures:
        raise UsageError(f"{file}: declares no measure", hint="decorate a function with @measure(...)")
    return measures


def _measures_of(loaded: Measure | ModuleType) -> list[Measure]:
    return [loaded] if isinstance(loaded, Measure) else _declared_in(loaded)


def _declared_in(module: ModuleType) -> list[Measure]:
    """A module's own measures, not those it imports from others."""
    return [member for member in vars(module).values() if isinstance(member, Measure) and member.module == module.__name__]
