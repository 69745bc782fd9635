"""Files that are one JSON value."""

from __future__ import annotations

import json
from typing import Any

from metameasure.formats.files import Beginning
from metameasure.values import repeated


def read_json(beginning: Beginning) -> Any:
    """What the file says; DataProblems where it is not JSON."""
    with beginning.stream() as stream:
        text = stream.read()
    try:
        return json.loads(text.decode("utf-8-sig"), object_pairs_hook=_once)
    except UnicodeDecodeError:
        raise beginning.error(0, "the file is not UTF-8", "save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise beginning.error(error.lineno, f"this is not JSON ({error.msg})", "write the file again") from None
    except ValueError as error:
        raise beginning.error(0, f"this is not JSON ({error})", "write the file again") from None
    except RecursionError:
        raise beginning.error(0, "the JSON is nested too deeply", "write the file again") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of a key that is there twice, readers disagree about which value counts."""
    held = dict(pairs)
    if len(held) < len(pairs):
        raise ValueError(f"'{repeated(key for key, _ in pairs)[0]}' is there twice")
    return held


def is_json(beginning: Beginning) -> bool:
    """Whether the file is called JSON, compressed or not."""
    return beginning.name.endswith(".json")
