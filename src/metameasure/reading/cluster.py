"""Files that a cluster reads where they are: by Spark, or by whatever speaks Spark Connect.

The cluster reads lines and takes them apart by the rules of DuckDB's reader, so that the same file gives the same answer on every
engine. It first counts the lines that those rules do not cover: bytes that are not UTF-8, another number of fields, quotes that
span lines, and so on. A file that has such lines is read here if it lies here, where faults are named with their lines; otherwise
it is refused. The driver reads no more than the first line of a file in which nothing is odd.
"""

from __future__ import annotations

import glob
import operator
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import say
from metameasure.core.values import repeated
from metameasure.reading.connecting import Cluster, complaint, is_lost, is_of_cluster, said_by
from metameasure.reading.files import File, header_of
from metameasure.reading.frames import ClusterFrame
from metameasure.reading.on_disk import LOGS, no_longer_whole
from metameasure.reading.options import CATALOGUE, ReadOptions
from metameasure.reading.parts import Parts
from metameasure.statistics.row_digests import HEX_DIGITS, LOW_BITS, SEPARATOR

_WHERE = "is it where the cluster can read it?"
_NAMED = re.compile(r"\.(csv|tsv|jsonl|parquet)(\.gz|\.zst)?$", re.IGNORECASE)
# What a cluster may take for a pattern, or for the end of a scheme.
_MAGIC = re.compile(r"[*?\[\]{}\\:]")
_MARK = "\ufeff"
# Longer lines are left to the judgement of DuckDB, which has a limit near here.
_LONGEST = 1_000_000
# So many rows of a frame are here at a time, where one look at each will do.
_ROWS_BROUGHT = 2**22
# So many parts of a line are safe for Java's regular expressions, which recurse.
_MOST_PARTS = 1500
# Texts are numbered within so many parts, and so many bits of a whole number are used.
_BUCKETS, _BITS = 1024, 62
# JSON of one object in a line, whose values are texts, numbers, and lists or objects of these. Java and Rust both read these.
_SPACE = r"[ \t\r]*"
_CODE = r"u(?:[0-9a-cefA-CEF][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
_STRING = rf'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|{_CODE})[^"\\\x00-\x1f]*)*"'
_SCALAR = rf"(?:{_STRING}|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)"
_PAIR = rf"{_STRING}{_SPACE}:{_SPACE}{_SCALAR}"
_LIST = rf"\[{_SPACE}(?:{_SCALAR}{_SPACE}(?:,{_SPACE}{_SCALAR}{_SPACE})*)?\]"
_OBJECT = rf"\{{{_SPACE}(?:{_PAIR}{_SPACE}(?:,{_SPACE}{_PAIR}{_SPACE})*)?\}}"
_MEMBER = rf"({_STRING}){_SPACE}:{_SPACE}({_SCALAR}|{_LIST}|{_OBJECT})"
_LINE = rf"\A{_SPACE}\{{{_SPACE}{_MEMBER}{_SPACE}(?:,{_SPACE}{_MEMBER}{_SPACE})*\}}{_SPACE}\z"
# What DuckDB writes as it stands: of other numbers it writes the shortest form.
_AS_WRITTEN = r'\A(?:".*|true|false|null|0|-?[1-9][0-9]*|-?(?:0|[1-9][0-9]{0,9})\.(?:0|[0-9]{0,4}[1-9]))\z'


@dataclass(frozen=True)
class Refused:
    """Why the cluster does not read a file: because something in it is odd, or because the cluster cannot, and says so."""

    why: str = ""


