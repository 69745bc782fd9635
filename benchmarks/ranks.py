"""What possible ranks cost on top of a comparison: runs x questions shaped as LiveBench is (84 x 864), with simulated answers.

python benchmarks/ranks.py
python benchmarks/ranks.py --across 3        who may be first by tasks, and by questions
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np
from harness import best_of, machine, print_table, seconds

import metameasure as mm
from metameasure.comparing.ranks import PossibleRanks


def questions_and_runs(questions: int, runs: int, seed: int = 0) -> Any:
    """Answers, right or wrong: runs differ in ability and questions in difficulty, and every run has its own weak spots."""
    rng = np.random.default_rng(seed)
    ability, difficulty = np.sort(rng.normal(0, 0.9, runs))[::-1], rng.normal(0, 1.6, (questions, 1))
    chance = 1 / (1 + np.exp(-(ability + difficulty + rng.normal(0, 0.8, (questions, runs)))))
    right = (rng.random((questions, runs)) < chance).astype(float)
    names = [f"q{number:04d}" for number in range(questions)], [f"model-{number:02d}" for number in range(runs)]
    return mm.ScoreMatrix("accuracy", *names, right)


def several_tasks(tasks: int, questions: int, runs: int, seed: int = 0) -> dict[str, Any]:
    """The same in tasks, which suit some runs more than others."""
    rng = np.random.default_rng(seed)
    ability, found = np.sort(rng.normal(0, 0.9, runs))[::-1], {}
    names = [f"q{number}" for number in range(questions)], [f"model-{number:02d}" for number in range(runs)]
    for task in range(tasks):
        level = ability + rng.normal(0, 0.5, runs)
        difficulty = rng.normal(0, 1.6, (questions, 1)) + rng.normal(0, 0.7)
        chance = 1 / (1 + np.exp(-(level + difficulty + rng.normal(0, 0.8, (questions, runs)))))
        found[f"task {task}"] = mm.ScoreMatrix("accuracy", *names, (rng.random((questions, runs)) < chance).astype(float))
    return found


def both_units(options: argparse.Namespace) -> None:
    """How many runs may be first by tasks, and by questions."""
    rows = []
    for seed in range(options.across):
        tasks = several_tasks(options.tasks, options.questions // options.tasks, options.runs, seed)
        answer = mm.ranks(tasks, across="standardised").to_dict()
        other = answer["other_units"]
        firsts = [str(len(one["may_be_first"])) for one in (answer, other)]
        rows.append((str(seed), *firsts, str(answer["separated_neighbours"]), str(other["separated_neighbours"])))
    heads = ("seed", "first by tasks", "first by questions", "separated by tasks", "separated by questions")
    print_table(f"{options.runs} runs, {options.tasks} tasks of {options.questions // options.tasks} questions", heads, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=84)
    parser.add_argument("--questions", type=int, default=864)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--tasks", type=int, default=18)
    parser.add_argument("--across", type=int, default=0, help="so many leaderboards of several tasks, ranked by both units")
    options = parser.parse_args()
    if options.across:
        both_units(options)
        return
    matrix = questions_and_runs(options.questions, options.runs)
    compared: Any = mm.compare(matrix)
    assert mm.ranks(matrix).to_dict()["runs"] == PossibleRanks(compared).to_dict()["runs"]  # noqa: S101 - the same is timed
    comparing = best_of(options.repeats, partial(mm.compare, matrix))
    ranking = best_of(options.repeats, partial(mm.ranks, matrix))
    adding = best_of(options.repeats, lambda: PossibleRanks(compared).to_dict())
    rows = [
        ("compare", seconds(comparing), ""),
        ("ranks", seconds(ranking), f"{ranking / comparing:.2f} x"),
        ("what ranks adds, JSON included", seconds(adding), ""),
    ]
    print(machine())
    print_table(f"{options.runs} runs, {options.questions} questions", ("call", "s", "of compare"), rows)


if __name__ == "__main__":
    main()
