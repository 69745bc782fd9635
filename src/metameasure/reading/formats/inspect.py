"""Logs of Inspect: ``.eval``, an archive of which only the header and the summaries of samples are read, and JSON.

Members of an archive are compressed with Zstandard (method 93 of ZIP, which Python knows from 3.14 on) or deflated. Values C, P,
I and N are 1, .5, 0 and 0; an object has a measure for each key. Each epoch is a repeat; a sample that ended in an error has no
score."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from metameasure.core.choices import Better
from metameasure.core.messages import note, say
from metameasure.core.notes import counted
from metameasure.reading.files import Beginning, File
from metameasure.reading.formats import Format
from metameasure.reading.harness import (
    asked,
    asked_of,
    each,
    fetched,
    finished,
    json_rows,
    json_whole,
    listed,
    mapping,
    number,
    odd,
    parquet_rows,
    projected,
    query,
    structure,
    told,
)
from metameasure.reading.json_lines import COMPRESSIONS, pointer
from metameasure.reading.on_disk import check_expansion, literal_path, readable, sql_name, sql_text
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source
from metameasure.reading.zstandard import is_whole

_HEADER, _START, _SUMMARIES, _PARTS = "header.json", "_journal/start.json", "summaries.json", "_journal/summaries/"
_ENDING, _ZSTANDARD = ".eval", 93
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_LOG = {"status", "eval"}


@dataclass(frozen=True)
class _Header:
    """What a log says of itself."""

    said: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        return mapping(self.said.get("eval")).get(key)

    @property
    def status(self) -> str:
        return str(self.said.get("status") or "started")

    def samples(self) -> list[str]:
        """The ids of all samples that there were to be."""
        return [str(one) for one in listed(mapping(self["dataset"]).get("sample_ids"))]

    def epochs(self) -> int:
        epochs = mapping(self["config"]).get("epochs")
        return epochs if isinstance(epochs, int) and epochs > 0 else 1

    def cluster(self) -> str | None:
        """The metadata by which the log itself clusters its standard errors."""
        for scorer in listed(self["scorers"]):
            for metric in _metrics(mapping(scorer).get("metrics")):
                cluster = mapping(metric.get("options")).get("cluster")
                if cluster:
                    return str(cluster)
        return None

    def is_accuracy(self, scorer: str) -> bool:
        """Whether the accuracy of a scorer's values is computed: then they say what is right."""
        own = [mapping(one) for one in listed(self["scorers"]) if mapping(one).get("name") == scorer]
        return any(str(metric.get("name")).endswith("accuracy") for one in own for metric in _metrics(one.get("metrics")))

    def apart(self) -> str:
        arguments = [*mapping(self["task_args"]).items(), *mapping(self["model_args"]).items()]
        return told((*arguments, ("solver", self["solver"]), ("created", self["created"])))

    def aggregates(self) -> str:
        """What it says of all samples together."""
        scores = listed(mapping(self.said.get("results")).get("scores"))
        metrics = [one for score in scores for one in mapping(mapping(score).get("metrics")).items()]
        found = [(name, mapping(one).get("value")) for name, one in metrics]
        return ", ".join(f"{name} {value:.4g}" for name, value in found[:3] if isinstance(value, int | float))


def _metrics(metrics: Any) -> Iterator[Mapping[str, Any]]:
    """The metrics of a scorer: in a list, or by the keys of its value."""
    if isinstance(metrics, Mapping):
        for some in metrics.values():
            yield from _metrics(some)
    else:
        yield from (one for one in listed(metrics) if isinstance(one, Mapping))


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return _is_archive(beginning) or beginning.has_keys(options, _LOG) or beginning.name.endswith(_ENDING)


def _is_archive(beginning: Beginning) -> bool:
    return _HEADER in beginning.members or _START in beginning.members


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    if beginning.name.endswith(_ENDING) and not _is_archive(beginning):
        cut = beginning.start == b"PK\x03\x04" and not beginning.members
        what = "this log of Inspect is damaged or cut short" if cut else "this is no log of Inspect, although its name says so"
        raise beginning.error(0, what, "copy it again, or name a log that Inspect has written")
    header = _header(beginning, scratch)
    metadata = tuple(dict.fromkeys([*asked(options), *filter(None, [_own_cluster(header, options)])]))
    samples = projected(beginning, _samples(beginning, metadata, scratch), scratch)
    pointers = _pointers(samples)
    if not pointers:
        raise _nothing_scored(beginning, header)
    absent = [] if metadata else sorted({*header.samples()} - set(_ids(samples)))
    file = projected(beginning, _query(samples, header, pointers, metadata, absent, _own_cluster(header, options)), scratch)
    file = finished(file)
    notes = (*file.notes, *_about(beginning, header, len(_ids(samples))), *_clustered(beginning, header, options))
    return replace(file, apart=header.apart(), better=_better(samples, header, pointers), notes=notes)


