"""A competition for Codabench or CodaLab, made from the settings of an evaluation: one archive to upload."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import get_args

from metameasure.catalogue.measure import Measure, StandIn
from metameasure.catalogue.registry import default_registry
from metameasure.competition import codabench, codalab
from metameasure.competition.config import Config, read_config
from metameasure.competition.scoring import SETTINGS, column_key, scored
from metameasure.core.errors import MetameasureWarning, UsageError
from metameasure.core.messages import on, say
from metameasure.core.notes import grouped, listed
from metameasure.core.output import final_target, whole_file
from metameasure.evidence.base import Evidence
from metameasure.show.canvas import house_style, new_figure, with_inert_text
from metameasure.tasks.base import named, named_primary, task_on
from metameasure.version import __version__

PLATFORMS = {"codabench": codabench.parts, "codalab": codalab.parts}
_EPOCH = (1980, 1, 1, 0, 0, 0)


def competition(config: str | Path, target: str | Path, platform: str = "codabench") -> list[str]:
    """Write the bundle of a competition; the ids of its columns, the primary measure first. Gold is scored against itself first,
    so that settings that cannot be used are said now, and not to whoever submits."""
    if Path(target).suffix.lower() != ".zip":
        raise UsageError(f"'{target}' is not the name of an archive", hint="let it end in .zip")
    settings = read_config(config)
    if final_target(target).resolve() in [one.resolve() for one in settings.inputs]:
        raise UsageError(
            say("{--output} would overwrite '{target}', which the bundle is made of", target=target), hint="choose another name"
        )
    known = default_registry().of_task(settings.task)
    measures = known.select(settings.scoring["measures"])
    if "primary" in settings.scoring:
        measures = list(dict.fromkeys([*known.select([settings.scoring["primary"]]), *measures]))
    program = _program(settings)
    try:
        _try_out(settings, measures)
    except UsageError as error:  # in the words of the file: undefined='zero', not --undefined zero
        raise UsageError(f"'{config}': {on(error.message, 'python')}", hint=on(error.hint, "python")) from None
    parts = {
        **PLATFORMS[platform](settings, measures),
        "logo.png": settings.logo.read_bytes() if settings.logo else _logo(settings.title),
        "scoring_program.zip": _zipped(program),
        "reference_data.zip": _zipped(_reference(settings)),
    }
    with whole_file(target) as scratch:
        scratch.write_bytes(_zipped(parts))
    return [column_key(measure) for measure in measures]


def _try_out(config: Config, measures: Sequence[Measure]) -> None:
    """Gold scored against itself, by the settings. UsageError or DataError where that cannot be done, where two measures would be
    one column, and where a run could do without the topics that are hard for it."""
    task = task_on(config.task, str(config.gold), None, {"seed": config.scoring.get("seed", 0), **config.reading})
    named(measures, default_registry(), task)
    named_primary(config.scoring.get("primary"), default_registry(), task)
    evidence = task.right()
    columns = grouped((column_key(measure), measure.id) for measure in task.chosen(measures, default_registry(), evidence))
    for key, ids in columns.items():
        if len(ids) > 1:
            raise UsageError(
                say("{measures} would share the column '{column}'", measures=listed(ids, "and"), column=key),
                hint="leave one of them out",
            )
    if len(evidence.topics) > 1 and config.scoring.get("average") != "pooled":  # elsewhere what is undefined ranks last
        concerned = [measure for measure in measures if measure.better and task.undefined_by_run(measure, evidence)]
        _check_undefined(config, concerned, evidence)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MetameasureWarning)
        scored(evidence, None, config.of_scoring)


def _check_undefined(config: Config, concerned: Sequence[Measure], evidence: Evidence) -> None:
    """UsageError where it is not said, or cannot be, what scores count as that a run can make undefined."""
    choice = config.scoring.get("undefined", "skip")
    if concerned and choice == "skip":
        by = listed([measure.id for measure in concerned], "and", None)
        raise UsageError(
            f"a submission may lack a score by {by} on {evidence.topic_word}s that are hard for it, and be ranked by the others",
            hint='say what such a score counts as: undefined = "zero", "worst" (the worse end of the range) or "chance"',
        )
    if concerned and config.scoring.get("by_source"):
        raise UsageError("by_source leaves out undefined scores before they could count as anything", hint="leave it out")
    for measure in concerned if choice in get_args(StandIn) else ():  # any other is refused where gold is scored
        measure.in_place_of_undefined(choice, evidence.scale if measure.reads.of_classes else None)


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
                hint=say(
                    "{pip download --dest <wheels>} metameasure=={version}, or pip wheel",
                    wheels=config.about["wheels"],
                    version=__version__,
                ),
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
