"""What evaluation harnesses leave on disk, as tables of outcomes: what their formats share.

A reader writes a query that projects the few columns it needs out of JSON; the engine runs it, and what comes out is a table in
Parquet, with the line of each row. Texts, prompts and answers never come into memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from metameasure.core.messages import note, say
from metameasure.core.problems import DataProblems
from metameasure.core.values import in_order
from metameasure.reading.duckdb_connection import connected
from metameasure.reading.files import Beginning, File, look, table
from metameasure.reading.formats import formats
from metameasure.reading.json_lines import COMPRESSIONS
from metameasure.reading.on_disk import MOST_TIMES, first_line, is_damage, literal_path, sql_name, sql_text
from metameasure.reading.options import ReadOptions

OWN = ("run", "item", "measure", "score", "topic", "cluster", "repeat", "hash")
"""The columns of outcomes that readers name themselves; whatever else a user names is looked for in a file's metadata."""
_LINE, _ODD = "line", "odd"
_LONGEST_OBJECT = 1 << 24
_OTHERWISE = re.compile(r"Expected \w+, but got \w+|Failed to cast value to \w+")
_OUTCOMES = ReadOptions(task="outcomes")


def json_rows(path: Path, columns: Mapping[str, str], *, compression: str = "", lines: bool = True, longest: int = 0) -> str:
    """A query for these columns, by their types, of JSON lines, or of one JSON file."""
    named = ", ".join(f"{sql_text(name)}: {sql_text(kind)}" for name, kind in columns.items())
    return (
        f"read_json({sql_text(literal_path(path))}, columns = {{{named}}}, "
        f"format = '{'newline_delimited' if lines else 'auto'}', compression = '{COMPRESSIONS[compression]}', "
        f"maximum_object_size = {max(longest, _LONGEST_OBJECT)})"
    )


def json_whole(beginning: Beginning, columns: Mapping[str, str], *, most: int | None = None) -> str:
    """The same of a file that is one JSON value; ``most`` is how long an object may be, where the file is a list of them."""
    size = (MOST_TIMES if beginning.compression else 1) * beginning.path.stat().st_size + 1
    longest = size if most is None else min(size, most)
    return json_rows(beginning.path, columns, compression=beginning.compression, lines=False, longest=longest)


def structure(fields: Mapping[str, str]) -> str:
    """The type of an object of which only some members are read."""
    return f"STRUCT({', '.join(f'{sql_name(name)} {kind}' for name, kind in fields.items())})"


def number(text: str) -> str:
    """The text of a JSON value as a score: numbers, and true and false; of a list with one value, that value. NULL for anything
    else. Values are read as texts, since every function of JSON would parse them again."""
    first = f"(CASE WHEN starts_with({text}, '[') AND NOT contains({text}, ',') THEN trim({text}, '[]') ELSE {text} END)"
    known = f"(CASE {first} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 ELSE TRY_CAST({first} AS DOUBLE) END)"
    return f"(CASE WHEN isfinite({known}) THEN {known} END)"


def odd(text: str) -> str:
    """SQL for the text of a JSON value that is given and is not a score; NaN counts as not given."""
    none = f"regexp_full_match({text}, '-?(nan|inf(inity)?)', 'i')"
    return f"(CASE WHEN {text} IS NOT NULL AND {number(text)} IS NULL AND NOT {none} THEN left({text}, 60) END)"


def each(values: Iterable[str]) -> str:
    """A row for each of some values."""
    listed = list(values)
    return listed[0] if len(listed) == 1 else f"unnest([{', '.join(listed)}])"


def query(rows: str, columns: Mapping[str, str]) -> str:
    """A selection of columns, by their names."""
    named = ", ".join(f"{value} AS {sql_name(name)}" for name, value in columns.items())
    return f"SELECT {named} FROM {rows}"  # noqa: S608 - names and texts are quoted


def numbered(rows: str) -> str:
    """The same rows with their lines."""
    return f"(SELECT row_number() OVER () AS {_LINE}, * FROM {rows})"  # noqa: S608


def fetched(beginning: Beginning, text: str) -> list[tuple[Any, ...]]:
    """What a query gives. DataProblems where the file is damaged."""
    try:
        rows: list[tuple[Any, ...]] = connected(ordered=True).execute(text).fetchall()
    except Exception as error:
        raise _named_fault(beginning, error) from None
    return rows


def projected(beginning: Beginning, text: str, scratch: Path) -> File:
    """What a query makes of a file, as a table: with a column ``line`` first, which is not among its columns."""
    target = scratch / f"outcomes-{len(list(scratch.iterdir()))}.parquet"
    try:
        connected(ordered=True).execute(f"COPY ({text}) TO {sql_text(str(target))} (FORMAT parquet, COMPRESSION uncompressed)")
    except Exception as error:
        raise _named_fault(beginning, error) from None
    made = table(look(beginning.shown, target), ReadOptions(), scratch)
    return replace(
        made, columns=made.columns[1:], engine_columns=made.engine_columns[1:], types=made.types[1:], line_column=made.columns[0]
    )


