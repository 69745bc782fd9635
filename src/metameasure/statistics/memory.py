"""What the system's allocator does with memory that one step of a computation frees and the next one needs again."""

from __future__ import annotations

from functools import cache

# GNU's allocator learns from blocks of up to 32 MB.
_BLOCK = 30 << 20


@cache
def keep_freed_memory() -> None:
    """Free one large block, which nobody has written to. GNU's allocator, left to its defaults, takes from this that blocks of
    that size come and go, and keeps what arrays of some megabytes free; otherwise it hands memory back after each step, and half
    of the time goes into asking for it again. No setting is changed: where the host has set one, that stays."""
    import numpy as np  # noqa: PLC0415 - measures are listed without it

    np.empty(_BLOCK, np.uint8)
