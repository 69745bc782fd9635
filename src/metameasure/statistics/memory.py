"""What the system's allocator does with memory that one step of a computation frees and the next one needs again."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

# The numbers of these options in GNU's malloc.h.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3


@cache
def keep_freed_memory() -> None:
    """Let GNU's allocator keep what arrays of some megabytes have freed. Left to itself, it may hand memory back after each step,
    and half of the time goes into asking for it again."""
    with suppress(AttributeError, OSError, TypeError):  # other systems have other allocators
        allocator = ctypes.CDLL(None)
        for option, megabytes in ((_MMAP_THRESHOLD, 32), (_TRIM_THRESHOLD, 256)):
            allocator.mallopt(option, megabytes << 20)
