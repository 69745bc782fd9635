"""The settings of a competition: what it is about, how submissions are scored, and where the program runs."""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from metameasure.competition.scoring import LAST, SETTINGS
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.options import Option, declared_in, names, numbers, value_of, wanted
from metameasure.core.toml import read_toml
from metameasure.show.inert import visible, visible_line
from metameasure.tasks.declaration import declaration, declarations
from metameasure.tasks.option_groups import ScoringOptions
from metameasure.version import __version__

_OF_THE_BUNDLE = ("title", "description", "gold", "image", "wheels", "logo", "terms", "start")
_NEEDED = ("title", "gold", "measures")
_FILES = ("gold", "logo", "terms", "wheels")
_OF_PYTHON = re.compile(r"-cp(3)(\d+)-cp3\d+-")
_ALONE = "a submission is scored by itself, beside no other run"
# What evaluate takes and a bundle does not, and why.
_NOT_HERE = {
    "groups": _ALONE,
    "ranks": _ALONE,
    "run_columns": "a submission is one file with one run",
    "skip_broken": "a broken submission gets a list of its problems, and no scores",
    "trials": "the intervals on the page are made of 1,000 draws",
    "registry": "the program knows the measures of metameasure, and no others",
    "engine": "the program reads files by itself, without network",
    "master": "the program reads files by itself, without network",
    "connect_timeout": "the program reads files by itself, without network",
}
TERMS = "Taking part, you allow the organisers to score your submission and to publish the scores.\n"


@dataclass(frozen=True)
class Config:
    """What the file of settings says: about the competition, and how submissions are read and scored."""

    file: Path
    about: Mapping[str, Any]
    scoring: Mapping[str, Any]

    @property
    def folder(self) -> Path:
        """Where the files are that it names."""
        return self.file.parent

    @property
    def title(self) -> str:
        return visible_line(str(self.about["title"]))

    @property
    def description(self) -> str:
        return visible(str(self.about.get("description", "")))

    @property
    def start(self) -> str:
        return str(self.about.get("start", "2020-01-01"))

    @property
    def gold(self) -> Path:
        return self.folder / str(self.about["gold"])

    @property
    def logo(self) -> Path | None:
        return self.folder / self.about["logo"] if "logo" in self.about else None

    @property
    def terms(self) -> bytes:
        """What participants agree to."""
        return (self.folder / self.about["terms"]).read_bytes() if "terms" in self.about else TERMS.encode()

    @property
    def wheels(self) -> list[Path]:
        """The wheels that the bundle carries."""
        return sorted((self.folder / self.about["wheels"]).glob("*.whl")) if "wheels" in self.about else []

    @property
    def image(self) -> str:
        """The Docker image that the program runs in: the one that is named, or else Python as the wheels need it. The platforms'
        own image has a Python that is too old."""
        if "image" in self.about:
            return str(self.about["image"])
        match = next(filter(None, (_OF_PYTHON.search(wheel.name) for wheel in self.wheels)), None)
        return f"python:{match[1]}.{match[2]}-slim" if match else f"python:3.{sys.version_info.minor}-slim"

    @property
    def undefined(self) -> str:
        """What becomes of scores that are undefined, in a sentence for participants."""
        last = f"A score that is undefined is written as {LAST:,.0f}, with the sign that ranks it last."
        if self.scoring.get("undefined", "skip") == "skip":
            return last
        counts_as = {"zero": "0", "worst": "the worse end of the measure's range", "chance": "the measure's chance level"}
        return f"Where a score is undefined on a topic, it counts there as {counts_as[self.scoring['undefined']]}. {last}"

    def opening(self, primary: str) -> list[str]:
        """What participants read first of how they are scored, by the primary measure before all; a paragraph each."""
        computed = f"Scores are computed with metameasure {__version__}"
        return [
            f"Submissions are ranked by {primary}. {self.undefined}",
            f"{computed}; a broken submission gets a list of its problems, by file and line.",
        ]

    @property
    def inputs(self) -> list[Path]:
        """Every file that the bundle is made of."""
        return [self.file, *(self.folder / self.about[name] for name in _FILES if name in self.about), *self.wheels]

    @property
    def reading(self) -> dict[str, Any]:
        """The settings that are the task's."""
        return {name: value for name, value in self.scoring.items() if name not in _of_evaluate()}

    @property
    def of_scoring(self) -> dict[str, Any]:
        """The settings that are about scores, whatever was read."""
        later = declaration(self.task).names_of_scoring()
        return {name: value for name, value in self.scoring.items() if name in _of_evaluate() or name in later}

    @property
    def task(self) -> str:
        return str(self.scoring.get("task", "classification"))


def read_config(path: str | Path) -> Config:
    """The settings in a TOML file; UsageError for one that lacks a setting, has an unknown one, or whose files are not
    there."""
    place = Path(path)
    settings = read_toml(place, "name a TOML file: title, gold, measures, classes, ...", 'title = "My task"')
    for name in _NEEDED:
        if not settings.get(name):
            raise UsageError(f"'{path}' has no '{name}'", hint=f"it needs {', '.join(_NEEDED)}")
    if not settings.get("image") and not settings.get("wheels"):
        raise UsageError(
            f"'{path}' does not say where the program runs",
            hint='name a Docker image that has metameasure (image = "..."), or a folder of wheels to carry (wheels = "...")',
        )
    for name, value in settings.items():
        _check_setting(name, value, path)
    about = {name: settings.pop(name) for name in _OF_THE_BUNDLE if name in settings}
    config = Config(place, about, settings)
    _check_files(config)
    return config


