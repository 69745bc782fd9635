"""The ledger: how often intervals hold the truth and tests find what is not there, as rows with their standard errors.

A simulation is of one world and one size, and may be about several methods and measures at once: each is a row. Data sets are
made in blocks, each with a random stream of its own, so that a row can be made longer later and any block made again.
"""

from __future__ import annotations

import json
import math
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

LEDGER = Path(__file__).parent / "error_rates.json"
ENOUGH = 2000
"""Repetitions of a row that counts."""
MOST_TIMES = 4
"""How many times as many data sets are made at most, where some have no interval."""
MOST_ERROR = 0.065
LEAST_COVERAGE = 0.92
BLOCK = 250
METHOD_LIMITS = {
    "interval/items/both": "fewer than 100 items, or a class of fewer than 10: some measures are held a little less often",
    "interval/items/left-out": "a mean over labels, one of which has fewer than 10 items: too short",
    "interval/bootstrap/topics": "the bootstrap over few topics, or of a skewed measure: too short; choose --interval auto",
    "interval/bootstrap/items": "the bootstrap over few items, or with rare classes: too short; choose --interval auto",
    "interval/bootstrap/clusters": "the bootstrap over clusters: too short; choose --interval auto",
    "interval/bayes/items": "the credible interval alone, with few items or rare classes: too short; choose --interval auto",
    "interval/agreement/auto": "fewer than 10 items with any class but one: the interval of alpha is somewhat too short",
    "interval/agreement/bootstrap": "the bootstrap over few items, or with a rare class: too short; choose --interval auto",
    "interval/agreement/gwet": "Gwet's variance with few items, or with a rare class: too short; choose --interval auto",
    "ranks/normal": "normal draws of the means of few topics: too many differences are found",
    "ranks/bootstrap": "percentiles of bootstrapped ranks: not all of them hold at once, and close runs change places at random",
    "test/not-significant": "a difference that is not significant may be large: no gate",
    "test/gate-uncorrected": "five questions, each with an error of its own: one of them errs far more often",
    "test/metrics/perm-both": "metrics that favour whole systems: their cells are not exchangeable one by one; too much is found",
    "test/judges/alt-test": "items in clusters, which the alt-test takes one by one: too many people are beaten",
    "interval/judges/difference": "fewer than 50 items: the interval of a judge's difference from people is somewhat too short",
}
"""What is said of a method, whatever the world, where it does not hold."""

OTHERS = frozenset({"ranks/bootstrap", "ranks/normal", "test/not-significant", "test/gate-uncorrected"})
"""Methods that the program does not have, for comparison."""
POWER = frozenset({"power/stepwise", "power/tukey", "power/permutation", "power/maxt"})
"""How often what is there is found. Only that of the default test is promised, by ``design``."""

Hits = Mapping[tuple[str, str], Any]
"""By method and measure, for each data set: 1 where the interval holds the truth, or the test finds what is not there; 0 where
not; NaN where there is no interval. What stands under a method's name with ``WORTH`` behind it is beside its rate: how many times
as much data it saves."""
WORTH = "/worth"


