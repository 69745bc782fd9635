"""Where the queries run: DuckDB, set up the way they need it, for files and frames in memory; a cluster's own frames stay there.

This is the only module that knows which engine is at work. Everything else is written in Narwhals' expressions.
"""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.lazily import duckdb, nw
from metameasure.core.messages import say
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.values import Kind, nothing, typed
from metameasure.reading.cluster import InNumbers, brought, with_token
from metameasure.reading.connecting import complaint, is_lost, is_of_cluster
from metameasure.reading.duckdb_connection import connected, not_kept
from metameasure.reading.files import File
from metameasure.reading.frames import ClusterFrame
from metameasure.reading.json_lines import COMPRESSIONS, keys_of_lines, objects_of_lines, pointer
from metameasure.reading.on_disk import (
    arrow_table,
    first_line,
    literal_path,
    literal_paths,
    parquet_rows,
    sql_name,
    sql_text,
    unpacked,
)
from metameasure.reading.options import ReadOptions, bytes_of
from metameasure.reading.parts import Parts
from metameasure.reading.sources import Source, text_array
from metameasure.statistics.work import watching

# A frame of Narwhals; its methods are those of the engine it lives in, for which there is no common type.
Frame: TypeAlias = Any
# Of the memory a user grants us, the share that DuckDB may manage: what it uses beside that is about as much again.
_MANAGED_SHARE = 0.6
# What a database keeps for itself of so many bytes is worth opening another one, which takes some milliseconds.
_LARGE = 4 * 10**6
# What a value takes in it at least: of a file of Parquet that may be many times as much as the file does.
_OF_VALUE = 8
# So many rows of a part are collected before they are written, where memory is limited.
_ROWS_TO_WRITE = 2**14
# So few texts are compared one by one sooner than they are looked up in a table.
_FEW = 16
# So many bits that the sum over all rows of a gold of up to 2^31 fits into 64.
_TOKEN_BITS = 31


# The engine that was opened last, whose progress is shown while files are read.
_AT_WORK: ContextVar[Callable[[], Engine | None]] = ContextVar("the engine at work", default=lambda: None)


class NotEnoughMemoryError(UsageError):
    """The engine needs more memory than it may have."""

    def __init__(self, why: str) -> None:
        super().__init__(f"there is not enough memory ({why})", hint=say("allow more with {--memory}"))


@dataclass(frozen=True)
class Picked:
    """A source and what is wanted of it: for each column of the result the name of the source's own column, None where it has
    none, and whether it is text or a number."""

    source: Source
    columns: Mapping[str, tuple[str | None, Kind]]
    known: Mapping[str, str | None] = field(default_factory=dict)
    """Columns that no row says itself, by what all rows have there: that is what the names of folders say."""

    def parts(self) -> Iterator[Picked]:
        """The same of each file, where the source is several."""
        if not isinstance(self.source, Parts):
            yield self
            return
        for file, said in zip(self.source.files, self.source.folders, strict=True):
            own = {role: (name if name in file.columns else None, kind) for role, (name, kind) in self.columns.items()}
            yield Picked(file, own, {role: said[name] for role, (name, _) in self.columns.items() if name and name in said})


