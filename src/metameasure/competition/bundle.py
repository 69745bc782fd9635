"""A competition for Codabench, made from the settings of an evaluation: one archive to upload."""

from __future__ import annotations

import io
import json
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.pages import explanation_markdown
from metameasure.catalogue.registry import default_registry
from metameasure.competition.scoring import LAST, SETTINGS, column_key
from metameasure.errors import UsageError
from metameasure.formats.output import whole_file
from metameasure.show.canvas import house_style, new_figure
from metameasure.version import __version__

_OF_THE_BUNDLE = ("title", "description", "gold", "image", "wheels", "logo", "terms", "start")
_NEEDED = ("title", "gold", "measures")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_TERMS = "Taking part, you allow the organisers to score your submission and to publish the scores.\n"


@dataclass(frozen=True)
class Config:
    """What the file of settings says: about the competition, and how submissions are read and scored."""

    folder: Path
    about: Mapping[str, Any]
    scoring: Mapping[str, Any]

    @property
    def gold(self) -> Path:
        return self.folder / str(self.about["gold"])


def read_config(path: str | Path) -> Config:
    """The settings in a TOML file; UsageError for one that lacks something, or whose files are not there."""
    place = Path(path)
    try:
        told = tomllib.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no file '{path}'", hint="name a TOML file: title, gold, measures, classes, ...") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"'{path}' is not TOML: {error}", hint='as in title = "My task"') from None
    for name in _NEEDED:
        if not told.get(name):
            raise UsageError(f"'{path}' has no '{name}'", hint=f"it needs {', '.join(_NEEDED)}")
    if bool(told.get("image")) == bool(told.get("wheels")):
        raise UsageError(
            f"'{path}' says not where the program runs",
            hint='name a Docker image that has metameasure (image = "..."), or a folder of wheels to carry (wheels = "...")',
        )
    about = {name: told.pop(name) for name in _OF_THE_BUNDLE if name in told}
    found = Config(place.parent, about, told)
    for name in ("gold", "logo", "terms"):
        if name in about and not (found.folder / about[name]).is_file():
            raise UsageError(f"there is no file '{about[name]}' ({name} in '{path}')", hint="paths are relative to that file")
    return found


def competition(config: str | Path, target: str | Path) -> list[str]:
    """Write the bundle of a competition; the ids of its columns, the primary measure first."""
    if Path(target).suffix.lower() != ".zip":
        raise UsageError(f"'{target}' is not the name of an archive", hint="let it end in .zip")
    told = read_config(config)
    measures = default_registry().select(told.scoring["measures"])
    parts = {
        "competition.yaml": _competition(told, measures),
        "logo.png": (told.folder / told.about["logo"]).read_bytes() if "logo" in told.about else _logo(str(told.about["title"])),
        "pages/terms.md": (told.folder / told.about["terms"]).read_bytes() if "terms" in told.about else _TERMS.encode(),
        "pages/evaluation.md": _evaluation_page(measures),
        "scoring_program.zip": _zipped(_program(told)),
        "reference_data.zip": _zipped(_reference(told)),
    }
    with whole_file(target) as scratch:
        scratch.write_bytes(_zipped(parts))
    return [column_key(measure.id) for measure in measures]


def _competition(told: Config, measures: list[Measure]) -> bytes:
    """What Codabench reads: YAML, of which JSON is a part."""
    columns = [
        {
            "title": measure.id,
            "key": column_key(measure.id),
            "index": place,
            "sorting": "asc" if measure.better == "lower" else "desc",
        }
        for place, measure in enumerate(measures)
    ]
    facts: dict[str, Any] = {
        "version": 2,
        "title": told.about["title"],
        "description": told.about.get("description", ""),
        "image": "logo.png",
        "terms": "pages/terms.md",
        "enable_detailed_results": True,
        "pages": [{"title": "Evaluation", "file": "pages/evaluation.md"}],
        "tasks": [
            {
                "index": 0,
                "name": told.about["title"],
                "description": told.about.get("description", ""),
                "reference_data": "reference_data.zip",
                "scoring_program": "scoring_program.zip",
            }
        ],
        "phases": [{"name": "Test", "start": str(told.about.get("start", "2020-01-01")), "tasks": [0]}],
        "leaderboards": [{"title": "Results", "key": "results", "columns": columns}],
    }
    if "image" in told.about:
        facts["docker_image"] = told.about["image"]
    return (json.dumps(facts, ensure_ascii=False, indent=2) + "\n").encode()


def _program(told: Config) -> dict[str, bytes]:
    """The scoring program, and the wheels it runs from where it carries them. CodaLab reads ``metadata``, Codabench the other."""
    program = {
        "score.py": (files("metameasure.competition") / "program.py").read_bytes(),
        "metadata.yaml": b"command: python3 /app/program/score.py /app/input /app/output\n",
        "metadata": b"command: python3 $program/score.py $input $output\ndescription: metameasure\n",
    }
    if "wheels" in told.about:
        wheels = sorted((told.folder / told.about["wheels"]).glob("*.whl"))
        if not any(wheel.name.startswith("metameasure-") for wheel in wheels):
            raise UsageError(
                f"there is no wheel of metameasure in '{told.about['wheels']}'",
                hint=f"pip download --dest {told.about['wheels']} metameasure=={__version__}, or pip wheel",
            )
        program |= {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels}
    return program


def _reference(told: Config) -> dict[str, bytes]:
    settings = {**told.scoring, "gold": told.gold.name}
    return {
        told.gold.name: told.gold.read_bytes(),
        SETTINGS: (json.dumps(settings, ensure_ascii=False, indent=2) + "\n").encode(),
    }


def _evaluation_page(measures: list[Measure]) -> bytes:
    """What participants read: which measures, which is the primary one, and what becomes of undefined scores."""
    opening = (
        f"Submissions are ranked by {measures[0].id}. A score that is undefined is written as {LAST:,.0f}, with the sign that\n"
        f"ranks it last.\n\nScores are computed with metameasure {__version__}; a broken submission is told what is wrong, by\n"
        "file and line.\n\n"
    )
    return (opening + "\n".join(explanation_markdown(measure) for measure in measures)).encode()


def _logo(title: str) -> bytes:
    """The first letters of the title, where there is no picture."""
    drawn = io.BytesIO()
    with house_style():
        figure = new_figure(2, 2)
        figure.text(
            0.5, 0.5, "".join(word[0] for word in title.split()[:3]), ha="center", va="center", fontsize=60, color="#0072B2"
        )
        figure.savefig(drawn, format="png", metadata={"Software": None})
    return drawn.getvalue()


def _zipped(parts: Mapping[str, bytes]) -> bytes:
    """An archive that is the same for the same parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()
