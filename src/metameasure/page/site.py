"""The open trial as a static site: an index, a page for each task, measure and data set and one of claims, and all numbers as
CSV. It is made of plain data (``trials/open_trial.py``), and computes nothing but counts."""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metameasure.catalogue.registry import default_registry
from metameasure.core.notes import counted, grouped
from metameasure.core.numbers import number, p_in_words, percent
from metameasure.core.output import new_folder
from metameasure.evaluating.data_sets import flagged
from metameasure.show.grid import environment, template_text
from metameasure.trials.call import takes
from metameasure.trials.open_trial import (
    Opened,
    command_for,
    deciding,
    held_in_words,
    p_over,
    scoring,
    standing_commands,
)
from metameasure.trials.worlds import abouts
from metameasure.version import __version__

INDEX, CLAIMS = "index.html", "claims.html"
_CRITERIA, _DATA, _CLAIMS, _PROPERTIES, _FAULTS = "criteria.csv", "data.csv", "claims.csv", "properties.csv", "faults.csv"
_SIMILARITY, _ACROSS = "similarity.csv", "across.csv"
_FILES = {
    _CRITERIA: "every criterion of every measure, on simulated systems of which it is known who is better",
    _FAULTS: "the faults of every measure, with the evidence",
    _PROPERTIES: "the formal properties of every measure",
    _DATA: "every measure on every data set",
    _SIMILARITY: "tau between the rankings by two measures, on simulated systems and on every data set",
    _ACROSS: "every two measures over all real data sets, with the sign tests",
    _CLAIMS: "what became of every claim on every data set",
}
_STANDING = ("mean_tau", "power", "coverage", "group")
_BESIDE = ("better_than", "worse_than", "equally_good", "contradicts")
_PAIR = ("other", "data_sets", "better", "worse", "equally_good", "p_consistency", "p_power")
_ALPHA = 0.05
_OF_CLAIMS = (
    "held: the numbers are as the claim says.",
    "within chance: they are not, but no difference against the claim is beyond chance.",
    "refuted: a difference against it is beyond chance; or a number for which there is no test is against it.",
    "Simulated systems are made up and err independently of each other: what holds of them says little about real ones.",
)
_OF_CRITERIA = (
    "usual to few topics: % of pairs of systems that err in one way, of which the one that errs less comes first.",
    "tau: of rankings by two halves of the topics. power: % of pairs of systems told apart.",
    "cost: items or topics to find a difference that the first of the established measures finds with 400.",
    "better, worse: beyond chance, tested over topics; equal: equally good within chance.",
    "–: the measure is undefined on too many topics to be compared.",
)


@dataclass(frozen=True)
class Cell:
    """A text, perhaps with where it leads."""

    text: str
    href: str = ""


@dataclass(frozen=True)
class Part:
    """A section of a page: sentences, the command that gives it, and a table."""

    title: str
    lead: tuple[str, ...] = ()
    command: str = ""
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    right: frozenset[int] = frozenset()
    """The columns of numbers."""
    notes: tuple[str, ...] = ()
    csv: str = ""
    svg: str = ""


@dataclass(frozen=True)
class Page:
    """One file of the site."""

    file: str
    title: str
    answer: tuple[str, ...]
    parts: tuple[Part, ...]


def write_site(found: Opened, folder: str | Path) -> None:
    """The site in a new folder, whole or not at all."""
    made = {page.file: _html(page, found) for page in _pages(found)} | _numbers(found)
    with new_folder(folder) as scratch:
        for name, text in made.items():
            (scratch / name).write_text(text, encoding="utf-8", newline="\n")


def task_page(task: str) -> str:
    """The file of a task's page."""
    return f"task-{task}.html"


def measure_page(task: str, measure: str) -> str:
    """The file of a measure's page."""
    return f"measure-{task}-{_plain(measure)}.html"


def data_page(name: str) -> str:
    """The file of a data set's page."""
    return f"data-{_plain(name)}.html"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9_.=-]+", "-", name.lower()).strip("-")


