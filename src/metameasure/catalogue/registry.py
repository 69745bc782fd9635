"""Every measure there is: found by walking this package, the entry points of other packages, and files a user names."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from metameasure import catalogue
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.parameters import split_unescaped
from metameasure.errors import MetameasureWarning, UnknownName, UsageError, did_you_mean

ENTRY_POINTS = "metameasure.measures"


class Registry(Mapping[str, Measure]):
    """Measures by name, in upper or lower case: ``registry["ndcg@10"]``. Iterating gives the ids; a registry never changes."""

    def __init__(self, measures: Iterable[Measure]) -> None:
        known = list(measures)
        taken: dict[str, Measure] = {}
        for found in known:
            names = (found.template, *found.aliases, *found.spellings)
            for name in names:
                if name in taken:
                    raise UsageError(
                        f"measure '{name}' is declared twice, in {taken[name].module} and in {found.module}",
                        hint="give one of them another id",
                    )
            taken |= dict.fromkeys(names, found)
        self._by_id = {found.template: found for found in known}
        self._named = self._by_id | {alias: found for found in known for alias in found.aliases}
        self._spelled = {spelling: found for found in known for spelling in found.spellings}

    @classmethod
    def discover(cls) -> Registry:
        """The measures of this package and of installed packages that offer any."""
        modules = pkgutil.walk_packages(catalogue.__path__, catalogue.__name__ + ".")
        offers = sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name)
        own = (found for module in modules for found in _declared_in(importlib.import_module(module.name)))
        return cls([*own, *(found for entry in offers for found in _load_entry_point(entry))])

    def with_plugins(self, paths: Iterable[str | Path]) -> Registry:
        """This registry and the measures in the files, in a new one."""
        return Registry([*self._by_id.values(), *(found for path in paths for found in load_file(path))])

    def __getitem__(self, name: str) -> Measure:
        exact = self._named.get(name) or self._named.get(name.lower())
        if exact is not None:
            return exact
        base, at, text = name.partition("@")
        base = base.lower()
        alike = [found for found in self._by_id.values() if found.base == base]
        for found in alike:
            if at and found.parameter is not None:
                return found.at(text)
        for spelling, found in self._spelled.items():  # as another program calls it, with the settings that its name says
            number = re.fullmatch(spelling.replace("K", "([0-9]+)"), name.lower())
            if number:
                return found.at(found.spellings[spelling].replace("K", number[1]))
        raise UnknownName(f"there is no measure '{name}'", hint=self._hint(name, base, alike))

    def find(self, name: str) -> Measure | None:
        """The measure of that name; None where it is not one of ours."""
        try:
            return self[name]
        except UsageError:
            return None

    def _hint(self, name: str, base: str, alike: list[Measure]) -> str:
        variants = [found.template for found in alike if found.parameter is None and "@" in found.template]
        if variants:
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

    def select(self, names: str | Iterable[str | Measure]) -> list[Measure]:
        """The measures of a list, comma-separated or not, each once, in its order; all wrong names are reported at once."""
        parts = [part.strip() for part in split_unescaped(names, ",")] if isinstance(names, str) else list(names)
        found: dict[Measure, None] = {}
        wrong: list[UsageError] = []
        for part in dict.fromkeys(parts):
            try:
                found |= {self[part] if isinstance(part, str) else part: None} if part else {}
            except UsageError as error:
                wrong.append(error)
        if len(wrong) > 1:
            raise UnknownName(
                f"{len(wrong)} measures cannot be found:\n" + "\n".join(f"  {error.on_the_command_line()}" for error in wrong)
            )
        if wrong:
            raise wrong[0]
        if not found and isinstance(names, str):
            raise UsageError("no measure was chosen", hint="choose at least one, as in mae_macro,cem_ord")
        return list(found)


@cache
def default_registry() -> Registry:
    """The registry that names are looked up in unless another is given; made once, when first asked for."""
    return Registry.discover()


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
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise UsageError(f"{file}:{error.lineno}: {error.msg}", hint="it must be a Python file that declares measures") from error
    except UsageError as error:
        raise UsageError(f"{file}: {error.message}", hint=error.hint) from error
    except Exception as error:
        raise UsageError(f"{file}: {type(error).__name__}: {error}", hint="it must be importable on its own") from error
    found = _declared_in(module)
    if not found:
        raise UsageError(f"{file}: declares no measure", hint="decorate a function with @measure(...)")
    return found


def _load_entry_point(entry: EntryPoint) -> list[Measure]:
    """Somebody else's broken package is reported, but does not take everything else down with it."""
    try:
        loaded = entry.load()
    except Exception as error:
        complaint = f"the measures of {entry.value} cannot be loaded: {type(error).__name__}: {error}"
        warnings.warn(complaint, MetameasureWarning, stacklevel=2)
        return []
    if isinstance(loaded, Measure):
        return [loaded]
    return _declared_in(loaded) if isinstance(loaded, ModuleType) else []


def _declared_in(module: ModuleType) -> list[Measure]:
    """A module's own measures, not those it imports from others."""
    return [found for found in vars(module).values() if isinstance(found, Measure) and found.module == module.__name__]