@dataclass(frozen=True)
class _Table:
    """The lines of a file of text on the cluster, and what becomes of them."""

    file: File
    lines: Any
    first: str
    """The first line, with a carriage return where it ends in one."""
    headers: int = 1
    """How many files it is in: each of them has a header."""

    def _body(self) -> Any:
        """A line without its end."""
        functions = _functions()
        value = functions.col("value")
        return value.substr(functions.lit(1), functions.length(value) - 1) if self.first.endswith("\r") else value

    def _is_header(self) -> Any:
        functions = _functions()
        if not self.file.header:
            return functions.lit(False)  # noqa: FBT003
        # Some clusters keep a byte order mark.
        return functions.col("value").isin(self.first, _MARK + self.first)

    def _is_odd(self) -> Any:
        """Whether a line is not one that we take apart as DuckDB does."""
        functions = _functions()
        value, body, number = functions.col("value"), self._body(), len(self.file.columns)
        ends = value.endswith("\r") if self.first.endswith("\r") else functions.lit(True)  # noqa: FBT003
        right = functions.size(functions.split(body, self.file.delimiter, -1)) == number
        if self.file.quoted:
            field = f'(?:"[^"]*(?:""[^"]*)*"|[^"{self.file.delimiter}]*)'
            pattern = rf"\A{field}(?:{self.file.delimiter}{field}){{{number - 1}}}\z"
            right = functions.when(body.contains('"'), body.rlike(pattern)).otherwise(right)
        right = (body == "") | right if number > 1 else (body != "") & right  # a blank line is passed over
        sound = (
            functions.is_valid_utf8(value)
            & ends
            & ~body.contains("\r")
            & ~body.startswith(_MARK)
            & (functions.octet_length(value) <= _LONGEST)
            & right
        )
        return ~sound

    def counted(self, place: int) -> Any:
        """A row with the number of lines, of headers and of odd lines."""
        functions = _functions()

        def number(condition: Any) -> Any:
            return functions.coalesce(functions.sum(functions.when(condition, 1).otherwise(0)), functions.lit(0))

        odd = functions.when(self._is_header(), False).otherwise(self._is_odd())  # noqa: FBT003
        return self.lines.agg(
            functions.lit(place).alias("place"),
            functions.count(functions.lit(1)).alias("lines"),
            number(self._is_header()).alias("headers"),
            number(odd).alias("odd"),
        )

    def frame(self) -> Any:
        """The rows, their cells by place."""
        functions = _functions()
        body, delimiter = self._body(), self.file.delimiter
        kept = self.lines.filter(~self._is_header() & (body != ""))
        plain = functions.split(body, delimiter, -1)
        if not self.file.quoted:
            return kept.select(*(functions.get(plain, place).alias(f"c{place}") for place in range(len(self.file.columns))))
        pattern = f'{delimiter}("[^"]*(?:""[^"]*)*"|[^"{delimiter}]*)'
        cells = functions.regexp_extract_all(
            functions.concat(functions.lit(delimiter), body), functions.lit(pattern), functions.lit(1)
        )
        has_quotes = body.contains('"')

        def cell(place: int) -> Any:
            written = functions.get(cells, place)
            inner = functions.regexp_replace(functions.regexp_replace(written, '\\A"|"\\z', ""), '""', '"')
            return functions.when(has_quotes, inner).otherwise(functions.get(plain, place))

        return kept.select(*(cell(place).alias(f"c{place}") for place in range(len(self.file.columns))))


def _functions() -> Any:
    from pyspark.sql import functions  # noqa: PLC0415

    return functions


def read_there(files: Sequence[File | Parts], cluster: Cluster, scratch: Path) -> list[ClusterFrame | Refused]:
    """Files that lie here, as tables that the cluster reads where it can. Those that it should not read are refused."""
    session = cluster.session()
    found: list[ClusterFrame | Refused] = []
    for file in files:
        try:
            found.append(_parts_there(session, file, scratch) if isinstance(file, Parts) else _there(session, file, scratch))
        except Exception as error:
            if not is_of_cluster(error):
                raise
            if is_lost(error):
                raise complaint(error) from error
            found.append(Refused(said_by(error)))
    return found


def _there(session: Any, file: File, scratch: Path) -> ClusterFrame | Refused:
    path = _path_there(session, file, scratch)
    return Refused() if path is None else _one_there(session, file, [path])


def _path_there(session: Any, file: File, scratch: Path) -> str | None:
    return None if scratch in file.path.parents or file.format == "arrow" else _named_there(session, file)


