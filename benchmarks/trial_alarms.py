"""How often does a trial name a fault that a measure has not, and how often does it find one that it has?

``python benchmarks/trial_alarms.py --seeds 20`` makes quick trials with seeds that are not yet in trial_alarms.json, and keeps
them there; without it, it shows what is kept; ``--write`` writes the table of docs/trial.md. What a measure has is what a trial
with ten times the topics says, with a seed of its own. Limits were chosen by the seeds below 500, and are checked by those from
500 on.
"""

from __future__ import annotations

import argparse
import json
import runpy
from collections import Counter
from pathlib import Path
from unittest import mock

import metameasure as mm
from metameasure.catalogue.registry import default_registry
from metameasure.trials import call

HERE = Path(__file__).parent
KEPT = HERE / "trial_alarms.json"
PAGE = HERE.parent / "docs" / "trial.md"
PLUGIN = HERE.parent / "tests" / "trials" / "bad_measures.py"
CHECKED_FROM = 500
OF_TRUTH, TRUTH_SEED = 10, 9000
BAD = runpy.run_path(str(PLUGIN))["CAUGHT"]
TRIED = {
    "classification": ("renamed", "squared", "kappa_linear", "mae_macro", "f1_macro", "macro_recall", *BAD),
    "entailment": ("a3", "kappa", "a3_macro"),
    "quantification": ("nmd", "rnod", "jsd"),
    "ranking": ("ndcg", "tau@wmt14", "err"),
    "probabilities": ("log_loss", "brier", "rps"),
    "multilabel": ("f1_micro", "f1_samples", "hamming_loss"),
    "agreement": ("alpha_nominal", "conger", "ac1"),
}
BEGIN, END = "<!-- benchmarks/trial_alarms.py -->", "<!-- to here -->"


def named(task: str, seed: int) -> dict[str, list[str]]:
    """The faults that a quick trial names, by measure."""
    found = mm.trial(list(TRIED[task]), task=task, quick=True, seed=seed, registry=default_registry().with_plugins([PLUGIN]))
    return {one.measure: [name for name, _ in one.faults()] for one in found.tried}


def truly(task: str) -> dict[str, list[str]]:
    """The faults that a trial with many topics names."""
    larger = {**call.QUICK, "topics": OF_TRUTH * call.QUICK["topics"]}
    with mock.patch.object(call, "QUICK", larger):
        return named(task, TRUTH_SEED)


def kept() -> dict[str, dict[str, dict[str, list[str]]]]:
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def made(tasks: list[str], first: int, seeds: int) -> None:
    """More trials, kept one by one."""
    for seed in ["truth", *range(first, first + seeds)]:
        for task in tasks:
            if str(seed) not in kept().get(task, {}):
                result = truly(task) if seed == "truth" else named(task, int(seed))
                known = kept()
                known.setdefault(task, {})[str(seed)] = result
                KEPT.write_text(json.dumps(known, sort_keys=True, separators=(",", ":")) + "\n", encoding="utf-8")


def rows(known: dict[str, dict[str, dict[str, list[str]]]]) -> list[tuple[str, ...]]:
    """Of each measure: what it has, in how many trials another fault was named, and how often its own were found."""
    table = []
    for task, by_seed in known.items():
        truth = by_seed["truth"]
        for measure in TRIED[task]:
            checked = [faults[measure] for seed, faults in by_seed.items() if seed != "truth" and int(seed) >= CHECKED_FROM]
            if not checked:
                continue
            has = truth[measure]
            false = Counter(fault for faults in checked for fault in faults if fault not in has)
            wrong = sum(any(fault not in has for fault in faults) for faults in checked)
            found = [f"{fault} {sum(fault in faults for faults in checked)}" for fault in has]
            which = f" ({', '.join(f'{fault} {times}' for fault, times in false.items())})" if false else ""
            table.append((task, measure, str(len(checked)), f"{wrong}{which}", "; ".join(found) or "none"))
    return table


def written() -> None:
    """The table of the page."""
    head = (
        "task",
        "measure",
        "trials",
        "with a fault that it has not",
        "faults that it has, and in how many trials each is named",
    )
    lines = ["| " + " | ".join(row) + " |" for row in (head, ("---",) * len(head), *rows(kept()))]
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{after}", encoding="utf-8")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--seeds", type=int, default=0)
    asked.add_argument("--first", type=int, default=CHECKED_FROM)
    asked.add_argument("--tasks", default=",".join(TRIED))
    asked.add_argument("--write", action="store_true")
    options = asked.parse_args()
    if options.seeds:
        made(options.tasks.split(","), options.first, options.seeds)
    if options.write:
        written()
    for row in rows(kept()):
        print("  ".join(row))


if __name__ == "__main__":
    main()
