"""The text of a file in UTF-8 with plain line ends, whatever it was written in, as far as that is certain."""

from __future__ import annotations

import codecs
import io
import shutil
from pathlib import Path

from metameasure.cleaning.changes import Log
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.reading.files import Beginning
from metameasure.reading.on_disk import readable

_BLOCK = 1 << 20
# The marks that encodings begin with; those of UTF-32 first, because one of them begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_USUAL = (
    "latin-1",
    "cp1252",
    "utf-16-le",
    "utf-16-be",
    "mac-roman",
    "shift-jis",
    "gb18030",
    "big5",
    "euc-kr",
    "koi8-r",
    "cp1251",
)


def check_encoding(encoding: str | None) -> None:
    """UsageError for an unknown encoding."""
    if encoding is None:
        return
    try:
        io.TextIOWrapper(io.BytesIO(), encoding)
    except (LookupError, ValueError):
        raise UsageError(
            f"there is no encoding '{encoding}'", hint=did_you_mean(encoding, _USUAL) or "as in latin-1, cp1252 or utf-16-le"
        ) from None


def in_utf8(file: Beginning, encoding: str | None, log: Log, scratch: Path) -> Beginning:
    """The file with its text in UTF-8, and LF at the end of each line: itself where it is so, a copy where it was not.
    DataProblems where nobody says what it is written in."""
    with file.stream() as stream:
        start = stream.read(4)
    marked = next((name for mark, name in _MARKS if start.startswith(mark)), "")
    valid, returns, nuls = (False, True, False) if marked else _looked_through(file)
    if not marked and (nuls or not valid):
        if encoding is None:
            looks = " (it looks like UTF-16 or binary)" if nuls else ""
            raise file.error(
                0, say("the file is not UTF-8{looks}", looks=looks), say("say what it is, as in {--encoding latin-1}")
            )
        marked = encoding
    if start.startswith(codecs.BOM_UTF8):
        log.add("byte order mark")
    if marked:
        log.add("encoding", old=marked)
    if not marked and not returns and not start.startswith(codecs.BOM_UTF8) and not file.compression:
        return file
    copy = scratch / f"text-{len(list(scratch.iterdir()))}{_ending(file)}"
    _copy(file, marked or "utf-8-sig", copy, log)
    with copy.open("rb") as text:
        return Beginning(file.shown, copy, "", text.read(4))


def _ending(file: Beginning) -> str:
    return Path(file.name).suffix if Path(file.name).suffix.isascii() else ""


def _looked_through(file: Beginning) -> tuple[bool, bool, bool]:
    """Whether all bytes are UTF-8, and whether there are carriage returns and NUL bytes among them."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    valid, returns, nuls = True, False, False
    with file.stream() as stream:
        while valid and (block := stream.read(_BLOCK)):
            valid = _goes_on(decoder, block)
            returns, nuls = returns or b"\r" in block, nuls or b"\x00" in block
    return valid and _goes_on(decoder, b"", final=True), returns, nuls


def _goes_on(decoder: codecs.IncrementalDecoder, block: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(block, final)
    except UnicodeDecodeError:
        return False
    return True


def _copy(file: Beginning, encoding: str, copy: Path, log: Log) -> None:
    with readable(file.shown), file.opened() as stream, copy.open("w", encoding="utf-8", newline="\n") as target:
        text = io.TextIOWrapper(stream, encoding, "strict")
        try:
            shutil.copyfileobj(text, target, _BLOCK)
        except UnicodeError:
            raise file.error(0, say("the file is not {encoding}", encoding=encoding), "say what it is") from None
        ends = text.newlines
    named = {"\r\n": "CRLF", "\r": "CR"}
    others = [named[one] for one in ([ends] if isinstance(ends, str) else ends or ()) if one in named]
    if others:
        log.add("line ends", old=" and ".join(sorted(others)))