def _html(page: Page, found: Opened) -> str:
    style = template_text("table.css") + "\n" + template_text("page.css", "metameasure.page")
    menu = [Cell("Overview", INDEX), Cell("Claims of the papers", CLAIMS)]
    menu += [Cell(task.capitalize(), task_page(task)) for task in found.tasks]
    template = environment("metameasure.page").get_template("site.html.j2")
    return template.render(page=page, menu=menu, style=style, version=__version__, seed=found.seed)


def _pages(found: Opened) -> list[Page]:
    measures = [_measure(found, task, name) for task, trials in found.tasks.items() for name in trials]
    return [
        _index(found), _claims(found), *(_task(found, task) for task in found.tasks), *measures,
        *(_data_set(found, name) for name in found.data),
    ]  # fmt: skip


def _index(found: Opened) -> Page:
    trials = [one for task in found.tasks.values() for one in task.values()]
    passing = sum(bool(one["measures"][0]["passes"]) for one in trials)
    real = [name for name, one in found.data.items() if not one["simulated"]]
    short = (
        f"{counted(len(trials), 'measure')} of {counted(len(found.tasks), 'task')} were tried on simulated systems, on "
        f"{counted(len(found.data) - len(real), 'simulated task')} and on {counted(len(real), 'real data set')}. "
        f"{passing} of them have none of the faults that the trial looks for."
    )
    tasks = Part(
        "Tasks",
        headings=("task", "measures", "without a fault", "data sets", "of them real"),
        rows=tuple(
            (
                Cell(task, task_page(task)),
                Cell(str(len(some))),
                Cell(str(sum(bool(one["measures"][0]["passes"]) for one in some.values()))),
                Cell(str(len(_sets_of(found, task)))),
                Cell(str(sum(not found.data[name]["simulated"] for name in _sets_of(found, task)))),
            )
            for task, some in found.tasks.items()
        ),
        right=frozenset((1, 2, 3, 4)),
        csv=_CRITERIA,
    )
    sets = Part(
        "Data sets",
        headings=("data set", "task", "what it is"),
        rows=tuple(
            (Cell(name, data_page(name)), Cell(one["task"]), Cell(f"simulated, {one['about']}" if one["simulated"] else "real"))
            for name, one in found.data.items()
        ),
        csv=_DATA,
    )
    left_out = Part(
        "Left out",
        headings=("what", "why"),
        rows=tuple((Cell(one.name), Cell(one.reason)) for one in found.left_out),
    )
    listed_files = tuple((Cell(file, file), Cell(has)) for file, has in _FILES.items())
    files = Part("All numbers as CSV", headings=("file", "what it has"), rows=listed_files)
    made = Part("How this was made", command=_run(found))
    return Page(
        INDEX, "The open trial of measures", (short,), (tasks, _claim_table(found, found.claims), sets, left_out, files, made)
    )


def _run(found: Opened) -> str:
    seed = [flagged("seed"), str(found.seed)] if found.seed else []
    return shlex.join(["python", "trials/run.py", found.folder, "-o", "site", *seed])


def _sets_of(found: Opened, task: str) -> list[str]:
    return [name for name, one in found.data.items() if one["task"] == task]


def _claim_cell(found: Opened, claim: Mapping[str, Any]) -> Cell:
    return Cell(f"{claim['paper']}: {claim['says']}", f"{CLAIMS}#part-{found.claims.index(claim) + 1}")


def _claim_table(found: Opened, claims: Sequence[Mapping[str, Any]]) -> Part:
    rows = tuple(
        (
            _claim_cell(found, one),
            Cell(held_in_words(one["real"])),
            Cell(held_in_words(one["simulated"])),
        )
        for one in claims
    )
    papers = dict.fromkeys(f"{one['paper']}: {one['source'].partition('),')[0]})" for one in claims)
    return Part(
        "What the papers claimed, and what held",
        headings=("claim", "on real data", "on simulated tasks"),
        rows=rows,
        notes=(*_OF_CLAIMS, "; ".join(papers) + "."),
        csv=_CLAIMS,
    )


