"""Files that are one JSON value."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from metameasure.formats.files import Beginning, uncompressed
from metameasure.formats.problems import DataProblems


def read_json(beginning: Beginning) -> Any:
    """What the file says; DataProblems where it is not JSON."""
    problem = beginning.problem
    try:
        with uncompressed(beginning.shown, beginning.path) as stream:
            text = stream.read()
        return json.loads(text.decode("utf-8-sig"), object_pairs_hook=_once)
    except UnicodeDecodeError:
        raise DataProblems([problem(0, "the file is not UTF-8", "save it as UTF-8")]) from None
    except json.JSONDecodeError as error:
        raise DataProblems([problem(error.lineno, f"this is not JSON ({error.msg})", "write the file again")]) from None
    except DataProblems:
        raise
    except ValueError as error:
        raise DataProblems([problem(0, f"this is not JSON ({error})", "write the file again")]) from None
    except RecursionError:
        raise DataProblems([problem(0, "the JSON is nested too deeply", "write the file again")]) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of a key that is there twice, readers disagree about which value counts."""
    held = dict(pairs)
    if len(held) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"'{twice}' is there twice")
    return held


def is_json(beginning: Beginning) -> bool:
    """Whether the file is called JSON, compressed or not."""
    return beginning.shown.lower().removesuffix(".gz").removesuffix(".zst").endswith(".json")