def _parts_there(session: Any, parts: Parts, scratch: Path) -> ClusterFrame | Refused:
    """Parts of one table: those of one make, of which folders say the same, are read in one go."""
    makes: dict[tuple[Any, ...], list[tuple[File, str]]] = {}
    for file, said in zip(parts.files, parts.folders, strict=True):
        path = _path_there(session, file, scratch)
        if path is None:
            return Refused()
        make = (file.format, file.columns, file.types, file.compression, b"" if file.is_binary else _first_line(file))
        makes.setdefault((*make, tuple(said.items())), []).append((file, path))
    frames = []
    for (*_, said), own in makes.items():
        one = _one_there(session, own[0][0], [path for _, path in own])
        if isinstance(one, Refused):
            return one
        frames.append(_with_folders(one, dict(said)))
    whole = united(parts.shown, frames)
    facts = {name: getattr(parts, name) for name in ("notes", "header")}
    return replace(whole, here=parts, rewritten=frozenset().union(*(one.rewritten for one in frames)), **facts)


def _first_line(file: File) -> bytes:
    with file.stream() as stream:
        return bytes(stream.readline())


def _with_folders(source: ClusterFrame, said: Mapping[str, str | None]) -> ClusterFrame:
    """A frame with what the names of folders say of all its rows."""
    functions, native = _functions(), source.frame.to_native()
    known = (functions.lit(value).cast("string") for value in said.values())
    return ClusterFrame.of(
        source.shown, nw.from_native(native.select("*", *known)), (*source.columns, *said), rewritten=source.rewritten
    )


def united(shown: str, sources: Sequence[ClusterFrame]) -> ClusterFrame:
    """Frames of a cluster one below the other. UsageError where their columns differ, or are of other types."""
    columns, functions = sources[0].columns, _functions()
    kinds = [{name: one.frame.collect_schema()[one.column(name)] for name in one.columns} for one in sources]
    for one, kind in zip(sources, kinds, strict=True):
        if other := [name for name in {**kinds[0], **kind} if kind.get(name) != kinds[0].get(name)]:
            what = say("'{file}' and '{first}' have not the same column '{name}'", file=one.shown, first=shown, name=other[0])
            raise UsageError(what, hint="parts of one table have the same columns, of the same types")
    each = (
        one.frame.to_native().select(*(functions.col(one.column(name)) for name in columns)).toDF(*columns) for one in sources
    )
    return ClusterFrame.of(shown, nw.from_native(reduce(lambda one, other: one.union(other), each)), columns)


def _named_there(session: Any, file: File) -> str | None:
    """A path by which the cluster finds exactly this file; None if there is no such path."""
    name = str(file.path.absolute())
    ending = {"": "", "gz": ".gz", "zst": ".zst"}[file.compression]
    packed = next(
        (one for one in (".gz", ".zst", ".bz2", ".deflate", ".lz4", ".snappy", ".xz") if name.lower().endswith(one)), ""
    )
    if packed != ending:  # clusters go by the name
        return None
    if not _MAGIC.search(name):
        return name
    for written in (_MAGIC.sub(lambda one: one[0] if one[0] == ":" else "\\" + one[0], name), file.path.absolute().as_uri()):
        try:
            frame = session.read.format("text").load(written)
            if [_path_of(found) for found in frame.inputFiles()] == [name]:
                frame.limit(1).collect()
                return written
        except Exception as error:
            if not is_of_cluster(error):
                raise
            if is_lost(error):
                raise complaint(error) from error
    return None


def _path_of(address: str) -> str:
    """The path in a file's address, file:///a%20b."""
    plain = re.sub(rb"%([0-9A-Fa-f]{2})", lambda code: bytes.fromhex(code[1].decode()), address.encode())
    return re.sub("^file:(//)?", "", plain.decode("utf-8", "replace"))


def _one_there(session: Any, file: File, paths: Sequence[str]) -> ClusterFrame | Refused:
    """A file, or several that are like the first."""
    if file.format == "parquet":
        return _of_parquet(session, file, paths)
    lines = _lines(session, paths)
    if file.format == "jsonl":
        return _of_json(file, lines)
    raw = _first_line(file)
    table = _Table(file, lines, raw.decode("utf-8-sig", "replace").removesuffix("\n"))
    ((_, number, headers, odd),) = table.counted(0).collect()
    if not number:
        return Refused("it finds no lines")
    if odd or headers != (len(paths) if file.header else 0):
        return Refused()
    return ClusterFrame.of(file.shown, nw.from_native(table.frame()), file.columns, here=file)


