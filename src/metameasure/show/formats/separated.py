"""Comma- and tab-separated values, for programs."""

from __future__ import annotations

import csv
import io
from functools import partial

from metameasure.show.table import OutputFormat, Table


def _separated(table: Table, delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([table.columns, *table.rows])
    return text.getvalue()


CSV = OutputFormat("csv", partial(_separated, delimiter=","), exact=True, place=3)
TSV = OutputFormat("tsv", partial(_separated, delimiter="\t"), exact=True, place=4)