def _named_fault(beginning: Beginning, error: Exception) -> Exception:
    """What is wrong with a file that the engine cannot read: of JSON lines, which lines."""
    if not is_damage(error):
        return error
    lines = File(beginning.path, beginning.shown, "jsonl", beginning.compression, ())
    if beginning.name.endswith(("jsonl", "ndjson")):
        wrong = [lines.problem(record.line, record.fault, record.hint) for record in lines.records() if record.fault]
        if wrong:
            return DataProblems(wrong)
    title = next((one.title for one in formats().values() if one.recognises(beginning, _OUTCOMES)), "a file of a harness")
    text = str(error)
    found = _OTHERWISE.search(text)
    if found:
        what = say("this is {title}, but something in it is not as it should be ({found})", title=title, found=found[0].lower())
    elif "Malformed JSON" in text or isinstance(error, EOFError):
        what = say("this is {title} that is damaged or cut short", title=title)
    else:
        what = say("this is {title} that cannot be read ({why})", title=title, why=first_line(error))
    return beginning.error(0, what, "write or copy it again")


def asked(options: ReadOptions) -> tuple[str, ...]:
    """The columns that a user names and that are not among those of every table of outcomes: metadata of the items."""
    return tuple(dict.fromkeys(name for name in (*(name for _, name in options.named), *options.metadata) if name not in OWN))


def finished(file: File) -> File:
    """The table without what is no score. ``odd`` holds, beside each score, what stands in its place and is no number: measures
    with such values are left out, and a note says so. DataProblems where no measure is left."""
    found = asked_of(file, f"SELECT measure, min({_LINE}) FILTER ({_ODD} IS NOT NULL), min_by({_ODD}, {_LINE}), count(score) "  # noqa: S608
                     f"FROM {parquet_rows(file.path)} GROUP BY measure ORDER BY min({_LINE}), measure")  # fmt: skip
    if not found:
        raise file.error(0, "nothing is scored in it", "name the file of an evaluation that has scores")
    wrong = {measure: (line, what) for measure, line, what, _ in found if line is not None}
    if len(wrong) == len(found):
        measure, (line, what) = next(iter(wrong.items()))
        raise file.error(line, say("{measure} is {what}, which is no score of an item", measure=measure, what=what), _SINGLE)
    empty = [measure for measure, line, _, scores in found if line is None and not scores]
    left = [*wrong, *(empty if len(wrong) + len(empty) < len(found) else ())]
    out = ", ".join(map(sql_text, left))
    kept = where(file, f"measure NOT IN ({out})" if left else "true", without=_ODD)
    said = [
        note(
            "reading",
            "{file}: {measure} is left out, because it is not a number for each item ({what})",
            file=f"{file.shown}:{line}" if line else file.shown,
            measure=measure,
            what=what,
        )
        for measure, (line, what) in wrong.items()
    ]
    return replace(kept, notes=(*file.notes, *said))


_SINGLE = "a score is one number for each item, or true or false"


def asked_of(file: File, text: str) -> list[tuple[Any, ...]]:
    """What a query of a table gives that was projected."""
    return fetched(Beginning(file.shown, file.path, "", b""), text)


def parquet_rows(path: Path) -> str:
    """What a query of a Parquet file is chosen from."""
    return f"read_parquet({sql_text(literal_path(path))})"


def distinct(file: File, column: str, *, where: str = "true") -> list[str]:
    """The values of a column, in order, as text."""
    chosen = f"SELECT DISTINCT CAST({sql_name(column)} AS VARCHAR) FROM {parquet_rows(file.path)} WHERE {where}"  # noqa: S608
    found = asked_of(file, chosen)
    return in_order({value for (value,) in found if value is not None})


def number_of_items(file: File) -> int:
    """How many different items there are."""
    return int(asked_of(file, f"SELECT count(DISTINCT item) FROM {parquet_rows(file.path)}")[0][0])  # noqa: S608


def where(file: File, condition: str, *, without: str) -> File:
    """The rows of a table for which a condition holds, without a column that only the condition needed."""
    place = file.columns.index(without)
    kept = {name: _left_out(getattr(file, name), place) for name in ("columns", "engine_columns", "types")}
    if condition == "true":
        return replace(file, **kept)  # type: ignore[arg-type]
    fewer = file.path.with_name(f"{file.path.stem}-{without}.parquet")
    chosen = f"SELECT * FROM {parquet_rows(file.path)} WHERE {condition}"  # noqa: S608
    connected(ordered=True).execute(f"COPY ({chosen}) TO {sql_text(str(fewer))} (FORMAT parquet)")
    return replace(file, path=fewer, **kept)  # type: ignore[arg-type]


def _left_out(values: tuple[str, ...], place: int) -> tuple[str, ...]:
    return (*values[:place], *values[place + 1 :])


def beside(beginning: Beginning, name: str) -> Any:
    """The JSON of a file that lies beside, None where there is none. DataProblems where it is not JSON."""
    path = beginning.path.resolve().with_name(name)
    if not path.is_file():
        return None
    shown = str(Path(beginning.shown).with_name(name))
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        what = say("{name}, which lies beside, is not JSON", name=name)
        raise look(shown, path).error(0, what, "write or copy it again") from None


def folder(beginning: Beginning) -> str:
    """The name of the folder that a file lies in."""
    return beginning.path.resolve().parent.name


def mapping(value: Any) -> Mapping[str, Any]:
    """An object of JSON; nothing in the place of anything else."""
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> list[Any]:
    """A list of JSON; nothing in the place of anything else."""
    return value if isinstance(value, list) else []


def told(settings: Iterable[tuple[str, Any]]) -> str:
    """Settings that tell a run from others, in words."""
    return ", ".join(f"{name}={value}" for name, value in settings if value not in (None, "", {}, []))