class Engine:
    """A connection for one call to a private database. Frames on a cluster are queried there, and nothing is sent to them
    that grows with the number of rows. ``ordered`` keeps rows in the order of their file."""

    def __init__(self, *, threads: int | None = None, memory: str | None = None, ordered: bool = False) -> None:
        managed = None if memory is None else int(bytes_of(memory) * _MANAGED_SHARE)
        self._settings: dict[str, Any] = {"threads": threads, "memory": managed, "ordered": ordered}
        self._tables = self._forgotten = 0
        self._bytes = 0
        self.read: dict[Source, dict[str, None]] = {}
        """Which columns of each source have been asked for."""
        _AT_WORK.set(weakref.ref(self))

    @classmethod
    def of(cls, options: ReadOptions, *, ordered: bool = False) -> Engine:
        """One with the threads and the memory that a user allows."""
        return cls(threads=options.threads, memory=options.memory, ordered=ordered)

    @cached_property
    def connection(self) -> Any:
        """The database, opened when it is first asked."""
        connection = connected(**self._settings)
        connection.execute("SET enable_progress_bar = true")  # which it then knows, and we show
        connection.execute("SET enable_progress_bar_print = false")
        return connection

    @cached_property
    def _salts(self) -> tuple[str, str]:
        """What the hashes of tokens and of digests begin with, drawn when rows are first hashed."""
        return secrets.token_hex(16), ""

    def _takes_in(self, size: int) -> None:
        """Note that so many bytes are read. A database that has worked on many is not kept, for it would keep their room too."""
        self._bytes += size
        if self._bytes > _LARGE and self._settings["memory"] is None:
            _ = self.connection  # or another one would be opened that is kept
            not_kept(threads=self._settings["threads"], ordered=self._settings["ordered"])

    def share_done(self) -> float:
        """Which share of its query the database has done; below 0 where it is between queries, or not opened yet."""
        return float(self.connection.query_progress()) / 100 if "connection" in self.__dict__ else -1.0

    def scan(self, picked: Sequence[Picked]) -> Frame:
        """The sources one below the other: ``source``, a position among them, and the columns wanted. Files of one make are read
        in one go. Where some live on a cluster and others do not, all come here: nothing is sent to the cluster."""
        number = len(picked)
        parts = [(part, place) for place, one in enumerate(map(_where_as_written, picked)) for part in one.parts()]
        picked, place_of = [one for one, _ in parts], [place for _, place in parts]
        for one in picked:
            self.read.setdefault(one.source, {}).update({name: None for name, _ in one.columns.values() if name is not None})
        frames = []
        for make, alike in groupby(
            sorted(range(len(picked)), key=lambda place: _make(picked, place)), key=lambda p: _make(picked, p)
        ):
            together = list(alike)
            first, positions = picked[together[0]], [place_of[place] for place in together]
            if isinstance(first.source, ClusterFrame):
                frames.append(_on_cluster(first.source, first, positions[0]))
                continue
            with reading([picked[place].source for place in together]):
                relation = self._relation([picked[place] for place in together], positions, alone=bool(make[0]))
                schema = relation.collect_schema()
                frames.append(
                    relation.select(
                        nw.col("source").cast(nw.Int64),
                        *(
                            (_quickly_typed(role, schema, kind) if role in schema else nothing(kind)).alias(role)
                            for role, (_, kind) in first.columns.items()
                        ),
                    )
                )
        there, own = [one for one in frames if not _is_local(one)], [one for one in frames if _is_local(one)]
        if there and own:
            own.append(self.here(nw.concat(there), source=number))
        found = own or there
        return found[0] if len(found) == 1 else nw.concat(found)

    def here(self, frame: Frame, **below: int) -> Frame:
        """A frame as one of ours. That of a cluster comes in numbers, its texts once each: its columns are texts, whole numbers
        ``below`` others, and values."""
        if _is_local(frame):
            return frame
        schema = frame.collect_schema()
        texts = [name for name, kind in schema.items() if kind == nw.String]
        values = [name for name in schema if name not in texts and name not in below]
        brought = InNumbers.of(frame.to_native(), texts, below, values)
        rows = self._created(f"SELECT * FROM {self._register(brought.rows)}").to_native().sql_query()  # noqa: S608
        chosen, joins = {name: sql_name(name) for name in values}, []
        for name, (word, shift, bits) in brought.parts.items():
            number = f"((rows.{sql_name(word)} >> {shift}) & {(1 << bits) - 1})"
            chosen[name] = f"CAST(nullif({number}, 0) - 1 AS BIGINT)"
            if name in brought.names:
                known = self._created(f"SELECT * FROM {self._register(brought.names[name])}").to_native().sql_query()  # noqa: S608
                chosen[name] = f"{sql_name(name)}.text"
                joins.append(f"LEFT JOIN ({known}) AS {sql_name(name)} ON {sql_name(name)}.number = {number} - 1")
        listed = ", ".join(f"{chosen[name]} AS {sql_name(name)}" for name in schema)
        return self.of_query(f"SELECT {listed} FROM ({rows}) AS rows {' '.join(joins)}")  # noqa: S608 - names are quoted

    def as_it_stands(self, picked: Picked) -> Frame:
        """One source's columns in their own types, but for those that are wanted as numbers."""
        parts = [*picked.parts()]
        if len({_make(parts, place) for place in range(len(parts))}) > 1:  # which have no types in common
            return self.scan([picked]).drop("source")
        with reading([picked.source]):
            relation = self._relation(parts, [0] * len(parts), alone=bool(_make(parts, 0)[0]))
            schema = relation.collect_schema()
            return relation.select(
                *(
                    (nw.col(role) if kind == "text" else _quickly_typed(role, schema, kind)).alias(role)
                    for role, (_, kind) in picked.columns.items()
                )
            )

    def of_query(self, query: str) -> Frame:
        """What a query of ours gives."""
        return nw.from_native(self.connection.sql(query))

    def _relation(self, picked: Sequence[Picked], positions: Sequence[int], *, alone: bool) -> Frame:
        source = picked[0].source
        wanted = {role: name for role, (name, _) in picked[0].columns.items() if name is not None}
        if isinstance(source, File):
            files = [one.source for one in picked if isinstance(one.source, File)]
            rows = parquet_rows(self.connection, [file.path for file in files]) if source.format == "parquet" else 0
            self._takes_in(max(unpacked(files), rows * len(wanted) * _OF_VALUE))
            in_a_row = list(positions) == list(range(len(positions)))
            number = "file_index" if in_a_row else f"[{', '.join(map(str, positions))}][CAST(file_index AS BIGINT) + 1]"
            number = str(positions[0]) if alone else number
            if source.format == "jsonl" and wanted:
                written, scanned = keys_of_lines(files, wanted)
            else:
                written, scanned = {role: _column(source, name) for role, name in wanted.items()}, self._scan(files)
            columns = [f"{column} AS {sql_name(role)}" for role, column in written.items()]
            columns += [f"{_known([one.known[role] for one in picked])} AS {sql_name(role)}" for role in picked[0].known]
            if not source.is_binary:
                kinds = {role: kind for role, (name, kind) in picked[0].columns.items() if name is not None and kind != "text"}
                quickly = {role: _quick_number(written[role], kind) for role, kind in kinds.items()}
                columns += [f"{number} AS {sql_name(_quick(role))}" for role, number in quickly.items()]
            return self.of_query(f"SELECT {', '.join([f'{number} AS source', *columns])} FROM {scanned}")  # noqa: S608 - names are quoted
        # Arrays and data frames: their columns, one by one, as arrays that the engine reads.
        arrays = {role: source.column(name) for role, name in wanted.items()}  # type: ignore[attr-defined]
        size = len(next(iter(arrays.values()))) if arrays else 0
        return self._registered({"source": np.full(size, positions[0]), **arrays})

    def _scan(self, files: Sequence[File]) -> str:
        """A FROM item over files that have the same format and columns; its ``file_index`` numbers them from 0."""
        first, paths = files[0], literal_paths(file.path for file in files)
        if first.format == "arrow":
            return self._arrow_scan(files)
        if first.format == "parquet":
            return f"read_parquet({paths}, hive_partitioning = false)"
        compression = COMPRESSIONS[first.compression]
        if first.format == "jsonl":
            return objects_of_lines(files)
        columns = "{" + ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(first.columns))) + "}"
        quote = "'\"'" if first.quoted else "''"
        # In parallel, it would drop a last line that is too long without a word; compressed, it is not parallel anyway.
        parallel = ", parallel = false" if first.compression else ""
        return (
            f"read_csv({paths}, delim = {sql_text(first.delimiter)}, header = {str(first.header).lower()}, quote = {quote}, "
            f"escape = {quote}, nullstr = '', auto_detect = false, compression = '{compression}'{parallel}, columns = {columns})"
        )

    def _arrow_scan(self, files: Sequence[File]) -> str:
        views = []
        for index, file in enumerate(files):
            arrow = arrow_table(file.path, file.shown)
            self._takes_in(arrow.nbytes)
            named = self._register(arrow.rename_columns([f"c{place}" for place in range(arrow.num_columns)]))
            views.append(f"SELECT {index} AS file_index, * FROM {named}")  # noqa: S608
        return "(" + " UNION ALL BY NAME ".join(views) + ")"

    def _registered(self, columns: Mapping[str, npt.NDArray[Any]]) -> Frame:
        """Columns as a table of the engine's own."""
        self._takes_in(sum(column.nbytes for column in columns.values()))
        view = self._register({f"c{place}": column for place, column in enumerate(columns.values())})
        chosen = ", ".join(f"c{place} AS {sql_name(name)}" for place, name in enumerate(columns))
        table = self._created(f"SELECT {chosen} FROM {view}")  # noqa: S608 - names are quoted
        self.connection.unregister(view)
        return table

    def _created(self, query: str) -> Frame:
        """What a query gives, as a table."""
        named = self._free_name()
        self.connection.execute(f"CREATE TEMP TABLE {named} AS {query}")
        return nw.from_native(self.connection.table(named))

    def _register(self, data: Any) -> str:
        named = self._free_name()
        self.connection.register(named, data)
        return named

    def _free_name(self) -> str:
        self._tables += 1
        return f"table_{self._tables}"

    def frame(self, columns: Mapping[str, npt.NDArray[Any]], *, beside: Frame) -> Frame:
        """A few columns, of classes or runs, as a frame that can be joined to another, wherever that lives."""
        if _is_local(beside):
            return self._registered(columns)
        session, key = beside.to_native().sparkSession, next(iter(columns))
        if len(columns[key]):
            return nw.from_native(session.createDataFrame(_arrow(columns)))
        # A cluster's client makes no frame of nothing.
        one = {name: np.array(["" if column.dtype.kind == "O" else 0]).astype(column.dtype) for name, column in columns.items()}
        return nw.from_native(session.createDataFrame(_arrow(one))).filter(nw.col(key).is_null())

    def looked_up(self, frame: Frame, **columns: tuple[str, Sequence[str], npt.NDArray[np.integer[Any]]]) -> Frame:
        """The frame with further columns: by name the column that is looked up, the texts in it, and the number of each; null for
        a text that has none."""
        if not _is_local(frame):
            for name, (of, texts, numbers) in columns.items():
                frame = frame.join(self.frame({of: text_array(list(texts)), name: numbers}, beside=frame), on=of, how="left")
            return frame
        # In one query: Narwhals asks at every join, many times over, which columns there are, which takes a while.
        chosen, joins = ["looked.*"], []
        for name, (of, texts, numbers) in columns.items():
            named, column = sql_name(name), f"looked.{sql_name(of)}"
            if len(texts) <= _FEW:
                pairs = zip(map(sql_text, texts), numbers.tolist(), strict=True)
                cases = " ".join(f"WHEN {text} THEN {number}" for text, number in pairs)
                chosen.append(f"CASE {column} {cases} END AS {named}" if cases else f"CAST(NULL AS INTEGER) AS {named}")
                continue
            table = self._registered({of: text_array(list(texts)), name: numbers}).to_native().sql_query()
            chosen.append(f"{named}.{named}")
            joins.append(f"LEFT JOIN ({table}) AS {named} ON {named}.{sql_name(of)} = {column}")
        rows = frame.to_native().sql_query()
        return self.of_query(f"SELECT {', '.join(chosen)} FROM ({rows}) AS looked {' '.join(joins)}")  # noqa: S608 - names are quoted

    def forget(self) -> None:
        """Let go of all that is kept, and of the room that it takes."""
        for number in range(self._forgotten + 1, self._tables + 1):
            self.connection.execute(f"DROP TABLE IF EXISTS table_{number}")
        self._forgotten = self._tables

    def kept(self, frame: Frame) -> Frame:
        """The frame computed once, to be asked several times."""
        return self._created(frame.to_native().sql_query()) if _is_local(frame) else frame

    def written(self, frame: Frame, path: Path) -> Frame:
        """A frame of ours computed once, as ``kept`` has it, of so many rows that the engine had better have them in a file."""
        self.connection.execute(f"COPY ({frame.to_native().sql_query()}) TO {sql_text(str(path))} (FORMAT parquet)")
        return self.of_query(f"SELECT * FROM read_parquet({sql_text(literal_path(path))})")  # noqa: S608

    @property
    def limited(self) -> bool:
        """Whether a user has said how much memory to use."""
        return self._settings["memory"] is not None

    def apart(self, frame: Frame, by: str, folder: Path) -> Callable[[int], Frame]:
        """The rows of each number in a column, by that number, from a frame that need not fit into memory: written once to a
        folder, a file for each number. On a cluster they are chosen anew each time."""
        if not _is_local(frame):
            return lambda number: frame.filter(nw.col(by) == number)
        query = frame.to_native().sql_query()
        if self.limited:  # of each number it would collect half a million rows before it writes any
            self.connection.execute(f"SET partitioned_write_flush_threshold = {_ROWS_TO_WRITE}")
        self.connection.execute(f"COPY ({query}) TO {sql_text(str(folder))} (FORMAT parquet, PARTITION_BY ({sql_name(by)}))")

        def part(number: int) -> Frame:
            written = folder / f"{by}={number}"
            if not written.exists():
                return frame.head(0)  # no row has this number
            files = sql_text(literal_path(written) + "/*.parquet")
            return self.of_query(f"SELECT * FROM read_parquet({files}, hive_partitioning = false)")  # noqa: S608

        return part

    @contextmanager
    def while_kept(self, frame: Frame) -> Iterator[Frame]:
        """The frame computed once, for as long as this lasts."""
        kept = self.kept(frame)
        named = f"table_{self._tables}"
        try:
            yield kept
        finally:
            if _is_local(frame):
                self.connection.execute(f"DROP TABLE {named}")

    def fetched(self, frame: Frame) -> dict[str, npt.NDArray[Any]]:
        """What ``fetch`` gives, of many rows: a query whose rows are fetched as they come runs in one thread, one that makes a
        table in all of them."""
        with self.while_kept(frame) as kept:
            return fetch(kept)

    def as_they_come(self, kept: Frame, column: str) -> list[str]:
        """The different texts in a column of a frame that is kept, by their first rows; where rows have no order, sorted."""
        if not _is_local(kept):
            return [text for text in fetch(distinct(kept, column).sort(column))[column].tolist() if text is not None]
        named = sql_name(column)
        query = f"SELECT {named} FROM ({{rows}}) WHERE {named} IS NOT NULL GROUP BY 1 ORDER BY min(number)"  # noqa: S608
        rows = kept.to_native().project(f"{named}, row_number() OVER () AS number").sql_query()
        return [text for (text,) in self.connection.execute(query.format(rows=rows)).fetchall()]

    def numbered(self, frame: Frame) -> Frame:
        """Rows kept here with a ``place`` for each and a ``token``: a random number, drawn anew in each call, so that nobody can
        make up rows whose tokens add up to those of others."""
        return self._created(
            f"SELECT *, row_number() OVER () - 1 AS place, "  # noqa: S608 - a query of our own
            f"CAST(floor(random() * {2**_TOKEN_BITS}) AS BIGINT) AS token FROM ({self.here(frame).to_native().sql_query()})"
        )

    def as_gold(self, frame: Frame, keys: Sequence[str]) -> Frame:
        """Gold with a ``token`` for each row, and here a ``place``. On a cluster the token is a hash of the row's keys with a
        salt of this call: nothing is numbered through there, and nothing is sent but the salt."""
        return self.numbered(frame) if _is_local(frame) else with_token(frame, keys, self._salts[0], _TOKEN_BITS)

    def in_one_place(self, frame: Frame, other: Frame, runs: int) -> tuple[Frame, Frame]:
        """Two frames that are to be joined: both on the cluster, or both here. In the second, ``run`` is one of so many."""
        return (frame, other) if _is_local(frame) == _is_local(other) else (self.here(frame), self.here(other, run=runs))

    def is_here(self, frame: Frame) -> bool:
        """Whether a frame lives in our own database, not on a cluster."""
        return _is_local(frame)

    def with_token(self, frame: Frame, columns: Sequence[str]) -> Frame:
        """Rows that nothing is joined to, with a ``token`` for what stands in some columns: sums of tokens tell whether two runs
        have the same rows. The key of the hash is drawn anew, so that nobody can make up rows for a sum. ``digest`` has none, and
        tells whether two calls have read the same rows."""
        listed = ", ".join(map(sql_name, columns))
        token, digest = (
            f"CAST(hash(concat_ws(chr(31), {sql_text(first)}, {listed})) & {2**_TOKEN_BITS - 1} AS BIGINT)"
            for first in self._salts
        )
        return nw.from_native(frame.to_native().project(f"*, {token} AS token, {digest} AS digest"))

    def digest(self, frame: Frame, columns: Sequence[str]) -> int:
        """The sum of digests of a table, by this database's own hash, for which a cluster's comes here, some rows at a time."""
        if _is_local(frame):
            chosen = self.with_token(frame.select(*columns), columns)
            return int(fetch(chosen.select(nw.col("digest").sum().cast(nw.Int64)))["digest"][0])
        total = 0
        for part in brought(frame, columns, rows(frame)):
            view = self._register(part)
            total += self.digest(self.of_query(f"SELECT * FROM {view}"), columns)  # noqa: S608 - a name of our own
            self.connection.unregister(view)
        return total