def _header(beginning: Beginning, scratch: Path) -> _Header:
    if not beginning.members:
        keys = dict.fromkeys(("status", "eval", "results", "invalidated"), "JSON")
        values = _only(beginning, query(json_whole(beginning, keys), {key: key for key in keys}))
        return _Header({key: json.loads(value) for key, value in zip(keys, values, strict=True) if value is not None})
    name = _HEADER if _HEADER in beginning.members else _START
    path, compression = _unpacked(beginning, name, scratch)
    (text,) = _only(beginning, f"SELECT json FROM {_objects(path, compression)}")  # noqa: S608
    return _Header(mapping(json.loads(text)))


def _only(beginning: Beginning, text: str) -> tuple[Any, ...]:
    """The one row that a query gives."""
    rows = fetched(beginning, text)
    if len(rows) != 1:
        raise beginning.error(0, "this log of Inspect is damaged or cut short", "write or copy it again")
    return rows[0]


def _objects(path: Path, compression: str) -> str:
    packed = COMPRESSIONS[compression]
    return f"read_json_objects({sql_text(literal_path(path))}, format = 'unstructured', compression = '{packed}')"


def _unpacked(beginning: Beginning, member: str, scratch: Path) -> tuple[Path, str]:
    """A member of the archive as a file, and how that is compressed. DataProblems where it is damaged."""
    target = scratch / f"member-{len(list(scratch.iterdir()))}.json"
    with readable(beginning.shown), zipfile.ZipFile(beginning.path) as archive:
        found = archive.getinfo(member)
        check_expansion(beginning.path, found.file_size)
        if found.compress_type != _ZSTANDARD:
            try:
                target.write_bytes(archive.read(member))
            except (zipfile.BadZipFile, NotImplementedError) as error:
                raise OSError(f"{member}: {error}") from None
            return target, ""
        with beginning.path.open("rb") as stream:
            target.write_bytes(_raw(stream, found))
        if not is_whole(target):
            raise EOFError
    return target, "zst"


def _raw(stream: IO[bytes], found: zipfile.ZipInfo) -> bytes:
    """A member as it is in the archive, behind its own header (APPNOTE of ZIP, 4.3.7)."""
    stream.seek(found.header_offset)
    local = stream.read(30)
    if len(local) < 30:
        raise EOFError
    name, extra = struct.unpack("<HH", local[26:30])
    stream.seek(name + extra, 1)
    return stream.read(found.compress_size)


def _samples(beginning: Beginning, metadata: Sequence[str], scratch: Path) -> str:
    """The samples' ids, epochs and scores, and the metadata that are asked for."""
    types = {"id": "JSON", "epoch": "BIGINT", "scores": "JSON", "score": "JSON"}
    if metadata:
        types["metadata"] = structure(dict.fromkeys(metadata, "VARCHAR"))
    one_score = "CASE WHEN score IS NOT NULL THEN json_object('score', score) END"
    columns = {"line": "0", "item": "id ->> '$'", "epoch": "coalesce(epoch, 1)", "scores": f"coalesce(scores, {one_score})"}
    columns |= {name: f"metadata.{sql_name(name)}" for name in metadata}
    if not beginning.members:
        rows = json_whole(beginning, {"samples": f"{structure(types)}[]"})
        return query(f"(SELECT one.* FROM (SELECT unnest(samples) AS one FROM {rows}))", columns)  # noqa: S608
    parts = [name for name in beginning.members if name.startswith(_PARTS)]
    names = [_SUMMARIES] if _SUMMARIES in beginning.members else parts
    if not names:
        raise beginning.error(0, "this log of Inspect holds no samples", "let the evaluation finish, or run it again")
    unpacked = [_unpacked(beginning, name, scratch) for name in names]
    return " UNION ALL ".join(
        query(json_rows(path, types, compression=packed, lines=False), columns) for path, packed in unpacked
    )


def _ids(samples: File) -> list[str]:
    return [item for (item,) in asked_of(samples, f"SELECT DISTINCT item FROM {parquet_rows(samples.path)}")]  # noqa: S608


def _pointers(samples: File) -> dict[str, str]:
    """Measures, and where their values stand in a sample's scores. A value that is an object or a list has several."""
    rows = parquet_rows(samples.path)
    keys = f"SELECT DISTINCT unnest(json_keys(scores)) FROM {rows} WHERE json_type(scores) = 'OBJECT'"  # noqa: S608
    pointers: dict[str, str] = {}
    for (scorer,) in sorted(asked_of(samples, keys)):
        value = f"{pointer(scorer)}/value"
        cell = f"scores -> {sql_text(value)}"
        inside = (
            f"CASE json_type({cell}) WHEN 'OBJECT' THEN json_keys({cell}) "
            f"WHEN 'ARRAY' THEN [i::VARCHAR FOR i IN range(json_array_length({cell})::BIGINT)] ELSE [NULL] END"
        )
        for (key,) in sorted(asked_of(samples, f"SELECT DISTINCT unnest({inside}) FROM {rows}"), key=str):  # noqa: S608
            name = scorer if key is None else f"{scorer}_{int(key) + 1}" if key.isdigit() else key
            if key is None and _has_parts(samples, cell):
                continue
            name = f"{scorer}_{key}" if name in pointers else name
            pointers[name] = value if key is None else value + pointer(key)
    return pointers


