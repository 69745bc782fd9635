"""Write the pages that come from the registry: the catalogue's table, a page per measure, a page per question about measures, a
page per property of measures, a page per study, the commands' help, the picture.

python docs/generate.py            write them
python docs/generate.py --check    only say which are out of date (exit status 1)
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import click
from comparison_pictures import error_rates, error_table, weak_run
from picture import two_systems
from study_pages import pages as study_pages
from study_pages import study_list
from validity_page import corrected as corrected_table
from validity_page import of_task
from validity_page import summary as validity_summary
from validity_page import tables as validity_tables
from verdicts import KEPT, filled_in, kept_text, of_measure, property_page, verdicts

from metameasure.catalogue.explain import catalogue_text, explanation_markdown, page_name
from metameasure.catalogue.registry import default_registry
from metameasure.cli.main import COMMANDS, cli
from metameasure.cli.options import SectionedCommand
from metameasure.meta.question import Question, questions
from metameasure.properties.property import properties

DOCS = Path(__file__).parent
_LIST = re.compile(r"(?<=<!-- questions -->\n).*(?=<!-- end of questions -->)", re.DOTALL)
_NOTE = "<!-- Written by docs/generate.py from the registry. Change the measure's own file instead. -->\n\n"


def pages() -> dict[Path, str]:
    """Every generated page and picture, by its place."""
    return texts() | pictures()


def pictures() -> dict[Path, str]:
    """Those that are drawn here; the runs of one are compared for it, which takes longer than all texts."""
    drawn = {"two-systems": two_systems, "weak-run": weak_run, "error-rates": error_rates}
    return {DOCS / "images" / f"{name}.svg": draw() for name, draw in drawn.items()}


def texts() -> dict[Path, str]:
    """Every generated page."""
    measures = list(default_registry().values())
    told = verdicts()
    found = {
        DOCS / "measures" / page_name(measure): _NOTE + explanation_markdown(measure) + of_measure(measure, told)
        for measure in measures
    }
    sharing = [measure for measure in default_registry().all if measure not in measures]
    found |= {DOCS / "measures" / page_name(measure): _NOTE + explanation_markdown(measure) for measure in sharing}
    found |= {DOCS / "properties" / f"{asked.id}.md": property_page(asked, measures, told) for asked in properties()}
    found[DOCS / "axioms.md"] = filled_in((DOCS / "axioms.md").read_text(encoding="utf-8"), measures, told)
    found[KEPT] = kept_text(told)
    found |= {DOCS / "meta" / f"{question.command}.md": _question(question) for question in questions()}
    found[DOCS / "meta.md"] = _LIST.sub(_question_list(), (DOCS / "meta.md").read_text(encoding="utf-8"))
    found |= study_pages()
    found[DOCS / "studies.md"] = _between(DOCS / "studies.md", "studies", study_list())
    found[DOCS / "catalogue.md"] = _NOTE + _catalogue([*default_registry().all])
    found[DOCS / "commands.md"] = (
        _NOTE.replace("from the registry", "from --help").replace("the measure's own", "its") + _commands()
    )
    found[DOCS / "judges.md"] = _between(DOCS / "judges.md", "judge rates", of_task("judges"))
    found[DOCS / "judges.md"] = _filled(found[DOCS / "judges.md"], "corrected rates", corrected_table())
    found[DOCS / "ranks.md"] = _between(DOCS / "ranks.md", "rank rates", of_task("ranks"))
    found[DOCS / "gate.md"] = _between(DOCS / "gate.md", "gate rates", of_task("gate"))
    found[DOCS / "validity.md"] = _between(DOCS / "validity.md", "what holds", validity_summary())
    found[DOCS / "validity.md"] = _filled(found[DOCS / "validity.md"], "all rows", validity_tables())
    found[DOCS / "comparisons.md"] = _between(DOCS / "comparisons.md", "error rates", error_table())
    return found


def _between(page: Path, name: str, text: str) -> str:
    """A page of ours with the part between two marks written anew."""
    return _filled(page.read_text(encoding="utf-8"), name, text)


def _filled(page: str, name: str, text: str) -> str:
    start, end = f"<!-- {name}: written by docs/generate.py -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.partition(start)
    return f"{before}{start}{text}{end}{rest.partition(end)[2]}"


def _question(question: Question) -> str:
    """What a question says about itself."""
    note = _NOTE.replace("from the registry", "from the questions").replace("the measure's own", "the question's own")
    lines = [
        f"# `meta {question.command}`: {question.title}",
        "",
        f"{question.asks} {question.why}",
        "",
        "```text",
        question.formula,
        "```",
        "",
    ]
    lines += [f"**How to read it.** {question.read}", "", f"**Several data sets.** Over all of them: {question.several}.", ""]
    lines += ["**Options of its own.**", "", *(f"- `--{one.name}`: {one.help}" for one in question.options), ""]
    lines += ["**In Python.**", "", "```python", f"mm.meta.{question.id}(scores{question.call})", "```", ""]
    lines += ["**Source.**", "", *(f"- {source}: {source.full}" for source in question.source), "", "[All questions](../meta.md)"]
    return note + "\n".join(lines) + "\n"


def _question_list() -> str:
    """The table of all questions."""
    rows = [
        f"| {question.asks} | [`meta {question.command}`](meta/{question.command}.md) | `mm.meta.{question.id}` |\n"
        for question in questions()
    ]
    return "".join(["\n| question | command | Python |\n|---|---|---|\n", *rows, "\n"])


def _catalogue(measures: list) -> str:  # type: ignore[type-arg]
    intro = (
        "# The measures\n\n"
        "Each has a page with its formula, source, range, when it is undefined and when to use it; `metameasure measures NAME` "
        "prints the same.\n"
    )
    sections = []
    for task in dict.fromkeys(task for measure in measures for task in measure.tasks):
        of_task = [measure for measure in measures if task in measure.tasks]
        notation = "".join(f"In the formulas, {text}.\n\n" for text in dict.fromkeys(m.inputs.notation for m in of_task))
        sections.append(f"\n## {task.capitalize()}\n\n{notation}{catalogue_text(of_task, 'markdown', link=True)}")
    return intro + "".join(sections)


_ABOUT_COMMANDS = """`--help` shows the usual options of a command, and with `--task T` those of the task;
`--help-all` shows what stands here. The shell can complete commands and options. Add the line for
yours to its start-up file (bash 4.4 or later, zsh, fish):