def _claims(found: Opened) -> Page:
    parts = []
    for one in found.claims:
        p = p_over(one["real"])
        over = "" if p is None else f" Sign test over real data sets: {p_in_words(p, _ALPHA)}."
        lead: tuple[str, ...] = (
            f"{one['source']}. On real data: {held_in_words(one['real'])}.{over}",
            f"On simulated tasks: {held_in_words(one['simulated'])}.",
        )
        outcomes = {**one["real"], **one["simulated"]}
        rows = tuple((_data_cell(found, name), Cell("real" if name in one["real"] else "simulated"), Cell(outcome))
                     for name, outcome in outcomes.items())  # fmt: skip
        first = next((name for name in outcomes if name in found.data), "")
        told = f"{scoring([one], found.data[first]['command'])}\n{deciding(one, found.seed)}" if first else ""
        lead += (f"The commands on {first}; the page of each data set has its own.",) if first else ()
        parts.append(Part(f"{one['paper']}: {one['says']}", lead, told, ("data set", "kind", "outcome"), rows))
    parts += [_formal(found), _recommended(found)]
    short = (
        "What the five papers say of measures, and what became of it here: on data, by search, and for those they recommend.",
    )
    return Page(CLAIMS, "Claims of the papers", short, tuple(parts))


def _data_cell(found: Opened, name: str) -> Cell:
    return Cell(name, data_page(name) if name in found.data else "")


def _formal(found: Opened) -> Part:
    """Claims of formal properties, by measure, beside what the search found."""
    rows = [
        (_measure_cell(found, task, measure), Cell(name), Cell(told["claimed_by"]), Cell(_yes(told["claimed"])),
         Cell(_yes(told["holds"])), Cell(told["words"] if told["differs"] else ""))
        for task, trials in found.tasks.items()
        for measure, one in trials.items()
        for name, told in one["measures"][0]["properties"].items()
        if told["claimed"] is not None
    ]  # fmt: skip
    agree = sum(row[3] == row[4] for row in rows)
    lead = (f"Of {counted(len(rows), 'claim')} about formal properties, {agree} hold by search.",)
    headings = ("measure", "property", "claimed by", "claimed", "found", "because")
    return Part("Formal properties", lead, "metameasure axioms", headings, tuple(rows), csv=_PROPERTIES)


def _yes(holds: bool | None) -> str:
    return "?" if holds is None else "yes" if holds else "no"


def _recommended(found: Opened) -> Part:
    """Who recommends a measure as the primary one, and on which data sets another is better beyond chance."""
    rows = []
    for task, trials in found.tasks.items():
        for measure, one in trials.items():
            for by in default_registry().of_task(*takes(task))[measure].recommended:
                if by.task != task or by.role != "primary":
                    continue
                outcomes = {part["name"]: _fit(part["measures"][0]) for part in one.get("data", []) if part["measures"]}
                real = {name: held for name, held in outcomes.items() if not found.data.get(name, {}).get("simulated")}
                made_up = {name: held for name, held in outcomes.items() if name not in real}
                rows.append((_measure_cell(found, task, measure), Cell(task), Cell(f"{by.source}: {by.why}"),
                             Cell(held_in_words(real)), Cell(held_in_words(made_up))))  # fmt: skip
    lead = (
        "A recommendation as the primary measure holds where no established measure is better beyond chance.",
        "The page of each measure has the command that shows it.",
    )
    headings = ("measure", "task", "recommended by", "on real data", "on simulated tasks")
    return Part("Recommended as the primary measure", lead, "", headings, tuple(dict.fromkeys(rows)))


def _fit(row: Mapping[str, Any]) -> str:
    return "cannot tell" if row["cannot_tell"] else "refuted" if row["worse_than"] else "held"


def _measure_cell(found: Opened, task: str, measure: str) -> Cell:
    return Cell(measure, measure_page(task, measure) if measure in found.tasks.get(task, {}) else "")


def _worlds(found: Opened, task: str) -> list[str]:
    return list(next(iter(found.tasks[task].values()))["criteria"][0]["right"])


