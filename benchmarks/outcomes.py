"""Outcomes from JSON lines of two kilobytes each, as harnesses write them: evaluated here, and by DuckDB's own reader of the same
columns. Each in a process of its own, files warm; seconds of processor time, and the most memory.

python benchmarks/outcomes.py [--samples 1000000]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from harness import process

OURS = """
import sys, time
import metameasure as mm
mm.evaluate({"a": [1, 0]}, task="outcomes")
start = time.process_time()
scores = mm.evaluate(sys.argv[1], task="outcomes")
print(scores["model"][scores.ids[0]], time.process_time() - start)
"""
PEER = """
import sys, time
import duckdb
connection = duckdb.connect()
connection.sql("SET enable_progress_bar = false")
start = time.process_time()
read = f"read_json('{sys.argv[1]}', format = 'newline_delimited', columns = {sys.argv[2]})"
rows = connection.sql(f"SELECT * FROM {read}").fetchnumpy()
print(rows[sys.argv[3]].mean(), time.process_time() - start)
"""
DATE = "2026-03-01T10-00-00.000001"


def plain(folder: Path, samples: int) -> tuple[Path, Path, str, str]:
    """Samples with a prompt and a document beside the score: what to evaluate, the file, its columns, and which is the score."""
    path, padding = folder / "samples.jsonl", "x" * 1700
    with path.open("w", encoding="utf-8") as file:
        for item in range(samples):
            beside = {"prompt": f"{padding}{item}", "doc": {"q": "abc" * 40}}
            file.write(json.dumps({"run": "model", "item": item, "score": item % 3 == 0, **beside}) + "\n")
    return path, path, "{run: 'VARCHAR', item: 'VARCHAR', score: 'BOOLEAN'}", "score"


def lm_eval(folder: Path, samples: int) -> tuple[Path, Path, str, str]:
    """The same in lm-eval's layout, with results beside."""
    path, padding = folder / "model" / f"samples_sums_{DATE}.jsonl", "x" * 750
    path.parent.mkdir()
    with path.open("w", encoding="utf-8") as file:
        for item in range(samples):
            digest = hashlib.sha256(str(item).encode()).hexdigest()
            sample = {
                "doc_id": item, "doc": {"question": f"{padding}{item}"}, "target": str(item),
                "arguments": {"gen_args_0": {"arg_0": padding, "arg_1": {"until": ["\n"]}}}, "resps": [["abc"]],
                "filtered_resps": ["abc"], "filter": "none", "metrics": ["exact_match"], "doc_hash": digest,
                "prompt_hash": digest, "target_hash": digest, "exact_match": float(item % 3 == 0),
            }  # fmt: skip
            file.write(json.dumps(sample) + "\n")
    said = {"results": {}, "configs": {}, "versions": {"sums": 1}, "higher_is_better": {"sums": {"exact_match": True}}}
    (path.parent / f"results_{DATE}.json").write_text(json.dumps(said | {"model_name": "model"}))
    columns = "{doc_id: 'VARCHAR', doc_hash: 'VARCHAR', filter: 'VARCHAR', exact_match: 'DOUBLE'}"
    return path.parent, path, columns, "exact_match"


def measured(program: str, *arguments: str | Path) -> tuple[float, float, float]:
    """The mean score, the seconds and the megabytes of a program."""
    done = process([sys.executable, "-c", program, *map(str, arguments)])
    found, seconds = map(float, done.printed.split()[-2:])
    return found, seconds, done.megabytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=1_000_000)
    samples = parser.parse_args().samples
    written: dict[str, Callable[[Path, int], tuple[Path, Path, str, str]]] = {"a table": plain, "lm-eval": lm_eval}
    for name, write in written.items():
        with tempfile.TemporaryDirectory() as folder:
            named, path, columns, score = write(Path(folder), samples)
            size = path.stat().st_size / 1e9
            theirs, ours = measured(PEER, path, columns, score), measured(OURS, named)
        if abs(ours[0] - theirs[0]) > 1e-9:
            raise SystemExit(f"{name}: ours is {ours[0]}, and DuckDB's {theirs[0]}")
        print(f"{name}, {samples:,} samples, {size:.2f} GB, mean {ours[0]:.4f}")
        for who, (_, seconds, memory) in {"DuckDB read_json": theirs, "metameasure": ours}.items():
            print(f"  {who:17}  {seconds:6.2f} s  {memory:5.0f} MB")
        print(f"  {ours[1] / theirs[1]:.1f} times the reader's own time")


if __name__ == "__main__":
    main()