```sh
eval "$(_METAMEASURE_COMPLETE=bash_source metameasure)"    # ~/.bashrc
eval "$(_METAMEASURE_COMPLETE=zsh_source metameasure)"     # ~/.zshrc
_METAMEASURE_COMPLETE=fish_source metameasure | source     # ~/.config/fish/config.fish
```

"""


def _help(command: click.Command, context: click.Context) -> str:
    """All options, where --help shows the usual ones only."""
    return command.full_help(context) if isinstance(command, SectionedCommand) else command.get_help(context)


def _commands() -> str:
    context = click.Context(cli, info_name="metameasure", max_content_width=100, terminal_width=100)
    parts = [f"# The commands\n\n{_ABOUT_COMMANDS}```text\n{cli.get_help(context)}\n```\n"]
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None  # noqa: S101 - it is listed
        inner = click.Context(command, info_name=name, parent=context, max_content_width=100, terminal_width=100)
        parts.append(f"\n## `metameasure {name}`\n\n```text\n{_help(command, inner)}\n```\n")
        for below, one in (command.commands if isinstance(command, click.Group) else {}).items():
            within = click.Context(one, info_name=below, parent=inner, max_content_width=100, terminal_width=100)
            parts.append(f"\n### `metameasure {name} {below}`\n\n```text\n{_help(one, within)}\n```\n")
    return "".join(parts)


def main() -> int:
    """Write or check; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check_only = parser.parse_args().check
    wanted = pages()
    present = {page for folder in ("measures", "meta", "properties", "studies") for page in (DOCS / folder).glob("*.md")}
    stale = [page for page, text in wanted.items() if not page.exists() or page.read_text(encoding="utf-8") != text]
    stale += sorted(present - wanted.keys())
    for page in stale:
        print(f"{page.relative_to(DOCS.parent)} is out of date")
    if check_only:
        return 1 if stale else 0
    for page in stale:
        if page in wanted:
            page.parent.mkdir(exist_ok=True)
            page.write_text(wanted[page], encoding="utf-8")
        else:
            page.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
