"""``metameasure demo``: everything on data that comes with the package."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

import click

from metameasure.cli.outputs import OutputFiles
from metameasure.core.output import new_folder

_FOLDER = "demo"


@click.command("demo")
@click.option(
    "--copy", "target", metavar="DIR", help="Write the files to a new folder DIR, so that the lines shown run as they stand."
)
@click.option("-o", "--output", "page", metavar="PAGE.html", help="Where to write the page (default: a new temporary folder).")
def command(target: str | None, page: str | None) -> None:
    """Check and evaluate six runs on a small sentiment task that comes with the package, and write a page about them.

    Needs no network and no files. The lines that it shows can be run after `metameasure demo --copy demo`.
    """
    from metameasure.cli.main import main  # noqa: PLC0415 - the command calls itself

    OutputFiles.of([], output=page)
    page = page if page is not None else str(Path(tempfile.mkdtemp(prefix="metameasure-")) / "demo.html")
    with as_file(files("metameasure") / "demo") as folder:
        place = folder if target is None else _copied(folder, Path(target))
        shown_in = target or _FOLDER
        click.echo("480 tweets about 12 topics, labelled from -2 (very negative) to 2 (very positive), and six runs. First, is")
        click.echo("anything wrong with them?\n")
        gold, runs = str(place / "gold.tsv"), str(place / "runs" / "*.tsv")
        shown = {gold: f"{shown_in}/gold.tsv", runs: f"{shown_in}/runs/*.tsv"}
        scale = ["--classes", "-2..2"]
        measures = ["--measures", "mae_macro,cem_ord,kappa_linear,accuracy"]
        for comment, arguments in (
            ("", ["check", gold, runs, *scale]),
            (
                "Which run is best, how sure is that, and how would random answers score?",
                ["evaluate", gold, runs, *scale, *measures, "--ci", "--baselines"],
            ),
            ("Which of these differences are real?", ["compare", gold, runs, *scale, "--measures", "cem_ord"]),
            ("What does the measure make of this gold?", ["measures", "cem_ord", "--gold", gold, *scale]),
            (
                "And all of it on one page, to be read in a browser:",
                ["report", gold, runs, *scale, *measures, "--baselines", "--trials", "1000", "-o", page],
            ),
        ):
            if comment:
                click.echo(f"\n{comment}\n")
            click.echo("$ metameasure " + " ".join(shlex.quote(shown.get(argument, argument)) for argument in arguments))
            main(arguments)
    click.echo(f"\nThe page is {Path(page).resolve().as_uri()}")
    where = (
        f"The files are in {target}"
        if target
        else f"Run these lines yourself: metameasure demo --copy {_FOLDER} writes the files"
    )
    click.echo(f"{where}. Now try your own: metameasure evaluate GOLD RUN... --classes ...")


def _copied(folder: Path, target: Path) -> Path:
    """The files in a folder of their own, which appears whole or not at all."""
    with new_folder(target) as scratch:
        shutil.copytree(folder, scratch, ignore=shutil.ignore_patterns("__pycache__", "*.py"), dirs_exist_ok=True)
    return target
