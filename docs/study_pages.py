"""A page for each study: what it runs, what cannot be reproduced, and what came out.

The results are kept in the page while the studies and the simulated tasks stay as they are: running all of them takes minutes,
checking the pages should not. `pytest -m slow` runs them anew.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import metameasure as mm
from metameasure.show.table import output_format
from metameasure.studies.study import Compared, Study, studies, study_modules

FOLDER = Path(__file__).parent / "studies"
_SOURCE = Path(mm.__file__).parent
_NOTE = "<!-- Written by docs/generate.py. Change the study's own file instead. -->\n\n"


def digest(study: Study) -> str:
    """The code and the frozen scores that say what is run: the study's own file, and what all of them share."""
    found = hashlib.sha256()
    own = {module.__name__.rpartition(".")[2] for module in study_modules()} - {study.values.__module__.rpartition(".")[2]}
    files = [
        file for folder in ("studies", "simulation") for file in sorted((_SOURCE / folder).glob("*.py")) if file.stem not in own
    ]
    for file in (*files, *sorted((_SOURCE / "studies/frozen_scores").iterdir())):
        found.update(file.relative_to(_SOURCE).as_posix().encode() + file.read_bytes())
    return found.hexdigest()[:16]


def page(study: Study) -> str:
    """The page of one study, its results from the file where they are current."""
    mark = f"<!-- results {digest(study)} -->\n"
    file = FOLDER / f"{study.id}.md"
    kept = file.read_text(encoding="utf-8") if file.exists() else ""
    results = kept.partition(mark)[2] if mark in kept else results_of(mm.study(study.id))
    return _NOTE + _head(study) + mark + results


def _head(study: Study) -> str:
    lines = [f"# `study {study.id}`: {study.source.short}", "", study.source.full, "", "**What is run**", ""]
    lines += [f"- {one}" for one in study.runs]
    lines += ["", "**What cannot be reproduced, and why**", ""]
    lines += [f"- {what[:1].upper()}{what[1:]}: {' '.join(why.split())}." for what, why in study.cannot]
    if study.reads:
        lines += [
            "",
            f"Folders of real data that it reads ([layout](../studies.md)): {', '.join(f'`{one}`' for one in study.reads)}.",
        ]
    lines += ["", "```sh", f"metameasure study {study.id}", "```", "", "[All studies](../studies.md)", "", "## What came out", ""]
    return "\n".join(lines) + "\n"


def results_of(result: Compared) -> str:
    """How many values agree, and every value that something is published beside."""
    markdown = output_format("markdown")
    parts = [part for part in result.parts().values() if any(value.published is not None for value in part)]
    compared = Compared(result.study, tuple(value for part in parts for value in part))
    tables = [markdown.table(table).replace(f"- {compared.summary()}\n", "") for table in compared.tables(markdown)]
    return f"{result.summary()}\n\n" + "\n".join(tables)


def pages() -> dict[Path, str]:
    """Every page, by its place."""
    return {FOLDER / f"{name}.md": page(study) for name, study in studies().items()}


def study_list() -> str:
    """The table of all studies."""
    rows = [f"| [`{name}`](studies/{name}.md) | {study.source.full} |\n" for name, study in studies().items()]
    return "".join(["\n| study | paper |\n|---|---|\n", *rows, "\n"])
