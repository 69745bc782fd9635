"""A jcml file of 20,000 segments with five items each, read by us and by xml.dom.minidom, as RankEval read it.

Ours checks ranks, repeated items and what is missing, and brings all into one order; minidom's side only builds the tree and
picks gold and the two runs out of it. Each reads in a process of its own, which times the reading alone; memory is the most that
process held above what the same process holds after reading a file of one segment.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from harness import agree, compared, machine, print_table, process

GOLD, RUNS = "rank", ("predicted", "baseline")
FASTER, MEMORY = 10, 100
WORDS = "the slopes will be sold out this Christmas if snow falls within a week says the owner of a hotel near Janske".split()  # noqa: SIM905


def write(path: Path, segments: int, items: int) -> None:
    """Segments with the attributes that a quality estimation set has: ranks, predictions and features."""
    draw = random.Random(0)  # noqa: S311 - made-up data

    def text() -> str:
        return " ".join(draw.choices(WORDS, k=18))

    with path.open("w", encoding="utf-8") as stream:
        stream.write('<?xml version="1.0" ?><jcml>\n')
        for segment in range(1, segments + 1):
            judge = draw.randrange(200)
            stream.write(f'\t<judgedsentence document_id="news" id="{segment}" judge_id="j{judge}" segment_id="{segment}">\n')
            stream.write(f"\t\t<src>\n\t\t\t{text()}\n\t\t</src>\n")
            for item in range(1, items + 1):
                ranks = " ".join(f'{name}="{draw.randint(1, items)}"' for name in (GOLD, *RUNS))
                features = " ".join(f'feature{place}="{draw.random():.6f}"' for place in range(1, 7))
                stream.write(f'\t\t<tgt {ranks} system="system{item}" {features}>\n\t\t\t{text()}\n\t\t</tgt>\n')
            stream.write("\t</judgedsentence>\n")
        stream.write("</jcml>\n")


def ours(path: Path) -> tuple[float, list[float]]:
    from metameasure.evidence.ranking_reader import RankingOptions  # noqa: PLC0415
    from metameasure.evidence.ranking_reader import read_rankings as from_files  # noqa: PLC0415 - not in the other's process

    start = time.perf_counter()
    rankings = from_files(path, None, RankingOptions(run_columns=RUNS))
    taken = time.perf_counter() - start
    return taken, [
        float(rankings.gold.sum()),
        *rankings.predicted.sum(axis=1).tolist(),
        float((rankings.gold == rankings.predicted[0]).sum()),
    ]


def minidom(path: Path) -> tuple[float, list[float]]:
    from xml.dom.minidom import parse  # noqa: PLC0415 - the peer

    start = time.perf_counter()
    rankings = []
    for sentence in parse(str(path)).getElementsByTagName("judgedsentence"):  # noqa: S318 - a file of our own
        targets = sentence.getElementsByTagName("tgt")
        rankings.append([[float(target.getAttribute(name)) for target in targets] for name in (GOLD, *RUNS)])
    taken = time.perf_counter() - start
    same = sum(a == b for gold, first, _ in rankings for a, b in zip(gold, first, strict=True))
    return taken, [*(float(sum(sum(ranking[place]) for ranking in rankings)) for place in range(3)), float(same)]


READERS: dict[str, Callable[[Path], tuple[float, list[float]]]] = {"ours": ours, "minidom": minidom}


def measured(reader: str, path: Path) -> tuple[float, float, list[float]]:
    """Seconds of reading, the process's peak in MB, and sums to compare."""
    ended = process([sys.executable, __file__, "--child", reader, str(path)])
    taken, sums = json.loads(ended.printed)
    return taken, ended.megabytes, sums


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segments", type=int, default=20_000, help="(default: %(default)s)")
    parser.add_argument("--items", type=int, default=5, help="items of each segment (default: %(default)s)")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many (default: %(default)s)")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(READERS[options.child[0]](Path(options.child[1]))))
        return
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        large, small = Path(folder) / "large.jcml", Path(folder) / "small.jcml"
        write(large, options.segments, options.items)
        write(small, 1, options.items)
        size = large.stat().st_size / 1e6
        start_up = {name: measured(name, small)[1] for name in READERS}
        found = {name: measured(name, large) for name in READERS}
        agree("sums of ranks", found["ours"][2], found["minidom"][2], within=0)
        for _ in range(options.repeat - 1):
            for name in READERS:
                taken, peak, _ = measured(name, large)
                found[name] = (min(found[name][0], taken), min(found[name][1], peak), found[name][2])
    above = {name: found[name][1] - start_up[name] for name in READERS}
    taken, theirs, ratio = compared(found["ours"][0], found["minidom"][0])
    print(f"Best of {options.repeat}; ranks agree")
    print_table(
        f"jcml, {options.segments:,} segments of {options.items} items, {size:,.0f} MB",
        ("what", "seconds", "faster", "goal", "MB above start-up", "goal"),
        [
            ("ours, checked and in order", taken, ratio, f">= {FASTER} x", f"{above['ours']:,.0f}", f"< {MEMORY}"),
            ("minidom", theirs, "-", "-", f"{above['minidom']:,.0f}", "-"),
        ],
    )


if __name__ == "__main__":
    main()
