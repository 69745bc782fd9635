"""JSON lines in SQL: the values of some keys, as texts, each line parsed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from metameasure.reading.files import File
from metameasure.reading.on_disk import literal_paths, sql_name, sql_text

COMPRESSIONS = {"": "uncompressed", "gz": "gzip", "zst": "zstd"}
_OWN_COLUMNS = frozenset({"file_index", "file_row_number", "filename"})


def pointer(name: str) -> str:
    """A JSON pointer to a key, in which quotes and stars are letters like any other."""
    return "/" + name.replace("~", "~0").replace("/", "~1")


def objects_of_lines(files: Sequence[File]) -> str:
    """A FROM item over the lines, as JSON."""
    paths, compression = literal_paths(file.path for file in files), COMPRESSIONS[files[0].compression]
    return f"read_json_objects({paths}, format = 'newline_delimited', compression = '{compression}')"


def keys_of_lines(files: Sequence[File], wanted: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The columns of some keys, by role, and the columns that they were chosen from."""
    if _are_names_of_engine(wanted.values()):  # parsed once, as it is read
        return {role: sql_name(name) for role, name in wanted.items()}, _typed_scan(files, wanted.values())
    pointers = ", ".join(sql_text(pointer(name)) for name in wanted.values())  # in one go: each function parses it again
    found = f"(SELECT file_index, json_extract_string(json, [{pointers}]) AS found FROM {objects_of_lines(files)})"  # noqa: S608
    return {role: f"found[{place}]" for place, role in enumerate(wanted, start=1)}, found


def _are_names_of_engine(names: Iterable[str]) -> bool:
    """Whether keys can be columns of the engine, to which names that differ by case alone are one, and which has some of its
    own."""
    lower = [name.lower() for name in names]
    return len(set(lower)) == len(lower) and not _OWN_COLUMNS & set(lower) and "" not in lower


def _typed_scan(files: Sequence[File], names: Iterable[str]) -> str:
    columns = ", ".join(f"{sql_text(name)}: 'VARCHAR'" for name in dict.fromkeys(names))
    return (
        f"read_json({literal_paths(file.path for file in files)}, format = 'newline_delimited', records = 'true', "
        f"compression = '{COMPRESSIONS[files[0].compression]}', columns = {{{columns}}})"
    )