def _task(found: Opened, task: str) -> Page:
    trials = found.tasks[task]
    worlds = _worlds(found, task) if trials else []
    rows = tuple(
        (
            Cell(name, measure_page(task, name)),
            Cell(", ".join(fault["fault"] for fault in one["measures"][0]["faults"]) or "none"),
            *(Cell(_percent(one["criteria"][0]["right"].get(world))) for world in worlds),
            Cell(_number(one["measures"][0]["mean_tau"])),
            Cell(_percent(one["measures"][0]["power"])),
            Cell(_items(one["criteria"][0]["cost"])),
            Cell(_standing(one)),
        )
        for name, one in sorted(trials.items(), key=lambda item: (len(item[1]["measures"][0]["faults"]), item[0]))
    )
    columns = len(worlds)
    criteria = Part(
        "Measures by criteria",
        ("Simulated systems, of which it is known who is better.",),
        headings=("measure", "faults", *worlds, "tau", "power", "cost", "on real data, beside the established"),
        rows=rows,
        right=frozenset(range(2, 5 + columns)),
        notes=_OF_CRITERIA,
        csv=_CRITERIA,
    )
    kinds = {name: "simulated" if found.data[name]["simulated"] else "real" for name in _sets_of(found, task)}
    listed_sets = tuple((Cell(name, data_page(name)), Cell(kind)) for name, kind in kinds.items())
    sets = Part("Data sets", headings=("data set", "kind"), rows=listed_sets)
    untried = Part("Not tried", headings=("measure", "why"),
                   rows=tuple((Cell(name), Cell(why)) for name, why in found.untried.get(task, {}).items()))  # fmt: skip
    passing = [name for name, one in trials.items() if one["measures"][0]["passes"]]
    named = f": {', '.join(sorted(passing))}" if passing else ""
    short = f"{len(passing)} of {counted(len(trials), 'measure')} have none of the faults that the trial looks for{named}."
    claims = [one for one in found.claims if one["task"] == task]
    parts = (criteria, *([_claim_table(found, claims)] if claims else []), sets, untried)
    return Page(task_page(task), f"Measures of {task}", (short,), tuple(part for part in parts if part.rows))


def _standing(one: Mapping[str, Any]) -> str:
    """How often it is better, worse or equal beside the established measures, over all real data sets."""
    rows = [part["measures"][0] for part in one.get("data", []) if part["measures"] and not part["simulated"]]
    rows = [row for row in rows if not row["cannot_tell"]]
    if not rows:
        return "–"
    counts = {what: sum(len(row[key]) for row in rows)
              for what, key in (("better", "better_than"), ("worse", "worse_than"), ("equal", "equally_good"))}  # fmt: skip
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


def _measure(found: Opened, task: str, name: str) -> Page:
    one = found.tasks[task][name]
    told = one["measures"][0]
    sets = [part for part in one.get("data", []) if part["measures"]]
    data = Part(
        "On data",
        _across_in_words(one),
        headings=(
            "data set",
            "kind",
            "tau",
            "power",
            "coverage",
            "group",
            "better than",
            "worse than",
            "equally good within chance",
        ),
        rows=tuple(_on_data(found, part) for part in sets),
        right=frozenset((2, 3, 4)),
        csv=_DATA,
    )
    criteria = one["criteria"][0]
    numbers = Part(
        "Simulated systems",
        headings=("world", "% ordered rightly"),
        rows=tuple((Cell(world), Cell(_percent(value))) for world, value in criteria["right"].items()),
        right=frozenset((1,)),
        csv=_CRITERIA,
    )
    sees = Part("Which errors it sees", headings=("kind", "errors", "verdict"), rows=tuple(
        (Cell(kind), Cell(abouts(task)[kind]), Cell(seen["verdict"])) for kind, seen in criteria["sees"].items()
    ), csv=_CRITERIA)  # fmt: skip
    formal = Part(
        "Formal properties",
        headings=("property", "holds", "claimed", "in words"),
        rows=tuple(
            (
                Cell(id),
                Cell(_yes(value["holds"])),
                Cell("" if value["claimed"] is None else _yes(value["claimed"])),
                Cell(value["words"]),
            )
            for id, value in told["properties"].items()
        ),
        csv=_PROPERTIES,
    )
    command = Part("The command that gives it", command=command_for(name, task, found.folder, found.seed))
    about = default_registry().of_task(*takes(task))[name]
    return Page(
        measure_page(task, name), f"{name}: {about.title}", (told["verdict"],),
        (*(part for part in (data, numbers, sees, formal) if part.rows), command),
    )  # fmt: skip