def _of_parquet(session: Any, file: File, paths: Sequence[str]) -> ClusterFrame | Refused:
    frame = session.read.parquet(*paths)
    if not frame.columns:
        return Refused("it finds no columns")
    # Behind its own columns a cluster may add those that it makes of folders.
    if tuple(frame.columns[: len(file.columns)]) != file.columns or repeated(name.lower() for name in frame.columns):
        return Refused()
    own = frame.select(*frame.columns[: len(file.columns)]) if len(frame.columns) > len(file.columns) else frame
    return ClusterFrame.of(file.shown, nw.from_native(own), here=file)


def _lines(session: Any, paths: str | Sequence[str]) -> Any:
    return session.read.format("text").option("lineSep", "\n").load(paths if isinstance(paths, str) else [*paths])


def _of_json(file: File, lines: Any) -> ClusterFrame | Refused:
    functions = _functions()
    value = functions.col("value")
    lines = lines.filter(functions.trim(functions.regexp_replace(value, r"\s", "")) != "")
    names, values = (
        functions.regexp_extract_all(value, functions.lit(rf"[{{,]{_SPACE}{_MEMBER}"), functions.lit(group)) for group in (1, 2)
    )
    parts = functions.length(value) - functions.length(functions.translate(value, ",\\", ""))
    sound = functions.when(
        functions.is_valid_utf8(value)
        & (functions.octet_length(value) <= _LONGEST)
        & (parts <= _MOST_PARTS)
        & ~value.contains("\\u0000"),
        value.rlike(_LINE),
    ).otherwise(False)  # noqa: FBT003
    sound = functions.when(sound, functions.size(functions.array_distinct(names)) == functions.size(names)).otherwise(False)  # noqa: FBT003
    nothing = functions.array(functions.lit(""))
    pairs = functions.arrays_zip(
        functions.when(sound, names).otherwise(nothing).alias("name"),
        functions.when(sound, values).otherwise(nothing).alias("value"),
    )
    listed = lines.select(functions.explode(pairs).alias("pair")).select("pair.name", "pair.value")
    rewritten = functions.sum(functions.when(functions.col("value").rlike(_AS_WRITTEN), 0).otherwise(1))
    known = {name: odd > 0 for name, odd in listed.groupBy("name").agg(rewritten.alias("odd")).collect()}
    if not known:
        return Refused("it finds no lines")
    if any(not name or "\\" in name for name in known):
        return Refused()
    return _json_frame(file, lines, names, values, {name[1:-1]: odd for name, odd in known.items()})


def _json_frame(file: File, lines: Any, names: Any, values: Any, known: dict[str, bool]) -> ClusterFrame:
    functions = _functions()
    columns = file.json_columns(known)

    def cell(name: str) -> Any:
        place = functions.array_position(functions.col("names"), f'"{name}"') - 1
        written = functions.get(functions.col("values"), place.cast("int"))
        whole = functions.concat(functions.lit('{"a":'), written, functions.lit("}"))
        return (
            functions.when(written == "null", functions.lit(None))
            .when(written.startswith('"') & written.contains("\\"), functions.get_json_object(whole, "$.a"))
            .otherwise(functions.regexp_replace(written, '\\A"|"\\z', ""))
        )

    apart = lines.select(names.alias("names"), values.alias("values"))  # once, not for each cell
    frame = apart.select(*(cell(name).alias(f"c{place}") for place, name in enumerate(columns)))
    odd = frozenset(name for name, is_odd in known.items() if is_odd)
    return ClusterFrame.of(file.shown, nw.from_native(frame), columns, here=replace(file, columns=columns), rewritten=odd)


