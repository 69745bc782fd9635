"""Files that are one JSON value."""

from __future__ import annotations

import json
from typing import Any

from metameasure.formats.inspection import Beginning, uncompressed
from metameasure.formats.problems import DataProblems


def read_json(beginning: Beginning) -> Any:
    """What the file says; DataProblems where it is not JSON."""
    problem = beginning.problem
    try:
        with uncompressed(beginning.shown, beginning.path) as stream:
            text = stream.read()
        return json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DataProblems([problem(0, "the file is not UTF-8", "save it as UTF-8")]) from None
    except json.JSONDecodeError as error:
        raise DataProblems([problem(error.lineno, f"this is not JSON ({error.msg})", "write the file anew")]) from None
    except DataProblems:
        raise
    except ValueError as error:
        raise DataProblems([problem(0, f"this is not JSON ({error})", "write the file anew")]) from None
    except RecursionError:
        raise DataProblems([problem(0, "the JSON is nested too deeply", "write the file anew")]) from None


def is_json(beginning: Beginning) -> bool:
    """Whether the file is called JSON, compressed or not."""
    return beginning.shown.lower().removesuffix(".gz").removesuffix(".zst").endswith(".json")