def _of_evaluate() -> list[str]:
    """What evaluate takes whatever the task."""
    return ["task", *declared_in(ScoringOptions), "skip_broken"]


def _check_setting(name: str, value: Any, path: str | Path) -> None:
    """UsageError for a setting that does not exist, that a bundle does not take, or that has an impossible value."""
    known = [*_OF_THE_BUNDLE, *_of_evaluate(), *(one.name for task in declarations().values() for one in fields(task.options))]
    if name not in known:
        raise UsageError(
            f"'{path}' has a setting '{name}', which does not exist", hint=did_you_mean(name, known) or "leave it out"
        )
    if name in _NOT_HERE:
        raise UsageError(f"'{path}': a bundle does not take '{name}': {_NOT_HERE[name]}", hint="leave it out")
    right, words = _SETTINGS.get(name) or _of_option(name)
    if not right(value):
        raise UsageError(f"'{path}': {name} cannot be {value!r}", hint=f"give {words}")


_Values = tuple[Callable[[Any], bool], str]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are(one: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A list of such values."""
    return lambda value: isinstance(value, list) and all(map(one, value))


_TEXT: _Values = (_is_text, "text")
# Which values a setting may have, and in words. What is not here is an option, and has those that are declared.
_SETTINGS: dict[str, _Values] = {
    **dict.fromkeys(("title", "description", "gold", "image", "wheels", "logo", "terms"), _TEXT),
    **dict.fromkeys(("task", "average", "interval", "undefined"), _TEXT),
    "primary": (_is_text, 'the name of a measure, as in "mae_macro"'),
    "start": (lambda value: isinstance(value, str | dt.date), "a day, as in 2026-01-31"),
    "measures": (lambda value: _is_text(value) or _are(_is_text)(value), 'the names of measures, as in ["mae_macro", "cem_ord"]'),
    "ci": (lambda value: value is True or value == "topics", "true, or leave it out: the page always has intervals"),
    "distance": (_are(_are(_is_number)), "a table: a list of rows, each a list of numbers"),
}


def _of_option(name: str) -> _Values:
    """The values of an option of scoring, or of a task, by its declaration."""
    groups: list[type[Any]] = [ScoringOptions, *(task.options for task in declarations().values())]
    option = next(one[name] for group in groups if name in (one := declared_in(group)))
    if option.is_file:
        return _of_file_option(option)
    if option.keys:
        return (lambda value: isinstance(value, dict) and all(map(_is_text, value.values()))), 'names, as in {item = "id"}'
    if option.choices:
        return (lambda value: value in option.choices), " or ".join(option.choices)
    if option.type in (int, float):
        return partial(_is_possible, option), wanted(option)
    return {
        bool: (lambda value: isinstance(value, bool), "true or false"),
        names: (_are(_is_text), "a list of names"),
        numbers: (_are(_is_number), "a list of numbers"),
    }.get(option.type, (lambda value: isinstance(value, str | list | dict), "text"))


def _is_possible(option: Option, value: Any) -> bool:
    """Whether an option can have the value."""
    try:
        value_of(option, value)
    except UsageError:
        return False
    return True


def _of_file_option(option: Option) -> _Values:
    """No file but gold is in a bundle; what may be a word as well as a file's name may be a word."""
    is_word = not option.keys and option.type is str
    words = "a word: no file but gold is in a bundle" if is_word else "nothing, and leave it out: no file but gold is in a bundle"
    return (lambda value: is_word and _is_text(value) and not Path(value).suffix and not Path(value).exists()), words


def _check_files(config: Config) -> None:
    """UsageError for files that are not there, that are not in the folder of the settings, or whose names collide."""
    path, folder = config.file, config.folder.resolve()
    for name in _FILES:
        if name not in config.about:
            continue
        place = config.folder / config.about[name]
        if not place.resolve().is_relative_to(folder):
            raise UsageError(
                f"'{config.about[name]}' ({name} in '{path}') is not in the folder of '{path}'",
                hint="put it there: a bundle is made of nothing else",
            )
        if not (place.is_dir() if name == "wheels" else place.is_file()):
            what = "folder" if name == "wheels" else "file"
            raise UsageError(
                f"there is no {what} '{config.about[name]}' ({name} in '{path}')", hint="paths are relative to that file"
            )
    for wheel in config.wheels:
        if not wheel.resolve().is_relative_to(folder):
            raise UsageError(f"'{wheel}' is a link that leads out of the folder of '{path}'", hint="copy the wheel")
    if config.gold.name.casefold() == SETTINGS:
        raise UsageError(
            f"gold cannot be called '{config.gold.name}': in the bundle its settings are called so", hint="give it another name"
        )
