"""Outcomes from JSON lines of two kilobytes each, as harnesses write them: evaluated here, and by DuckDB's own reader of the same
columns. Each in a process of its own, files warm; seconds of processor time, and the most memory.

python benchmarks/outcomes.py [--samples 1000000]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

OURS = """
import resource, sys, time
import metameasure as mm
mm.evaluate({"a": [1, 0]}, task="outcomes")
start = time.process_time()
found = mm.evaluate(sys.argv[1], task="outcomes")["model"]["mean"]
print(found, time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
"""
PEER = """
import resource, sys, time
import duckdb
connection = duckdb.connect()
connection.sql("SELECT 1").fetchall()
start = time.process_time()
columns = "{run: 'VARCHAR', item: 'VARCHAR', score: 'BOOLEAN'}"
read = f"read_json('{sys.argv[1]}', format = 'newline_delimited', columns = {columns})"
rows = connection.sql(f"SELECT run, item, CAST(score AS DOUBLE) AS score FROM {read}").fetchnumpy()
print(rows["score"].mean(), time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
"""


def write(path: Path, samples: int) -> None:
    """Samples with a prompt and a document beside the score."""
    padding = "x" * 1700
    with path.open("w", encoding="utf-8") as file:
        for item in range(samples):
            sample = {
                "run": "model",
                "item": item,
                "score": item % 3 == 0,
                "prompt": f"{padding}{item}",
                "doc": {"q": "abc" * 40},
            }
            file.write(json.dumps(sample) + "\n")


def measured(program: str, path: Path) -> tuple[float, float, float]:
    """The mean score, the seconds and the gigabytes of a program on the file."""
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    found, seconds, memory = map(float, done.stdout.split())
    return found, seconds, memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=1_000_000)
    samples = parser.parse_args().samples
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.jsonl"
        write(path, samples)
        results = {name: measured(program, path) for name, program in (("DuckDB read_json", PEER), ("metameasure", OURS))}
    for name, (found, seconds, memory) in results.items():
        print(f"{name:17}  {seconds:6.2f} s  {memory:5.2f} GB  mean {found:.4f}")
    print(f"{results['metameasure'][1] / results['DuckDB read_json'][1]:.1f} times the reader's own time")


if __name__ == "__main__":
    main()
