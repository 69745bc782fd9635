"""What people name by mistake: files that are no tables, told by their first bytes or by what an archive holds."""

from __future__ import annotations

from collections.abc import Collection

WORKBOOK = "[Content_Types].xml"
"""What an archive holds that is an Excel workbook."""
FACTS = "facts.npy"
"""What an archive holds that is evidence, which ``count`` has written: its facts."""
_PACKED = "unpack it, or pack it with gzip or zstd"
NO_TABLES = {
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "export it as CSV"),
    b"%PDF": ("a PDF", "name the data it was made from"),
    b"\x89PNG": ("a picture", "name the data it was made from"),
    b"\xfd7zX": ("a file packed with xz", _PACKED),
    b"7z\xbc\xaf": ("an archive of 7-Zip", _PACKED),
}
"""What a file is whose first four bytes are these, and what to do."""


def no_table_in(members: Collection[str]) -> tuple[str, str]:
    """What a ZIP archive of these members is, and what to do; of none, where it is damaged."""
    if WORKBOOK in members:
        return "an Excel workbook", "export it as CSV"
    if FACTS in members:
        return "evidence", "name the gold and the runs that it was counted from"
    return "a ZIP archive" if members else "a ZIP archive that is damaged or cut short", "unpack it, and name the files in it"