def _known(texts: Sequence[str | None]) -> str:
    """What is known of all rows of each file, in SQL."""
    written = ["NULL" if text is None else sql_text(text) for text in texts]
    one = len({*written}) == 1
    return f"CAST({written[0]} AS VARCHAR)" if one else f"[{', '.join(written)}][CAST(file_index AS BIGINT) + 1]"


def _quick(role: str) -> str:
    """The column with the numbers that were read quickly."""
    return f"{role}, read quickly"


def _quick_number(text: str, kind: Kind) -> str:
    """A column of text as numbers in SQL, null for what might be none by our rules: the engine also takes 1_0 and +-1."""
    odd = " OR ".join(f"contains({text}, {character})" for character in ("'_'", "'+'", "chr(11)"))
    number = f"TRY_CAST(CASE WHEN NOT ({odd}) THEN {text} END AS DOUBLE)"
    flags = f"CASE {text} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0"
    return number if kind == "number" else f"{flags} ELSE nullif({number}, CAST('NaN' AS DOUBLE)) END"


def _quickly_typed(role: str, schema: Mapping[str, Any], kind: Kind) -> nw.Expr:
    """A column as text or numbers; only what was not read quickly is looked at closely."""
    closely = typed(role, schema[role], kind)
    return nw.coalesce(nw.col(_quick(role)), closely) if _quick(role) in schema else closely