def _better(samples: File, header: _Header, pointers: Mapping[str, str]) -> dict[str, Better]:
    """That higher is better where values are called correct and incorrect, or their accuracy is computed."""
    known: dict[str, Better] = {}
    for name, place in pointers.items():
        scorer = place.split("/")[1].replace("~1", "/").replace("~0", "~")
        rows = parquet_rows(samples.path)
        lettered = f"SELECT count(*) FROM {rows} WHERE scores ->> {sql_text(place)} IN ('C', 'I', 'P', 'N')"  # noqa: S608
        if header.is_accuracy(scorer) or asked_of(samples, lettered)[0][0]:
            known[name] = "higher"
    return known


def _has_parts(samples: File, cell: str) -> bool:
    """Whether a scorer's values are objects or lists, but for samples without any."""
    kinds = {kind for (kind,) in asked_of(samples, f"SELECT DISTINCT json_type({cell}) FROM {parquet_rows(samples.path)}")}  # noqa: S608
    return bool(kinds & {"OBJECT", "ARRAY"}) and kinds <= {"OBJECT", "ARRAY", "NULL", None}


def _query(
    samples: File,
    header: _Header,
    pointers: Mapping[str, str],
    metadata: Sequence[str],
    absent: Sequence[str],
    cluster: str | None,
) -> str:
    cells = [f"(scores ->> {sql_text(place)})" for place in pointers.values()]
    columns = {
        "line": "0",
        "run": sql_text(str(header["model"] or "")),
        "topic": sql_text(str(header["task"] or "")),
        "item": "item",
        "repeat": "CAST(epoch AS VARCHAR)",
        "measure": each(map(sql_text, pointers)),
        "score": each(map(_value, cells)),
        "odd": each(f"(CASE WHEN {_value(cell)} IS NULL THEN {odd(cell)} END)" for cell in cells),
    }
    columns |= {"cluster": sql_name(cluster)} if cluster else {}
    columns |= {name: sql_name(name) for name in metadata}
    rows = parquet_rows(samples.path)
    if absent:  # what was to be evaluated and was not: in each epoch, without a score
        ids = ", ".join(map(sql_text, absent))
        none = f"SELECT 0 AS line, unnest([{ids}]) AS item, NULL AS scores"
        rows = f"(SELECT line, item, scores, epoch FROM {rows} UNION ALL SELECT line, item, scores, unnest(range(1, {header.epochs()} + 1)) FROM ({none}))"  # noqa: E501, S608
    return query(rows, columns)


def _value(text: str) -> str:
    letters = " ".join(f"WHEN {sql_text(letter)} THEN {value}" for letter, value in _LETTERS.items())
    written = f"CASE WHEN {text} IN ('C', 'P', 'I', 'N') THEN {text} ELSE lower({text}) END"
    return f"(CASE {written} {letters} ELSE {number(text)} END)"


def _own_cluster(header: _Header, options: ReadOptions) -> str | None:
    """The metadata by which the log clusters, unless the user names another."""
    named = dict(options.named)
    return None if "cluster" in named else header.cluster()


def _clustered(beginning: Beginning, header: _Header, options: ReadOptions) -> list[str]:
    cluster = _own_cluster(header, options)
    told_so = "{file}: items are clustered by {cluster}, as in the log's own standard errors"
    return [note("reading", told_so, file=beginning.shown, cluster=cluster)] if cluster else []


def _about(beginning: Beginning, header: _Header, there: int) -> list[str]:
    """What a reader should know of how the evaluation went."""
    notes: list[str] = []
    if header.status != "success":
        ended = "{file}: the evaluation did not finish (its status is '{status}'): {there} of {samples} are there"
        all_samples = counted(len(header.samples()) or there, "sample")
        notes.append(note("reading", ended, file=beginning.shown, status=header.status, there=there, samples=all_samples))
    if header.said.get("invalidated"):
        notes.append(note("reading", "{file}: the log is marked as invalidated", file=beginning.shown))
    return notes


def _nothing_scored(beginning: Beginning, header: _Header) -> Exception:
    known = header.aggregates()
    alone = say("this log of Inspect holds results of all samples together ({known}), but no sample", known=known)
    what = alone if known else say("this log of Inspect holds no scores (its status is '{status}')", status=header.status)
    return beginning.error(0, what, "name a log that holds samples with their scores")


def _attempt(beginning: Beginning, named: bool) -> tuple[str, tuple[bool, str]]:
    """Logs of one task are one evaluation that was tried again: the last one that finished counts."""
    if not _is_archive(beginning) and beginning.name.endswith(_ENDING):
        return str(beginning.path), (False, "")
    header = _peeked(beginning)
    return str(header["task_id"] or beginning.path), (header.status == "success", str(header["created"] or ""))


def _peeked(beginning: Beginning) -> _Header:
    import tempfile  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        return _header(beginning, Path(scratch))


FORMAT = Format(
    "inspect",
    "a log of Inspect",
    ("outcomes",),
    _recognises,
    _read,
    sides=("run",),
    endings=(_ENDING, ".json"),
    edition=_attempt,
)
