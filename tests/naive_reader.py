"""Every format that the program reads, read once more in the plainest way: Python's own csv, json, gzip and xml, a loop a record.

A reader gives the rows that a file holds, as ``convert`` would write them: text, None where nothing stands, numbers as floats. It
raises ``Refused`` for a file that is not what its format says.
"""

import csv
import gzip
import io
import json
import math
import re
import sys
import zlib
from collections import Counter
from xml.parsers import expat

csv.field_size_limit(sys.maxsize)
NUMBER = re.compile(r"[ \t\n\r\f\v]*[+-]?(([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))[ \t\n\r\f\v]*")
NUMBERS = ("weight", "confidence", "rank", "score", "score_rank", "probability")

KNOWN = {"run", "item", "topic", "gold", "label", *NUMBERS, "class", "segment", "judge", "ranking", "grade", "cluster", "repeat"}


class Refused(Exception):
    """The file is not what its format says."""


def decoded(data, errors="strict"):
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors)
    except UnicodeDecodeError:
        raise Refused("not UTF-8") from None


def number(cell):
    """None for nothing, NaN for what is no number."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return None
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return None if math.isnan(cell) else float(cell)
    return float(cell) if isinstance(cell, str) and NUMBER.fullmatch(cell) else math.nan


def separated(text, delimiter, *, quoted, names=None):
    """The records of a table of text, by name."""
    style = {"strict": True} if quoted else {"quoting": csv.QUOTE_NONE}
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, **style) if row]
    except csv.Error as error:
        raise Refused(str(error)) from None
    if names is None:
        if not rows:
            raise Refused("no header")
        names = [name.strip() for name in rows.pop(0)]
    rows = [row[:-1] if len(row) == len(names) + 1 and not row[-1] else row for row in rows]  # a separator at the end of a line
    if len(set(names)) < len(names) or any(len(row) != len(names) for row in rows):
        raise Refused("rows of another length, or names twice")
    return names, [dict(zip(names, row, strict=True)) for row in rows]


def json_text(value):
    """A JSON value as text."""
    if isinstance(value, bool | dict | list):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return value


def json_lines(text):
    names, records = {}, []
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            pairs = json.loads(line, object_pairs_hook=lambda pairs: ("object", pairs), parse_int=str, parse_float=str)
        except (ValueError, RecursionError):
            raise Refused("not JSON") from None
        if not isinstance(pairs, tuple) or max(Counter(key for key, _ in pairs[1]).values(), default=0) > 1:
            raise Refused("no object, or a key twice")
        record = dict(pairs[1])
        names |= dict.fromkeys(record)
        records.append(record)
    if not records:
        raise Refused("no record")
    return list(names), records


def labels(names, records):
    """Label files: the columns that are known, as text or numbers."""
    known = [name for name in ("run", "item", "topic", "gold", "label", *NUMBERS) if name in names]
    if not {"label", "gold"} & set(known):
        raise Refused("no labels")
    rows = []
    for record in records:
        cells = {name: record.get(name) for name in known}
        if any(isinstance(cell, str) and re.search("[\udc80-\udcff]", cell) for cell in cells.values()):
            raise Refused("not UTF-8")  # what stands in other columns is not looked at
        texts = {name: cell if cell != "" else None for name, cell in cells.items()}
        rows.append({name: number(cell) if name in NUMBERS else cell for name, cell in texts.items()})
    return rows


def table(data, kind):
    """A table of labels: tsv, csv or jsonl."""
    text = decoded(data, "surrogateescape")
    if kind == "jsonl":
        return labels(*json_lines(text))
    if kind == "tsv" and not KNOWN & {name.strip().strip('"') for name in text.split("\n", 1)[0].split("\t")}:
        return semeval(data)  # without a header
    return labels(*separated(text, "\t" if kind == "tsv" else ",", quoted=kind == "csv"))


def gunzipped(data):
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        raise Refused("not gzip") from None


def of_arrow(found):
    """A table of pyarrow as rows of labels."""
    return labels(found.column_names, found.to_pylist())


def semeval(data):
    text = decoded(data, "surrogateescape")
    width = len(text.split("\n", 1)[0].split("\t"))
    if width not in (2, 3):
        raise Refused("neither two nor three columns")
    names = ["item", "topic", "label"] if width == 3 else ["item", "label"]
    return labels(*separated(text, "\t", quoted=False, names=names))


def loaded_json(data):
    def once(pairs):
        if max(Counter(key for key, _ in pairs).values(), default=0) > 1:
            raise Refused("a key twice")
        return dict(pairs)

    try:
        return json.loads(decoded(data), object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise Refused("not JSON") from None


def dialogues(data):
    """NTCIR's votes: a row for each."""
    found, rows = loaded_json(data), []
    try:
        for one in found:
            votes = [vote["quality"] for vote in one["annotations"]]
            rows += [(str(one.get("id", "")), str(vote[next(iter(vote))])) for vote in votes]
    except (TypeError, KeyError, AttributeError, StopIteration):
        raise Refused("not NTCIR's") from None
    return [{"topic": topic, "class": label, "probability": float(n)} for (topic, label), n in Counter(rows).items()]


def rank(cell):
    value = number(cell)
    if value is None or value == -1:
        return None
    if not math.isfinite(value) or value < 1:
        raise Refused("no rank")
    return value