def _make(picked: Sequence[Picked], place: int) -> tuple[Any, ...]:
    """What sources that are read in one go have in common. It begins with 0 unless a source can only be read alone."""
    source = picked[place].source
    if not isinstance(source, File):
        return (place + 1,)
    # A column of this name would hide the engine's own.
    alone = place + 1 if "file_index" in source.columns and source.format == "parquet" else 0
    names = tuple(name or "" for name, _ in picked[place].columns.values())
    kept = (source.format, source.compression, source.columns, source.types, source.header, source.delimiter, source.quoted)
    return (alone, *map(str, kept), names, tuple(picked[place].known))


def _where_as_written(picked: Picked) -> Picked:
    """The same of its source, or of the file here where the cluster has another text for a value of it."""
    source = picked.source
    if not isinstance(source, ClusterFrame) or source.here is None:
        return picked
    texts = {name for name, kind in picked.columns.values() if kind == "text"}
    return replace(picked, source=source.here) if texts & source.rewritten else picked


def _on_cluster(source: ClusterFrame, picked: Picked, position: int) -> Frame:
    schema = source.frame.collect_schema()
    columns = (
        (nothing(kind) if name is None else typed(source.column(name), schema[source.column(name)], kind)).alias(role)
        for role, (name, kind) in picked.columns.items()
    )
    return source.frame.select(nw.lit(position).cast(nw.Int64).alias("source"), *columns)