def _on_data(found: Opened, part: Mapping[str, Any]) -> tuple[Cell, ...]:
    row = part["measures"][0]
    beside = [Cell(", ".join(row[key]) or "–") for key in ("better_than", "worse_than", "equally_good")]
    if not row["better_than"] and not row["worse_than"]:
        beside[-1] = Cell("every established measure")
    if row["cannot_tell"]:
        beside = [Cell("–"), Cell("–"), Cell(f"cannot tell: {row['cannot_tell']}")]
    return (
        _data_cell(found, part["name"]), Cell(_kind(part)), Cell(_number(row["mean_tau"])),
        Cell(_percent(row["power"])), Cell(_number(row["coverage"])), Cell(row["group"]), *beside,
    )  # fmt: skip


def _across_in_words(one: Mapping[str, Any]) -> tuple[str, ...]:
    """Over real data sets, beside each established measure; those beside which nothing differs in one sentence."""
    said, equal = [], []
    for pair in one.get("across", []):
        if not pair["better"] and not pair["worse"]:
            equal.append(pair["other"])
            continue
        parts = [
            f"{what} on {len(pair[key])} ({', '.join(pair[key])})"
            for what, key in (("better", "better"), ("worse", "worse"), ("equally good within chance", "equally_good"))
            if pair[key]
        ]
        tests = [f"{quality} {p_in_words(pair[f'p_{quality}'], _ALPHA)}" for quality in ("consistency", "power")
                 if pair[f"p_{quality}"] is not None]  # fmt: skip
        tested = f"; sign tests over data sets: {', '.join(tests)}" if tests else ""
        said.append(f"Beside {pair['other']}, over {counted(pair['data_sets'], 'real data set')}: {', '.join(parts)}{tested}.")
    if equal:
        number = one["across"][0]["data_sets"]
        sets = "the real data set" if number == 1 else f"all {number} real data sets"
        whom = ", ".join(equal) if said else "every established measure"
        said.append(f"On {sets} that can tell, it is within chance as good as {whom}.")
    return tuple(said)


def _data_set(found: Opened, name: str) -> Page:
    about = found.data[name]
    here = [
        (_measure_cell(found, task, measure), part)
        for task, trials in found.tasks.items()
        for measure, one in trials.items()
        for part in one.get("data", [])
        if part["name"] == name
    ]
    tried = sorted((pair for pair in here if pair[1]["measures"]), key=lambda pair: -(pair[1]["measures"][0]["mean_tau"] or -2.0))
    sizes = "".join(f", {counted(part['topics'], 'topic')} and {counted(part['runs'], 'run')}" for _, part in here[:1])
    kind = f"Simulated {about['about']}." if about["simulated"] else "Real."
    first = tried[0][0].text if tried else ""
    table = Part(
        "Measures, from the most consistent down",
        (f"The commands give the numbers of {first}; another measure takes its place in them.",) if tried else (),
        standing_commands(first, [*tried[0][1]["measures"][0]["similarity"]], about["command"], found.seed) if tried else "",
        headings=("measure", "tau", "power", "coverage", "group", "better than", "worse than", "equally good within chance"),
        rows=tuple((measure, *_on_data(found, part)[2:]) for measure, part in tried),
        right=frozenset((1, 2, 3)),
        notes=("Each measure is held against the established ones, on the topics on which all of these are defined.",),
        csv=_DATA,
    )
    claims = [
        (_claim_cell(found, one), Cell(outcome))
        for one in found.claims
        for data, outcome in {**one["real"], **one["simulated"]}.items()
        if data == name
    ]
    decided = [one for one in found.claims if name in {**one["real"], **one["simulated"]}]
    by_command = grouped((deciding(one, found.seed), f"# {one['paper']}: {one['says']}") for one in decided)
    told = [line for command, titles in by_command.items() for line in (*titles, command)]
    commands = "\n".join([scoring(decided, about["command"]), *told]) if decided else ""
    held = Part("Claims of the papers on these data", (), commands, ("claim", "outcome"), tuple(claims), csv=_CLAIMS)
    left = dict.fromkeys((one["name"], one["reason"]) for _, part in here for one in part["left_out"])
    left_out = Part("Left out", headings=("what", "why"), rows=tuple((Cell(what), Cell(why)) for what, why in left))
    command = Part("The command that scores it", command=about["command"])
    parts = (table, held, left_out)
    return Page(data_page(name), name, (f"{kind} {about['task'].capitalize()}{sizes}.",),
                (*(part for part in parts if part.rows), command))  # fmt: skip