@dataclass(frozen=True)
class Simulation:
    """Data sets of one kind. ``used`` are the methods that were chosen by worlds such as this one; a row of them here says
    nothing new. ``limit`` says what a reader must know, by the beginning of method and measure."""

    world: str
    task: str
    units: str
    size: str
    hits: Callable[[np.random.Generator, int], Hits]
    used: tuple[str, ...] = ()
    limit: Mapping[str, str] = field(default_factory=dict)
    nominal: Mapping[str, float] = field(default_factory=dict)
    repetitions: int = ENOUGH
    needs: Path | None = None
    """Real data, without which the rows stay as they are."""

    @property
    def name(self) -> str:
        return f"{self.task}, {self.world}, {self.size}"

    def block(self, number: int, data_sets: int) -> Hits:
        """One block of data sets, the same whenever it is made."""
        return self.hits(np.random.default_rng([zlib.crc32(self.name.encode()), number]), data_sets)

    def rows(self, repetitions: int | None = None) -> list[dict[str, Any]]:
        """The rows of the ledger."""
        wanted = repetitions or self.repetitions
        size = min(BLOCK, wanted)
        found: dict[tuple[str, str], list[Any]] = {}
        for number in range(MOST_TIMES * math.ceil(wanted / size)):
            for key, hits in self.block(number, size).items():
                found.setdefault(key, []).append(np.asarray(hits, dtype=float))
            if fewest_known(found) >= wanted:
                break
        every = {key: np.concatenate(hits) for key, hits in found.items()}
        rows = [
            self._row(*key, hits) for key, hits in every.items() if not key[0].endswith(WORTH) and not np.isnan(hits).all()
        ]  # of no interval there is no rate
        worth = {key: round(float(np.nanmean(found)), 2) for key, found in every.items() if key[0].endswith(WORTH)}
        keys = [(row["method"] + WORTH, row["measure"]) for row in rows]
        return [row | ({"worth": worth[key]} if key in worth else {}) for row, key in zip(rows, keys, strict=True)]

    def _row(self, method: str, measure: str, hits: Any) -> dict[str, Any]:
        known = hits[~np.isnan(hits)]
        rate, number = float(known.mean()), len(known)
        spread = max(float(known.std()), math.sqrt(rate * (1 - rate)), math.sqrt(1 / number * (1 - 1 / number)))
        row = {
            "id": row_id(method, self.world, self.size, measure),
            "method": method,
            "measure": measure,
            "world": self.world,
            "task": self.task,
            "units": self.units,
            "size": self.size,
            "nominal": self.nominal.get(method, _usual(method)),
            "rate": round(rate, 4),
            "se": round(spread / math.sqrt(number), 4),
            "repetitions": number,
            "without": round(float(np.isnan(hits).mean()), 4),
        }
        return row | self.said_of(row)

    def said_of(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """What the list of simulations says of a row: whether its world had a say in the choice of the method, and where it is
        outside its band its limit, that of the world or else that of the method."""
        name = f"{row['method']} {row['measure']}"
        said = [text for limits in (self.limit, METHOD_LIMITS) for start, text in limits.items() if name.startswith(start)]
        return {
            "unseen": not any(row["method"].startswith(one) for one in self.used),
            "limit": "" if in_band(row) else next(iter(said), ""),
        }


def _usual(method: str) -> float:
    """What a rate should be where a world says nothing else; of power nothing is promised."""
    return {"test": 0.05, "power": 0.0}.get(method.partition("/")[0], 0.95)


def fewest_known(found: Mapping[tuple[str, str], Iterable[Any]]) -> int:
    """Data sets that count, of the row with fewest. Where there never is an interval there is no row."""
    known = [sum(int((~np.isnan(hits)).sum()) for hits in blocks) for key, blocks in found.items() if not key[0].endswith(WORTH)]
    return min((number for number in known if number), default=0)


def row_id(method: str, world: str, size: str, measure: str) -> str:
    return "; ".join(part for part in (method, measure, world, size) if part)


def is_error(row: Mapping[str, Any]) -> bool:
    """Whether the rate is one of false findings, otherwise of intervals that hold the truth."""
    return bool(row["method"].startswith("test/"))


def in_band(row: Mapping[str, Any]) -> bool:
    """Whether a rate is what it should be, less two standard errors. One that should be other than .95 may be as much below."""
    if is_error(row):
        return bool(row["rate"] - 2 * row["se"] <= MOST_ERROR)
    return bool(row["rate"] + 2 * row["se"] >= row["nominal"] - (0.95 - LEAST_COVERAGE))


def enough(row: Mapping[str, Any], wanted: int = ENOUGH) -> bool:
    """Whether a row has as many repetitions as it takes, of data sets that have an interval; or as many data sets as are made
    where few have one."""
    made = row["repetitions"] / max(1e-9, 1 - row["without"])
    return bool(row["repetitions"] >= wanted or made >= MOST_TIMES * wanted - 2)


def read(path: Path = LEDGER) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text(encoding="utf-8"))["rows"]) if path.exists() else []


def write(rows: Iterable[Mapping[str, Any]], path: Path = LEDGER) -> None:
    """One row a line, in the order of their ids, so that a change shows."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in sorted(rows, key=lambda row: str(row["id"])))
    path.write_text(f'{{"rows": [\n{lines}\n]}}\n', encoding="utf-8")


def make(simulations: Iterable[Simulation], path: Path = LEDGER, *, repetitions: int | None = None, anew: bool = False) -> None:
    """The rows that are not there yet, or of fewer data sets (or all, ``anew``), each written as soon as it is known."""
    rows = {row["id"]: row for row in read(path)}
    for one in simulations:
        same = [row for row in rows.values() if (row["task"], row["world"], row["size"]) == (one.task, one.world, one.size)]
        if same and all(enough(row, repetitions or one.repetitions) for row in same) and not anew:
            rows |= {row["id"]: row | one.said_of(row) for row in same}  # what is said may have changed
            continue
        if one.needs is not None and not one.needs.exists():
            print(f"{one.name}: left out, for there is no {one.needs}", flush=True)
            continue
        start = time.process_time()
        made = one.rows(repetitions)
        rows |= {row["id"]: row for row in made}
        write(rows.values(), path)
        outside = ", ".join(f"{row['method']} {row['measure']} {row['rate']:.3f}" for row in made if not in_band(row))
        print(f"{one.name}: {len(made)} rows in {time.process_time() - start:.0f} s; outside: {outside or 'none'}", flush=True)
    write(rows.values(), path)


def check(simulations: Iterable[Simulation], repetitions: int, path: Path = LEDGER) -> list[str]:
    """What is wrong: rows outside their band without a limit, and rows that come out otherwise when they are made again."""
    rows = {row["id"]: row for row in read(path)}
    problems = [f"{id}: {row['rate']} is outside its band, and no limit is said" for id, row in rows.items() if not sound(row)]
    known = set()
    for one in simulations:
        if one.needs is not None and not one.needs.exists():
            known |= {
                id for id, row in rows.items() if (row["task"], row["world"], row["size"]) == (one.task, one.world, one.size)
            }
            continue
        for again in one.rows(repetitions):
            known.add(again["id"])
            before = rows.get(again["id"])
            if before is None:
                problems.append(f"{again['id']}: not in the ledger; run benchmarks/error_rates.py")
            elif abs(again["rate"] - before["rate"]) > 4.5 * math.hypot(again["se"], before["se"]):
                problems.append(f"{again['id']}: {again['rate']} now, {before['rate']} in the ledger")
    return [*problems, *(f"{id}: in the ledger, and nothing makes it" for id in sorted(rows.keys() - known))]


def sound(row: Mapping[str, Any]) -> bool:
    """Whether a row is in its band, or says what its limit is."""
    return in_band(row) or bool(row["limit"])