@dataclass(frozen=True)
class InNumbers:
    """Rows of a cluster as they are fetched: what is not a measured value is packed into as few whole numbers as hold it.

    ``rows`` and ``names``, the texts of each column with their numbers, are tables of Arrow's. ``parts`` say of each column in
    which of the whole numbers it is, from which bit on and in how many bits: one more than it is, and 0 for nothing."""

    rows: Any
    names: dict[str, Any]
    parts: dict[str, tuple[str, int, int]]

    @classmethod
    def of(cls, frame: Any, texts: Sequence[str], below: Mapping[str, int], values: Sequence[str]) -> InNumbers:
        """A frame of columns of text, of whole numbers below others, and of values. Texts are fetched once each."""
        functions, names, bits = _functions(), dict[str, Any](), {role: end.bit_length() for role, end in below.items()}
        plain = frame
        for place, role in enumerate(texts):
            known = _numbered(plain, role)  # not of what is joined already, or the query would double with every column
            names[role] = known.toArrow()
            largest = int(names[role].column("number").to_numpy().max(initial=0))
            bits[role] = (largest + 1).bit_length()
            known = known.toDF(f"text {place}", f"number {place}")
            same = functions.col(sql_column(role)) == functions.col(f"`text {place}`")
            frame = frame.join(known, same, "left")
        parts, words = dict[str, tuple[str, int, int]](), [0]
        for role in (*below, *texts):
            if words[-1] + bits[role] > _BITS:
                words.append(0)
            parts[role] = (f"word {len(words) - 1}", words[-1], bits[role])
            words[-1] += bits[role]
        number = {role: f"`number {place}`" for place, role in enumerate(texts)} | {role: sql_column(role) for role in below}

        def word(name: str) -> Any:
            held = [(functions.col(number[role]), shift) for role, (where, shift, _) in parts.items() if where == name]
            coded = (
                functions.coalesce(one + 1, functions.lit(0)).cast("long") * functions.lit(1 << shift) for one, shift in held
            )
            return reduce(operator.add, coded).alias(name)

        chosen = [word(f"word {place}") for place in range(len(words)) if parts]
        rows = frame.select(*chosen, *(functions.col(sql_column(name)) for name in values))
        return cls(rows.toArrow(), names, parts)


def with_token(frame: Any, columns: Sequence[str], salt: str, bits: int) -> Any:
    """A frame with a ``token`` of so many bits, drawn by the cluster from what stands in some columns and a salt."""
    functions = _functions()
    drawn = functions.xxhash64(functions.lit(salt), *(functions.col(sql_column(name)) for name in columns))
    token = drawn.bitwiseAND(functions.lit((1 << bits) - 1)).alias("token")
    return nw.from_native(frame.to_native().select("*", token))


def brought(frame: Any, columns: Sequence[str], number: int) -> Iterator[Any]:
    """Some columns of a frame with so many rows, which come as tables of Arrow with about ``_ROWS_BROUGHT`` rows each: rows are
    dealt by a hash of what they hold."""
    functions, parts = _functions(), number // _ROWS_BROUGHT + 1
    part = functions.pmod(functions.xxhash64(*(functions.col(sql_column(name)) for name in columns)), functions.lit(parts))
    rows = frame.select(*columns).to_native()
    for place in range(parts):
        yield (rows.filter(part == place) if parts > 1 else rows).toArrow()


def with_digest(frame: Any, name: str, texts: Sequence[str], numbers: Sequence[str] = ()) -> Any:
    """A frame with the digest of each row (``statistics/row_digests.py``): of texts together, where nothing is as good as an
    empty text, and of numbers. It is in two columns, the lower bits and the upper ones, which can be added up."""
    functions = _functions()
    together = functions.concat_ws(
        SEPARATOR, *(functions.coalesce(functions.col(sql_column(text)), functions.lit("")) for text in texts)
    )
    number = functions.conv(functions.substring(functions.md5(together.cast("binary")), 1, HEX_DIGITS), 16, 10).cast("long")
    said = functions.xxhash64(number, *(functions.col(sql_column(one)) for one in numbers))
    low = said.bitwiseAND(functions.lit((1 << LOW_BITS) - 1)).alias(f"{name} low")
    return nw.from_native(frame.to_native().select("*", low, functions.shiftright(said, LOW_BITS).alias(f"{name} high")))


def sql_column(name: str) -> str:
    """A column's name as the cluster's language has it."""
    return f"`{name}`"


def _numbered(frame: Any, column: str) -> Any:
    """The different texts of a column with a number each, drawn by the cluster: texts are dealt into buckets by a hash and
    numbered within each, so that no part of the cluster sees all of them, and asked again it gives the same."""
    from pyspark.sql import Window  # noqa: PLC0415

    functions = _functions()
    text = functions.col(sql_column(column))
    bucket = functions.crc32(functions.col("text").cast("binary")) % _BUCKETS
    dealt = frame.select(text.alias("text")).filter("text IS NOT NULL").distinct().withColumn("bucket", bucket)
    within = functions.row_number().over(Window.partitionBy("bucket").orderBy("text")) - 1
    number = (within.cast("long") * _BUCKETS + functions.col("bucket")).alias("number")
    return dealt.select("text", number)