def _is_local(frame: Frame) -> bool:
    return bool(frame.implementation.is_duckdb())


def _arrow(columns: Mapping[str, npt.NDArray[Any]]) -> Any:
    import pyarrow as pa  # noqa: PLC0415 - clusters' clients come with it

    # Texts and masked numbers go by lists, whose gaps are nulls; arrays of numbers go as they are.
    listed = {name: isinstance(column, np.ma.MaskedArray) or column.dtype.kind == "O" for name, column in columns.items()}
    kinds = {
        name: pa.string() if column.dtype.kind == "O" else pa.from_numpy_dtype(column.dtype) for name, column in columns.items()
    }
    return pa.table(
        {name: pa.array(column.tolist() if listed[name] else column, kinds[name]) for name, column in columns.items()}
    )


def fetch(frame: Frame, *, masks: bool = False) -> dict[str, npt.NDArray[Any]]:
    """The columns of a frame as arrays. What is missing is None among texts, NaN among numbers, masked among whole numbers; with
    ``masks`` it is masked everywhere."""
    if _is_local(frame):
        columns = frame.to_native().fetchnumpy()
    else:
        arrow = frame.to_native().toArrow()
        columns = {name: _from_arrow(arrow.column(name)) for name in arrow.column_names}
    return dict(columns) if masks else {name: _filled(column) for name, column in columns.items()}


