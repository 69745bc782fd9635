"""What the pages say about properties of measures: the search's verdicts, kept in axioms.json while the code stays as it is.

A full search takes about a minute; checking the pages should not. The file names the code it was made from by a digest, so that
verdicts are never older than the measures or the properties.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import metameasure as mm
from metameasure.catalogue.explain import page_name
from metameasure.catalogue.measure import Measure
from metameasure.properties.property import Property, properties
from metameasure.show.table import Markup, Table

KEPT = Path(__file__).parent / "axioms.json"
_SOURCE = Path(mm.__file__).parent
_START, _END = "<!-- disagreements: written by docs/generate.py -->\n", "<!-- end -->\n"
_NOTE = "<!-- Written by docs/generate.py from what the search finds. Change the property's own file instead. -->\n\n"
Verdicts = dict[str, dict[str, dict[str, Any]]]
"""By the measure's id in the registry and the property."""


def digest() -> str:
    """The code that verdicts depend on."""
    found = hashlib.sha256()
    for folder in ("catalogue", "properties"):
        for file in sorted((_SOURCE / folder).rglob("*.py")):
            found.update(file.relative_to(_SOURCE).as_posix().encode() + file.read_bytes())
    return found.hexdigest()


def verdicts() -> Verdicts:
    """The verdicts on all measures, from the file where it is current."""
    if KEPT.exists():
        kept = json.loads(KEPT.read_text(encoding="utf-8"))
        if kept["digest"] == digest():
            return kept["verdicts"]  # type: ignore[no-any-return]
    return found()


def found() -> Verdicts:
    """The verdicts on all measures, by search."""
    told: Verdicts = {}
    for one in mm.axioms().verdicts:
        told.setdefault(one.measure.template, {})[one.asked.id] = {
            "measure": one.measure.id,
            "holds": one.holds,
            "items": one.counterexample.items if one.counterexample else None,
            "words": one.sentence(),
            "claimed": one.claimed(),
            "differs": one.differs,
        }
    return told


def kept_text(told: Verdicts) -> str:
    """The file that keeps them."""
    return json.dumps({"digest": digest(), "verdicts": told}, ensure_ascii=False, indent=1) + "\n"


def _mark(one: dict[str, Any]) -> str:
    sign = {True: "✓", False: "✗", None: "?"}[one["holds"]]
    return sign + (" *" if one["differs"] else "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def property_page(asked: Property, measures: list[Measure], told: Verdicts) -> str:
    """One property: what it asks, its formula, how it is searched for, and every measure's verdict."""
    lines = [f"# `{asked.id}`: {asked.title}", "", asked.holds_if, "", "```text", asked.formula, "```", ""]
    if asked.condition:
        lines += [f"**Condition.** {asked.condition.capitalize()}.", ""]
    if asked.note:
        lines += [f"**Note.** {asked.note}", ""]
    reach = "; ".join(f"{reads}: all cases up to {search.reach(None)}" for reads, search in asked.searches.items())
    more = " Then larger ones at random." if any(search.at_random for search in asked.searches.values()) else ""
    lines += [f"**The search.** Smallest cases first ({reach}).{more}", "", "**Source.**", ""]
    lines += [f"- {source}: {source.full}" for source in asked.source]
    if asked.outside:
        lines += ["", "It comes from outside the papers whose claims are compared here."]
    rows = []
    for measure in measures:
        one = told.get(measure.template, {}).get(asked.id)
        if one is not None:
            claimed = f". {_sentence(one['claimed'])}" if one["claimed"] else ""
            link = Markup(f"[`{one['measure']}`](../measures/{page_name(measure)})")
            rows.append((link, _mark(one), one["words"].partition(": ")[2] + claimed))
    table = Table(("measure", "", "in words"), tuple(rows)).render("markdown")
    lines += ["", table, r"\* a paper says otherwise. [All disagreements, and all properties](../axioms.md)"]
    return _NOTE + "\n".join(lines) + "\n"


def of_measure(measure: Measure, told: Verdicts) -> str:
    """The section of a measure's page: the properties it has and lacks, with the cases that decide."""
    rows = tuple(
        (Markup(f"[`{name}`](../properties/{name}.md)"), _mark(one), one["words"].partition(": ")[2], one["claimed"])
        for name, one in told.get(measure.template, {}).items()
    )
    if not rows:
        return ""
    tried = next(iter(told[measure.template].values()))["measure"]
    with_parameter = f", tried as `{tried}`" if tried != measure.template else ""
    table = Table(("property", "", "in words", "claimed"), rows).render("markdown")
    return f"\n**Properties**, [found by search](../axioms.md){with_parameter}.\n\n{table}"


def disagreements(measures: list[Measure], told: Verdicts) -> str:
    """Every verdict that a paper contradicts, with its counterexample."""
    rows = []
    for asked in properties():
        for measure in measures:
            one = told.get(measure.template, {}).get(asked.id)
            if one is not None and one["differs"]:
                pages = (one["measure"], f"measures/{page_name(measure)}"), (asked.id, f"properties/{asked.id}.md")
                links = [Markup(f"[`{name}`]({page})") for name, page in pages]
                rows.append((*links, _sentence(one["words"]), _sentence(one["claimed"])))
    return Table(("measure", "property", "the search", "the paper"), tuple(rows)).render("markdown")


def overview(told: Verdicts) -> str:
    """A row for each property, and how many measures have it."""
    rows = []
    for asked in properties():
        verdicts_on = [one[asked.id]["holds"] for one in told.values() if asked.id in one]
        shares = f"{verdicts_on.count(True)} of {len(verdicts_on) - verdicts_on.count(None)}"
        rows.append((Markup(f"[`{asked.id}`](properties/{asked.id}.md)"), asked.holds_if, shares))
    return Table(("property", "holds if", "measures that have it"), tuple(rows)).render("markdown")


def filled_in(page: str, measures: list[Measure], told: Verdicts) -> str:
    """The page about all properties with its generated parts anew."""
    before, _, rest = page.partition(_START)
    _, _, after = rest.partition(_END)
    text = f"{_START}\n{disagreements(measures, told)}\n{_END}"
    head, _, tail = before.partition("<!-- properties -->\n")
    _, _, middle = tail.partition("<!-- end of properties -->\n")
    return f"{head}<!-- properties -->\n\n{overview(told)}\n<!-- end of properties -->\n{middle}{text}{after}"