def unreadable(shown: str, why: str) -> UsageError:
    return UsageError(f"Spark cannot read '{shown}': {why}", hint=_WHERE)


def read(path: str | Path, options: ReadOptions) -> ClusterFrame:
    """A table that only the cluster sees. UsageError where it cannot read it, or not as we would."""
    text = str(path)
    if options.format_in is not None:
        raise UsageError(
            say("{--format-in} is for files that are read here"),
            hint=say("convert them to tables first, or leave out {--engine}"),
        )
    if text.startswith(CATALOGUE):
        return _of_catalogue(options.cluster, text)
    named = _NAMED.search(text.rstrip("/"))
    if named is None and "://" not in text:
        raise UsageError(f"Spark does not read '{text}' here", hint="name a file that ends in .csv, .tsv, .jsonl or .parquet")
    where = text if "://" in text else str(Path(text).absolute())
    try:
        _refuse_lake(options.cluster.session(), where, alone=named is not None and not glob.has_magic(where))
        return _unseen(options.cluster.session(), text, where, named[1].lower() if named else "parquet", options)
    except Exception as error:
        if not is_of_cluster(error):
            raise
        raise (complaint(error) if is_lost(error) else unreadable(text, said_by(error))) from error


def _of_catalogue(cluster: Cluster, text: str) -> ClusterFrame:
    """A table that the cluster knows by its name, of whatever kind. UsageError where it knows none of that name."""
    name = text.removeprefix(CATALOGUE)
    try:
        frame = cluster.session().table(name)
        columns = frame.columns
    except Exception as error:
        if not is_of_cluster(error):
            raise
        if is_lost(error):
            raise complaint(error) from error
        what = say("the cluster has no table '{table}': {why}", table=name, why=said_by(error))
        raise UsageError(what, hint="check its name, with that of its database: table:db.labels") from error
    return ClusterFrame.of(text, nw.from_native(frame), columns)


def _refuse_lake(session: Any, where: str, *, alone: bool) -> None:
    """UsageError where a log tells which of the files are part of the table: beside them or, unless a file is named ``alone``, in
    a folder above them. The cluster looks, where only it can."""
    start = where.find("://") + len("://") if "://" in where else 0
    names = where[start:].rstrip("/").split("/")
    above = [where[:start] + "/".join(names[:number]) for number in range(len(names), 0, -1) if names[number - 1]]
    for folder in above[:1] if alone else above:
        for name, log in LOGS.items():
            try:
                found = _lines(session, f"{folder}/{log}").head(1)
            except Exception as error:  # as clusters say that there is no such file
                if not is_of_cluster(error) or is_lost(error):
                    raise
                continue
            if found:
                raise no_longer_whole(folder, name)


def _what_is_not(frame: Any, wanted: str) -> str:
    """What a cluster lacks that gives an empty table where there is no file."""
    return f"it finds no {wanted}" if frame.inputFiles() else "there is no such file"


def _unseen(session: Any, text: str, where: str, format: Any, options: ReadOptions) -> ClusterFrame:
    if format == "parquet":
        # Folders such as run=01 are texts, as they are here.
        session.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
        frame = session.read.parquet(where)
        if not frame.columns:
            raise unreadable(text, _what_is_not(frame, "columns"))
        return ClusterFrame.of(text, nw.from_native(frame))
    lines = _lines(session, where)
    first = lines.head(1)
    if not first:
        raise unreadable(text, _what_is_not(lines, "lines"))
    file = header_of(text, Path(where), first[0][0].encode(), format, options)
    if format == "jsonl":
        found = _of_json(file, lines)
        what = "are no JSON objects of texts and numbers"
    else:
        table = _Table(file, lines, first[0][0].removeprefix(_MARK))
        ((_, _, headers, odd),) = table.counted(0).collect()
        sound = not odd and headers == len(lines.inputFiles())
        found = ClusterFrame.of(text, nw.from_native(table.frame()), file.columns) if sound else Refused()
        what = "have another number of fields, quotes that span lines, other line ends or bytes that are not UTF-8"
    if isinstance(found, Refused):
        raise UsageError(f"Spark does not read '{text}': some of its lines {what}", hint="check a copy of it on this machine")
    return replace(found, here=None)
