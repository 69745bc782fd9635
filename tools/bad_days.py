"""Bad days by the thousand: damaged files of every kind, and commands killed and interrupted at random moments.

    python tools/bad_days.py                       # as every night: 8,748 files, 108 kills, 108 interrupts
    python tools/bad_days.py --files 20 --kills 1  # a quick look
    python tools/bad_days.py --keep DIR            # keeps the files on which something went wrong

It prints the counts that docs/reliability.md has, and ends with status 1 where anything went wrong.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import fuzzing
import interrupting


def fuzzed(files: int, first: int, keep: str | None) -> fuzzing.Tally:
    """So many damaged files of every kind."""
    if not files:
        return fuzzing.Tally()
    with tempfile.TemporaryDirectory() as folder, fuzzing.Fuzzer(folder, keep) as fuzzer:
        for name, case in fuzzing.CASES.items():
            sound = case.sound()
            fuzzer.judge(name, sound, sound)
            fuzzer.fuzz(name, range(first, first + files))
            fuzzer.judge(name, sound, sound)  # the damaged ones have not put it out of action
            told = f"{name}: {fuzzer.tally.tried[name]} files, of which {fuzzer.tally.read[name]} are read"
            print(f"  {told}", file=sys.stderr, flush=True)
        return fuzzer.tally


def interrupted(trials: int, first: int) -> interrupting.Count:
    """Every command that writes, killed and interrupted so many times."""
    if not trials:
        return interrupting.Count()
    with tempfile.TemporaryDirectory() as folder, interrupting.Interrupter(folder) as interrupter:
        for name in interrupting.COMMANDS:
            for kill in (signal.SIGKILL, signal.SIGINT):
                for seed in range(first, first + trials):
                    interrupter.trial(name, kill, seed)
        return interrupter.count


def report(tally: fuzzing.Tally, count: interrupting.Count) -> bool:
    """The counts as a table; whether nothing went wrong."""
    tried, read = sum(tally.tried.values()), sum(tally.read.values())
    rows = [
        ("files tried", f"{tried:,}, of {len(tally.tried)} kinds"),
        ("refused with a clean error", f"{tried - read - len([one for one in tally.findings if one[0] not in _READ]):,}"),
        ("read, with the values of the naive reader", f"{read - len([one for one in tally.findings if one[0] in _READ]):,}"),
        ("read with other values", len([one for one in tally.findings if one[0] in _READ])),
        ("crashes", len(tally.found("crash"))),
        ("internal errors", len(tally.found("internal error"))),
        ("longer than a minute", len(tally.found("hang"))),
        ("other errors that are not clean", len(tally.found("no clean error"))),
        ("most memory", f"{tally.megabytes} MB"),
        ("kill -9 at random moments", count.tried["SIGKILL"]),
        ("SIGINT at random moments", count.tried["SIGINT"]),
        ("of these, while the command was at work", count.during),
        ("partial files", len(count.partial)),
        ("tracebacks", len(count.traces)),
        ("exit statuses other than 0, 130 and the signal's", len(count.statuses)),
    ]
    print("| what | how many |\n|---|--:|")
    for what, number in rows:
        print(f"| {what} | {number} |")
    wrong = [*tally.findings, *count.partial, *count.traces, *count.statuses]
    for one in wrong[:50]:
        print(one, file=sys.stderr)
    return not wrong


_READ = ("other values", "read by ours alone")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=484, help="how many damaged files of every kind")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first file, and of the first kill")
    parser.add_argument("--kills", type=int, default=12, help="how many kills, and interrupts, of every command")
    parser.add_argument("--keep", metavar="DIR", help="where to keep the files on which something went wrong")
    given = parser.parse_args()
    start = time.monotonic()
    count = interrupted(given.kills, given.first)
    tally = fuzzed(given.files, given.first, given.keep)
    fine = report(tally, count)
    print(
        f"{time.monotonic() - start:.0f} s; the slowest file took {tally.slowest[0]:.1f} s ({tally.slowest[1]})", file=sys.stderr
    )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
