"""Digests of rows that add up: the same whatever the order of rows, in memory and on a cluster, which returns their sums.

A row's digest is XXH64 of whole numbers one after the other, as Spark's ``xxhash64`` has it; a text among them is the first 60
bits of its MD5. Neither guards against somebody who wants two tables to have the same digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from metameasure.statistics.arrays import Integers
from metameasure.statistics.streams import Words

SEPARATOR = "\x1f"
HEX_DIGITS = 15
"""So many of a text's MD5 are its number."""
LOW_BITS = 32
"""A cluster adds up so many bits and those above them by themselves, so that no sum is too large."""
_PRIMES = tuple(
    np.uint64(prime)
    for prime in (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
)
_SEED = np.uint64(42)  # Spark's


def numbers_of(texts: Iterable[str]) -> Integers:
    """A number for each text."""
    md5 = hashlib.md5
    firsts = b"".join(md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()[:8] for text in texts)
    return (np.frombuffer(firsts, dtype=">u8") >> np.uint64(64 - 4 * HEX_DIGITS)).astype(np.int64)


def digested(*columns: Any) -> Words:
    """A digest of each row of columns of whole numbers or floats."""
    found = np.full(len(columns[0]), _SEED, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for column in columns:
            found = _of_number(_bits(column), found)
    return found


def _bits(column: Any) -> Words:
    array = np.asarray(column)
    return np.ascontiguousarray(array + 0.0 if array.dtype.kind == "f" else array.astype(np.int64)).view(np.uint64)


def _of_number(number: Words, seed: Words) -> Words:
    first, second, third, fourth, fifth = _PRIMES
    found = (seed + fifth + np.uint64(8)) ^ (_turned(number * second, 31) * first)
    found = _turned(found, 27) * first + fourth
    for shift, prime in ((33, second), (29, third)):
        found = (found ^ (found >> np.uint64(shift))) * prime
    return found ^ (found >> np.uint64(32))


def _turned(words: Words, by: int) -> Words:
    return (words << np.uint64(by)) | (words >> np.uint64(64 - by))


def summed(words: Words) -> int:
    """The sum of digests."""
    return int(words.sum(dtype=np.uint64))


def put_together(low: int, high: int) -> int:
    """The sum of digests whose lower and upper bits were added up by themselves."""
    return (low + (high << LOW_BITS)) % 2**64