def _from_arrow(column: Any) -> npt.NDArray[Any]:
    import pyarrow as pa  # noqa: PLC0415

    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type) or pa.types.is_null(column.type):
        return text_array(column.to_pylist())
    if not column.null_count:
        return np.asarray(column.to_numpy())
    filled = column.fill_null(0) if pa.types.is_integer(column.type) else column
    return np.ma.MaskedArray(filled.to_numpy(), column.is_null().to_numpy())


def _filled(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if not isinstance(column, np.ma.MaskedArray):
        return column
    if column.dtype.kind == "O":
        filled = np.array(column.data, dtype=object)
        filled[np.ma.getmaskarray(column)] = None  # filled(None) would write question marks
        return filled
    if column.dtype.kind == "f":
        return np.asarray(column.filled(np.nan))
    return column if np.ma.is_masked(column) else np.asarray(column.data)


def distinct(frame: Frame, *columns: str) -> Frame:
    """What stands in some columns, once each. Narwhals' own ``unique`` numbers all rows first, for which 100 million rows take
    4 GB and several times as long."""
    if _is_local(frame):
        return nw.from_native(frame.select(*columns).to_native().distinct())
    return frame.group_by(*columns).agg(nw.len().alias("times of each")).select(*columns)


def rows(frame: Frame) -> int:
    """How many rows there are."""
    return int(fetch(frame.select(nw.len().alias("rows")))["rows"][0])


def _column(file: File, name: str) -> str:
    """A column of a scan in SQL. In text files columns go by their place, so that no name can clash with anything."""
    place = file.places[name]
    match file.format:
        case "csv" | "tsv":
            return f"c{place}"
        case "jsonl":
            return f"(json ->> {sql_text(pointer(name))})"
        case _:
            return sql_name(file.engine_columns[place])


@contextmanager
def reading(sources: Sequence[Source]) -> Iterator[None]:
    """Turn the engine's error into ours: a second pass over the files finds the lines."""
    files = _files(sources)
    # Text on a cluster has been looked through before.
    there = [one for one in _files(one.here for one in sources if isinstance(one, ClusterFrame) and one.here) if one.is_binary]
    try:
        with watching(lambda: _about_rows(files), "rows", _share_done()):
            yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException as error:
        raise NotEnoughMemoryError(first_line(error)) from None
    except duckdb.Error as error:
        problems, total = _what_is_wrong(files)
        if not problems and not files:
            of_types = isinstance(error, duckdb.ConversionException | duckdb.InvalidTypeException | duckdb.BinderException)
            hint = "check the columns' types" if of_types else ""
            raise UsageError(say("the data cannot be read: {why}", why=first_line(error)), hint=hint) from None
        raise DataProblems(
            problems
            or [files[0].problem(0, say("cannot be read: {first_line}", first_line=first_line(error)), "is it damaged?")],
            total,
        ) from None
    except Exception as error:
        if not is_of_cluster(error):
            raise
        problems, total = ([], 0) if is_lost(error) else _what_is_wrong(there)
        if problems:
            raise DataProblems(problems, total) from error
        raise complaint(error, list(dict.fromkeys(one.shown for one in sources if isinstance(one, ClusterFrame)))) from error


def _files(sources: Iterable[Source]) -> list[File]:
    """The files among sources, and those that one is made of."""
    each = [part for source in sources for part in (source.files if isinstance(source, Parts) else (source,))]
    return [source for source in dict.fromkeys(each) if isinstance(source, File)]


@contextmanager
def asking() -> Iterator[None]:
    """Turn a cluster's error into ours, wherever in between it comes from."""
    try:
        yield
    except Exception as error:
        if not is_of_cluster(error):
            raise
        raise complaint(error) from error


def _what_is_wrong(files: Sequence[File]) -> tuple[list[Problem], int]:
    """Why files cannot be read, and in how many places. Each is tried by itself, with the columns that are asked for: what one of
    them lacks is no fault of the others, nor is what stands where nobody reads it."""
    engine = _AT_WORK.get()()
    asked = {} if engine is None else engine.read
    failing = dict(_unreadable(files, asked))
    problems, total = malformed(list(failing) or files)
    if problems:
        return problems, total
    hint = "is it damaged, or of another format?"
    problems = [file.problem(0, say("cannot be read: {why}", why=why), hint) for file, why in failing.items()]
    return problems, len(problems)


def _about_rows(files: Sequence[File]) -> int:
    """About how many rows some files have, found at once. 0 where nobody knows."""
    try:
        return sum(map(_about_rows_of, files))
    except (OSError, duckdb.Error):  # whoever reads the file says so
        return 0


def _about_rows_of(file: File) -> int:
    if file.format == "parquet":
        return parquet_rows(connected(), [file.path])
    size = file.path.stat().st_size
    with file.path.open("rb") as stream:
        stream.seek(size // 2)
        some = b"" if file.compression or file.format == "arrow" else stream.read(1 << 16)
    return size * some.count(b"\n") // max(1, len(some))


def _share_done() -> Callable[[], float]:
    """Says which share of its query the engine has done; below 0 where it is between queries, or there is none."""
    engine = _AT_WORK.get()()
    return (lambda: -1.0) if engine is None else engine.share_done


def _unreadable(files: Sequence[File], asked: Mapping[Source, Iterable[str]]) -> Iterator[tuple[File, str]]:
    """The files that the engine cannot get through, each by itself, with the columns that are asked for or with all."""
    for file in files:
        engine = Engine()
        columns = [f"max({_column(file, name)})" for name in asked.get(file) or filter(None, file.columns)]
        try:
            engine.connection.execute(f"SELECT {', '.join(columns)} FROM {engine._scan([file])}").fetchall()  # noqa: S608, SLF001
        except duckdb.Error as error:
            yield file, first_line(error)


def is_sound(source: Source) -> bool:
    """Whether the reader here can get through a file, or through all that are one table."""
    return not any(_unreadable(_files([source]), {}))


def malformed(files: Sequence[File]) -> tuple[list[Problem], int]:
    """Malformed rows: wrong length, not UTF-8, not JSON, other line ends than the first."""
    problems: list[Problem] = []
    total = 0
    for file in files:
        try:
            faults = [*_faults(file)]
        except DataProblems as error:
            faults = list(error.problems)
        total += len(faults)
        problems += faults[: MOST_SHOWN - len(problems)]
    return problems, total


def _faults(file: File) -> Iterator[Problem]:
    for record in file.records():
        if wrong := record.wrong():
            yield file.problem(record.line, *wrong)
    if odd := file.odd_line_end():
        yield file.problem(
            odd, "this line ends differently from the first (LF and CRLF are mixed)", "save the file with one kind of line end"
        )