def wmt(data):
    """Rankings of several systems: a row for each item."""
    names, records = separated(decoded(data), ",", quoted=True)
    records = [{name.lower(): cell for name, cell in record.items()} for record in records]
    systems = sorted(int(match[1]) for name in names if (match := re.fullmatch(r"system(\d+)id", name.lower())))
    rows, times, languages = [], Counter(), set()
    try:
        for record in records:
            pair = record.get("srclang", ""), record.get("trglang", "")
            segment, judge = record["srcindex"], record.get("judgeid", "")
            if not segment:
                raise Refused("no segment")
            times[pair, segment, judge] += 1
            cells = {}
            for place in systems:
                _add(cells, record[f"system{place}id"], rank(record[f"system{place}rank"]))
            if any(value is not None for value in cells.values()):
                languages.add(pair)
                known = {"judge": judge or None, "ranking": str(times[pair, segment, judge])}
                rows += [(pair, {"segment": segment, **known, "item": item, "rank": cells[item]}) for item in cells]
    except KeyError:
        raise Refused("a column is missing") from None
    several = len(languages) > 1
    return [row | {"segment": f"{'-'.join(pair)}/{row['segment']}"} if several else row for pair, row in rows]


def _add(cells, item, value):
    if not item and value is not None:
        raise Refused("a rank of nothing")
    if item and cells.setdefault(item, value) is None:
        cells[item] = value
    elif item and value is not None and value != cells[item]:
        raise Refused("two ranks")


def jcml(data):
    """Rankings in XML: a row for each tgt."""
    rows, segments = [], []

    def start(element, attributes):
        if element == "judgedsentence":
            if not attributes.get("id"):
                raise Refused("no segment")
            segments.append((attributes["id"], attributes.get("judge_id") or None, True))
        elif element == "tgt":
            if not segments or not segments[-1][2] or not attributes.get("system"):
                raise Refused("a tgt of nothing")
            segment, judge, _ = segments[-1]
            rows.append({"segment": segment, "judge": judge, "item": attributes["system"], "rank": rank(attributes.get("rank"))})

    def end(element):
        if element == "judgedsentence":
            segments[-1] = (*segments[-1][:2], False)

    def refuse(*_):
        raise Refused("a document type")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.StartDoctypeDeclHandler = start, end, refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003 - positional in expat
    except (expat.ExpatError, ValueError, LookupError):
        raise Refused("not XML") from None
    return rows


def trec(data):
    """Qrels: topic, iteration, document, grade."""
    rows = []
    for line in re.split(rb"\r\n|\r|\n", data.removeprefix(b"\xef\xbb\xbf")):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) < 4:
            raise Refused("too short")
        try:
            topic, document, grade = (fields[place].decode() for place in (0, 2, 3))
        except UnicodeDecodeError:
            raise Refused("not UTF-8") from None
        if not NUMBER.fullmatch(grade) or not math.isfinite(float(grade)):
            raise Refused("no grade")
        rows.append({"segment": topic, "item": document, "grade": float(grade)})
    return rows


def scores(data):
    """The long table of scores."""
    names, records = separated(decoded(data), ",", quoted=True)
    if not {"run", "score", "measure", "topic"} <= set(names):
        raise Refused("not scores")
    found = {}
    for record in records:
        key = tuple(record[name] for name in ("measure", "topic", "run"))
        cell = record["score"].strip().lower()
        value = None if cell in ("", "nan", "na", "null") else number(record["score"])
        if not all(key[1:]) or key in found or (value is not None and math.isnan(value)):
            raise Refused("a name is missing, a score is there twice or is none")
        found[key] = value
    return [{"measure": m, "topic": t, "run": r, "score": v} for (m, t, r), v in sorted(found.items()) if v is not None]


def matrix(data):
    """Numbers between white space: topics down, runs across; perhaps with a line of names above, and names before."""

    def score(cell):
        return None if cell.lower() in ("na", "null", "nan") else number(cell)

    def is_score(cell):
        return score(cell) is None or not math.isnan(score(cell))

    rows = [line.split() for line in re.split(r"\r\n|\r|\n", decoded(data)) if line.strip()]
    runs = rows.pop(0) if rows and not all(map(is_score, rows[0])) else None
    if not rows or len({len(row) for row in rows}) > 1:
        raise Refused("not a matrix")
    named = (runs is not None and len(runs) == len(rows[0]) - 1) or not all(is_score(row[0]) for row in rows)
    topics = [row[0] if named else str(place) for place, row in enumerate(rows, start=1)]
    numbers = [row[named:] for row in rows]
    if runs is not None and len(runs) - len(numbers[0]) not in (0, named):
        raise Refused("other names than runs")
    runs = [str(place + 1) for place in range(len(numbers[0]))] if runs is None else runs[-len(numbers[0]) :]
    if (
        not all(is_score(cell) for row in numbers for cell in row)
        or len({*runs}) < len(numbers[0])
        or len({*topics}) < len(topics)
    ):
        raise Refused("not a matrix")
    return [
        {"topic": topic, "run": run, "score": score(cell)}
        for topic, row in zip(topics, numbers, strict=True)
        for run, cell in zip(runs, row, strict=True)
    ]


def ratings(data):
    """People's ratings, nested either way: (item, annotator, label)."""
    found = loaded_json(data)
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise Refused("no ratings")
    by_item = all(isinstance(one.get("annotations"), dict) for one in found.values())
    outer = {item: one["annotations"] for item, one in found.items()} if by_item else found
    cells = [(a, b, label) for a, one in outer.items() for b, label in one.items()]
    return [(item, who, str(label)) if by_item else (who, item, str(label)) for item, who, label in cells if label is not None]
