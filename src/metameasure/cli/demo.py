"""``metameasure demo``: the whole road on data that the package ships."""

from __future__ import annotations

import shlex
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

import click


@click.command("demo")
@click.option("-o", "--output", "page", metavar="PAGE.html", help="Where to write the page (default: a new temporary folder).")
def command(page: str | None) -> None:
    """Check and evaluate six runs on a small sentiment task that comes with the package, and write a page about them. Needs no
    network and no files."""
    from metameasure.cli.main import main  # noqa: PLC0415 - the command calls itself

    page = page or str(Path(tempfile.mkdtemp(prefix="metameasure-")) / "demo.html")
    with as_file(files("metameasure") / "demo") as folder:
        gold, runs = folder / "gold.tsv", folder / "runs" / "*.tsv"
        click.echo("480 tweets about 12 topics, labelled from -2 (very negative) to 2 (very positive), and six runs. First, is")
        click.echo("anything wrong with them?\n")
        shown = {str(gold): "gold.tsv", str(runs): "runs/*.tsv"}
        data, scale = [str(gold), str(runs)], ["--classes", "-2..2"]
        measures = ["--measures", "mae_macro,cem_ord,kappa_linear,accuracy"]
        for comment, arguments in (
            ("", ["check", *data, *scale]),
            (
                "Which run is best, how sure is that, and what would answers that do not read the tweets score?",
                ["evaluate", *data, *scale, *measures, "--ci", "--baselines"],
            ),
            ("Which of these differences are real?", ["compare", *data, *scale, "--measures", "cem_ord"]),
            ("What does the measure make of this gold?", ["measures", "cem_ord", "--gold", str(gold), *scale]),
            (
                "And all of it on one page, to be read in a browser:",
                ["report", *data, *scale, *measures, "--baselines", "--trials", "1000", "-o", page],
            ),
        ):
            if comment:
                click.echo(f"\n{comment}\n")
            click.echo("$ metameasure " + " ".join(shown.get(argument) or shlex.quote(argument) for argument in arguments))
            main(arguments)
    click.echo(f"\nThe page is {Path(page).resolve().as_uri()}")
    click.echo(f"The files are in {folder}. Now try your own: metameasure evaluate GOLD RUN... --classes ...")
