"""Settings in a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError


def read_toml(path: str | Path, hint: str, example: str) -> dict[str, Any]:
    """The contents of a TOML file; UsageError if it is missing or not valid TOML: the ``hint`` says what to name, the
    ``example`` what a line looks like."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no file '{path}'", hint=hint) from None
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}", hint="name a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"'{path}' is not TOML: {error}", hint=f"as in {example}") from None