def _number(value: float | None) -> str:
    return "–" if value is None else number(value)


def _percent(value: float | None) -> str:
    return "–" if value is None else percent(value)


def _items(cost: Mapping[str, Any] | None) -> str:
    needed = None if cost is None else cost.get("needed")
    return "–" if needed is None else f"{needed:.0f}" if isinstance(needed, int | float) else str(needed)


def _numbers(found: Opened) -> dict[str, str]:
    """Every number of the site as long tables."""
    criteria, data, properties, faults, similarity, across = [], [], [], [], [], []
    for task, trials in found.tasks.items():
        for measure, one in trials.items():
            told, row = one["measures"][0], one["criteria"][0]
            criteria += [(task, measure, name, value) for name, value in _criteria(told, row).items()]
            faults += [(task, measure, fault["fault"], fault["text"]) for fault in told["faults"]]
            properties += [(task, measure, name, value["holds"], value["claimed"], value["claimed_by"], value["words"])
                           for name, value in told["properties"].items()]  # fmt: skip
            on = [(part, of) for part in one.get("data", []) for of in part["measures"]]
            data += [(task, part["name"], _kind(part), part["topics"], part["runs"], measure, *(of[key] for key in _STANDING),
                      *(" ".join(of[key]) for key in _BESIDE)) for part, of in on]  # fmt: skip
            alike = [("simulated systems", told), *((part["name"], of) for part, of in on)]
            similarity += [(task, name, measure, other, tau) for name, of in alike for other, tau in of["similarity"].items()]
            across += [(task, measure, *("; ".join(pair[key]) if isinstance(pair[key], list) else pair[key] for key in _PAIR))
                       for pair in one.get("across", [])]  # fmt: skip
    claims = [(one["paper"], one["source"], one["says"], one["task"], name, kind, outcome) for one in found.claims
              for kind in ("real", "simulated") for name, outcome in one[kind].items()]  # fmt: skip
    return {
        _CRITERIA: _csv(("task", "measure", "criterion", "value"), criteria),
        _DATA: _csv(("task", "data", "kind", "topics", "runs", "measure", *_STANDING, *_BESIDE), data),
        _CLAIMS: _csv(("paper", "source", "claim", "task", "data", "kind", "outcome"), claims),
        _PROPERTIES: _csv(("task", "measure", "property", "holds", "claimed", "claimed_by", "words"), properties),
        _FAULTS: _csv(("task", "measure", "fault", "text"), faults),
        _SIMILARITY: _csv(("task", "data", "measure", "other", "tau"), similarity),
        _ACROSS: _csv(("task", "measure", *_PAIR), across),
    }


def _criteria(told: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """What the simulated systems say of a measure, by the names of the columns of ``trial --format csv``."""
    cost = row["cost"] or {}
    return {
        **{f"right: {world}": value for world, value in row["right"].items()},
        **{f"sees {kind} (t)": seen["t"] for kind, seen in row["sees"].items()},
        **{name: row[name] for name in ("constant", "guessing", "sizes", "prevalence", "undefined")},
        "cost": cost.get("needed"), "cost, low end": cost.get("low"), "cost, high end": cost.get("high"),
        **{name: told[name] for name in ("mean_tau", "power", "coverage", "group")},
    }  # fmt: skip


def _kind(part: Mapping[str, Any]) -> str:
    return "simulated" if part["simulated"] else "real"


def _csv(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(
        ["" if cell is None else str(cell).lower() if isinstance(cell, bool) else cell for cell in row] for row in rows
    )
    return text.getvalue()
