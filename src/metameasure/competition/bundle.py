"""A competition for Codabench or CodaLab, made from the settings of an evaluation: one archive to upload."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from metameasure.catalogue.registry import default_registry
from metameasure.competition import codabench, codalab
from metameasure.competition.config import Config, read_config
from metameasure.competition.scoring import SETTINGS, column_key
from metameasure.errors import UsageError
from metameasure.formats.output import whole_file
from metameasure.show.canvas import house_style, new_figure, with_inert_text
from metameasure.version import __version__

PLATFORMS = {"codabench": codabench.parts, "codalab": codalab.parts}
_EPOCH = (1980, 1, 1, 0, 0, 0)


def competition(config: str | Path, target: str | Path, platform: str = "codabench") -> list[str]:
    """Write the bundle of a competition; the ids of its columns, the primary measure first."""
    if Path(target).suffix.lower() != ".zip":
        raise UsageError(f"'{target}' is not the name of an archive", hint="let it end in .zip")
    settings = read_config(config)
    measures = default_registry().select(settings.scoring["measures"])
    parts = {
        **PLATFORMS[platform](settings, measures),
        "logo.png": (settings.folder / settings.about["logo"]).read_bytes()
        if "logo" in settings.about
        else _logo(settings.title),
        "scoring_program.zip": _zipped(_program(settings)),
        "reference_data.zip": _zipped(_reference(settings)),
    }
    with whole_file(target) as scratch:
        scratch.write_bytes(_zipped(parts))
    return [column_key(measure.id) for measure in measures]


def _program(config: Config) -> dict[str, bytes]:
    """The scoring program, and the wheels it runs from where it carries them. CodaLab reads ``metadata``, Codabench the other."""
    program = {
        "score.py": (files("metameasure.competition") / "program.py").read_bytes(),
        "metadata.yaml": b"command: python3 /app/program/score.py /app/input /app/output\n",
        "metadata": b"command: python3 $program/score.py $input $output\ndescription: metameasure\n",
    }
    if "wheels" in config.about:
        wheels = config.wheels
        if not any(wheel.name.startswith("metameasure-") for wheel in wheels):
            raise UsageError(
                f"there is no wheel of metameasure in '{config.about['wheels']}'",
                hint=f"pip download --dest {config.about['wheels']} metameasure=={__version__}, or pip wheel",
            )
        program |= {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels}
    return program


def _reference(config: Config) -> dict[str, bytes]:
    settings = {**config.scoring, "gold": config.gold.name}
    return {
        config.gold.name: config.gold.read_bytes(),
        SETTINGS: (json.dumps(settings, ensure_ascii=False, indent=2, default=str) + "\n").encode(),
    }


def _logo(title: str) -> bytes:
    """The first letters of the title, where there is no picture."""
    drawn = io.BytesIO()
    with house_style():
        figure = new_figure(2, 2)
        figure.text(
            0.5, 0.5, "".join(word[0] for word in title.split()[:3]), ha="center", va="center", fontsize=60, color="#0072B2"
        )
        with_inert_text(figure).savefig(drawn, format="png", metadata={"Software": None})
    return drawn.getvalue()


def _zipped(parts: Mapping[str, bytes]) -> bytes:
    """An archive that is the same for the same parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()
