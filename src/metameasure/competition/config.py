"""The settings of a competition: what it is about, how submissions are scored, and where the program runs."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metameasure.errors import UsageError
from metameasure.show.inert import visible, visible_line

_OF_THE_BUNDLE = ("title", "description", "gold", "image", "wheels", "logo", "terms", "start")
_NEEDED = ("title", "gold", "measures")
_OF_PYTHON = re.compile(r"-cp(3)(\d+)-cp3\d+-")
TERMS = "Taking part, you allow the organisers to score your submission and to publish the scores.\n"


@dataclass(frozen=True)
class Config:
    """What the file of settings says: about the competition, and how submissions are read and scored."""

    folder: Path
    about: Mapping[str, Any]
    scoring: Mapping[str, Any]

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


def read_config(path: str | Path) -> Config:
    """The settings in a TOML file; UsageError for one that lacks something, or whose files are not there."""
    place = Path(path)
    try:
        settings = tomllib.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no file '{path}'", hint="name a TOML file: title, gold, measures, classes, ...") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"'{path}' is not TOML: {error}", hint='as in title = "My task"') from None
    for name in _NEEDED:
        if not settings.get(name):
            raise UsageError(f"'{path}' has no '{name}'", hint=f"it needs {', '.join(_NEEDED)}")
    if not settings.get("image") and not settings.get("wheels"):
        raise UsageError(
            f"'{path}' does not say where the program runs",
            hint='name a Docker image that has metameasure (image = "..."), or a folder of wheels to carry (wheels = "...")',
        )
    about = {name: settings.pop(name) for name in _OF_THE_BUNDLE if name in settings}
    config = Config(place.parent, about, settings)
    for name in ("gold", "logo", "terms"):
        if name in about and not (config.folder / about[name]).is_file():
            raise UsageError(f"there is no file '{about[name]}' ({name} in '{path}')", hint="paths are relative to that file")
    return config
