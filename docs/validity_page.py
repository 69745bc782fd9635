"""docs/validity.md, from the ledger in benchmarks/error_rates.json."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.append(str(BENCHMARKS))
import ledger  # noqa: E402 - beside the simulations

Row = Mapping[str, Any]
METHODS = {
    "interval/topics/logit-t": (
        "`--interval auto` of a mean over topics, where the measure has both ends: t with n - 1 degrees of freedom on "
        "the logit of the range."
    ),
    "interval/topics/t": "The same where an end of the range is open: mean ± t se, cut at the end that is known.",
    "interval/items/both": (
        "`--interval auto` of one test set: the percentile bootstrap and the credible interval together, from the "
        "lower of the low ends to the higher of the high ends."
    ),
    "interval/items/t": (
        "`--interval auto` of graded outcomes, or of items with several outputs: mean ± t se over items, cut at the ends of the "
        "range."
    ),
    "interval/systems/fisher": "`evaluate --task ranking --ci` of `pearson@system`, `spearman@system` and `kendall@system`.",
    "interval/items/left-out": (
        "`--interval auto` of measures of probabilities and of sets of labels that are no mean over items (auc, ece_debiased, "
        "f1_macro): what the value changes by without each item, t on the logit of the range."
    ),
    "interval/slices/gap": (
        "`--by`: the largest true difference between two slices, from intervals of all pairs that hold at once (Tukey and "
        "Kramer), put together from the slices' own."
    ),
    "interval/clusters/jackknife": (
        "`--interval auto` where clusters are declared: each cluster left out in turn, t with the degrees of freedom "
        "of the effective number of clusters, on the logit of the range."
    ),
    "interval/fixed-topics/normal": (
        "`--units items` with several topics: topics are fixed, items are a sample within each; normal."
    ),
    "interval/fixed-topics/clusters": (
        "The same where clusters are declared: clusters drawn within each topic, t with the degrees of freedom of their number."
    ),
    "interval/bootstrap/topics": (
        "`--interval bootstrap`: topics drawn with replacement, percentiles. The default until version 0.2."
    ),
    "interval/bootstrap/segments": "Micro averages of rankings (`--average pooled`): segments drawn with replacement.",
    "interval/bootstrap/items": "`--interval bootstrap` of one test set: items drawn with replacement, percentiles.",
    "interval/bayes/items": "`--interval bayes`: tables drawn from a Dirichlet posterior, with a prior of total mass 1.",
    "interval/items/normal": (
        "Mutual information less what chance gives: normal, with the bootstrap's standard deviation, cut at 0."
    ),
    "interval/difference/unadjusted": (
        "The interval of the difference of two runs over topics: paired t. The rate is over all pairs; each interval "
        "speaks for itself."
    ),
    "interval/difference/simultaneous": (
        "`--simultaneous`: the rate is of data sets in which all pairs' intervals hold their differences."
    ),
    "interval/difference/items": "The interval of the difference of two runs over items: the paired percentile bootstrap.",
    "interval/difference/items-t": "The same of graded outcomes, or of items with several outputs: paired t over items.",
    "interval/difference/normal": (
        "The same of mutual information less what chance gives: normal, with the bootstrap's standard deviation."
    ),
    "interval/difference/segments": "The same of micro averages of rankings (`--average pooled`), over segments.",
    "interval/difference/clusters": (
        "The interval of the difference of two runs over clusters: each cluster left out in turn, t with the degrees of freedom "
        "of the effective number of clusters."
    ),
    "interval/agreement/auto": "`agree --interval auto`: the jackknife's t interval and the credible interval together.",
    "interval/agreement/bootstrap": (
        "`agree --interval bootstrap`: items drawn with replacement, percentiles. The default until version 0.2."
    ),
    "interval/agreement/gwet": "`agree --interval gwet`: t with Gwet's linearised variance.",
    "interval/bootstrap/clusters": "`--interval bootstrap` where clusters are declared: whole clusters drawn with replacement.",
    "interval/difference/fixed-topics": "`compare --units items` with several topics: normal, items drawn within each topic.",
    "interval/judges/difference": (
        "`judge`: the interval of a judge's score less people's own, by the percentile bootstrap over items."
    ),
    "interval/judges/pairs": "`judge`: the interval of the difference of two judges, likewise. The rate is over all pairs.",
    "interval/judges/bias": "`judge`: the interval of a judge's mean label less people's, by t.",
    "interval/corrected": (
        "`judge --correct`, `evaluate --judge-labels`: people's value on a random part, corrected by a judge's labels of all; "
        "normal, with lambda and the variance from resampling both parts."
    ),
    "interval/meta/consistency": "`meta consistency`: the interval of a measure's mean tau between halves of the topics.",
    "interval/meta/deltas": "`meta deltas`: Fisher's interval of Pearson's r between two measures' deltas.",
    "interval/meta/similarity": "`meta similarity`: the interval of tau between the rankings of two measures.",
    "interval/design/variance": "`design`: the range of the residual variance that a pilot gives.",
    "interval/design/assured": "`design`: how often the assured number of topics is enough. It should be in 80 of 100 pilots.",
    "ranks/stepwise": (
        "`ranks` over topics, and `evaluate --possible-ranks`: the rate is of data sets in which all runs' possible ranks hold "
        "their true ranks at once."
    ),
    "ranks/items": (
        "`ranks` over items, of one test set or within topics that are fixed: items swapped, corrected for all pairs. The rate "
        "is the same."
    ),
    "ranks/across-tasks": "`ranks --across` for other tasks like these: the stepwise test over tasks. The rate is the same.",
    "ranks/across-questions": (
        "`ranks --across` for other questions in these very tasks: questions drawn within each task (by ranks: swapped between "
        "two runs), stepped down. The rate is the same."
    ),
    "ranks/normal": (
        "Not of this program, for comparison: all differences at once by normal draws of the means, stepped down (Mogstad, "
        "Romano, Shaikh and Wilhelm 2024; the R package csranks), written anew for this page. The rate is the same."
    ),
    "ranks/bradley-terry": (
        "`ranks` of battles: the rate is of data sets in which all models' possible ranks hold their true ranks at once. Judges "
        "have tastes of their own, and are declared."
    ),
    "ranks/bootstrap": (
        "Not of this program, for comparison: topics drawn with replacement, the runs ranked in each draw, percentiles of each "
        "run's ranks. The rate is the same."
    ),
    "power/stepwise": (
        "`compare` over topics, the default, with as many topics as `design` says for a power of .8: the rate is of data sets in "
        "which the best run and the worst, which truly differ, are told apart, the others lying between."
    ),
    "power/tukey": "The same scores by `compare --test tukey`. Nothing is promised.",
    "power/permutation": "The same by `compare --test permutation`, corrected by Holm.",
    "power/maxt": "The same by `compare --test permutation --correction maxt`.",
    "test/stepwise": (
        "`compare` over topics, the default: the stepwise test. The rate is of data sets in which any two of the "
        "runs, which are all equal, are told apart."
    ),
    "test/tukey": "`compare --test tukey`: the randomised Tukey HSD test.",
    "test/classical": "`compare --test classical`: the classical Tukey HSD test.",
    "test/permutation": "`compare --test permutation`, corrected by Holm.",
    "test/permutation/max-t": "`compare --test permutation --correction maxt`.",
    "test/bootstrap": "`compare --test bootstrap`, corrected by Holm.",
    "test/against-holm": "`compare --against RUN`: sign flips of each pair with that run, corrected by Holm.",
    "test/items/swap": "`compare` over items: outputs swapped (accuracy: McNemar's exact test), corrected by Holm.",
    "test/items/bootstrap": "`compare --test bootstrap` over items, corrected by Holm.",
    "test/clusters/bootstrap": "The same over whole clusters.",
    "test/fixed-topics/bootstrap": "The same with `--units items` and several topics: items drawn within each.",
    "test/segments/swap": "`compare --average pooled` of rankings: whole segments swapped, corrected by Holm.",
    "test/metrics/perm-both": "`compare --test perm-both` of rankings: scores of cells swapped between two metrics, one-sided.",
    "test/metrics/williams": "`compare --test williams` of rankings: Williams' test of two correlations, one-sided.",
    "test/segments/chance": "`evaluate --task ranking --chance-test B`: a run's ranks shuffled within each segment.",
    "test/items/swap-max-t": (
        "`compare` over items with `--correction maxt`: the same items swapped for all pairs, stepped down."
    ),
    "test/clusters/swap": "`compare` over clusters: outputs of whole clusters swapped, corrected by Holm.",
    "test/clusters/swap-max-t": "The same with `--correction maxt`.",
    "test/fixed-topics/swap": "`compare --units items --correction holm` with several topics: items swapped within topics.",
    "test/fixed-topics/swap-max-t": (
        "`compare --units items` with several topics: items swapped within topics, the same for all pairs, stepped down."
    ),
    "test/gate/score": (
        "`gate` where scores are 0 or 1: Tango's score interval. PASS and FAIL are each as often wrong as the rate says, where "
        "the new run is worse by the margin itself. PASS of several: all must pass; FAIL of several: any fails, by Holm."
    ),
    "test/gate/t": (
        "`gate` of graded scores of items, and over topics: paired t; where few differ, the wider of both; corrected for strong "
        "skew."
    ),
    "test/gate/jackknife": (
        "`gate` of kappa, CEM, macro F1 and other measures of a table, and of micro averages of rankings: items, or topics, left "
        "out one at a time, corrected for skew."
    ),
    "test/gate/clusters": "`gate` where clusters are declared: clusters left out one at a time.",
    "test/gate/fixed-topics": "`gate` of items within topics that are fixed.",
    "test/gate/drawn": "`gate` of measures of an order: items drawn with replacement, percentiles.",
    "test/not-significant": (
        "Not of this program, for comparison: a run passes that is not significantly worse, by McNemar's exact one-sided test. "
        "The rate is of runs that pass though they lose more than the margin."
    ),
    "test/gate-uncorrected": "Not of this program, for comparison: several gates at once, each FAIL taken as it is.",
    "test/meta/consistency": "`meta consistency`: two measures told apart by leaving out topics.",
    "test/meta/power": "`meta discrimination`: two measures told apart by leaving out topics.",
    "test/judges/max-t": (
        "`judge`: two judges told apart, items swapped, the same for all pairs, stepped down. The rate is of data "
        "sets with any such finding."
    ),
    "test/judges/alt-test": (
        "`judge`: the alternative annotator test at epsilon 0, where a judge that is like people should beat none of them."
    ),
    "test/judges/people": "`judge`: a judge called better or worse than any of the people, both together.",
}
"""What a row's method is, in the user's words."""


def summary() -> str:
    """What holds, method by method, and what does not."""
    rows = ledger.read()
    return "\n".join(["", _in_short(rows, _by_method(rows)), _limits(rows)])


def tables() -> str:
    """Every row, method by method."""
    return "\n".join(["", *(_method(method, own) for method, own in _by_method(ledger.read()).items())])


def of_task(task: str) -> str:
    """The rows of a task as one table."""
    lines = ["| what | world | size | measure | rate | should be | data sets |", "|---|---|---|---|---:|---:|---:|"]
    for row in sorted(ledger.read(), key=lambda row: (row["world"], row["size"], row["method"], row["measure"])):
        if row["task"] == task:
            rate = f"{row['rate']:.3f}" if ledger.in_band(row) else f"**{row['rate']:.3f}**"
            lines.append(
                f"| `{row['method']}` | {row['world']} | {row['size']} | {row['measure']} | {rate} | {row['nominal']:g} | "
                f"{row['repetitions']:,} |"
            )
    return "\n".join([*lines, ""])


def corrected() -> str:
    """Coverage and gain of corrected scores, and of the labels themselves: a line for each world and size, a column for each
    measure."""
    rows = [row for row in ledger.read() if row["task"] == "corrected"]
    of_labels = [row for row in rows if row["measure"].startswith(("mean label", "share of"))]
    of_scores = [row for row in rows if row not in of_labels]
    said = "Rate (worth). Rates in bold are outside their band."
    return "\n".join([*_corrected(of_scores), "", *(_corrected(of_labels) if of_labels else ()), "", said, ""])


def _corrected(rows: Sequence[Row]) -> list[str]:
    measures = sorted({row["measure"] for row in rows}, key=lambda name: (name.startswith("difference"), name))
    lines = [
        f"| judge, grades | labels | {' | '.join(measures)} | data sets |",
        f"|---|---|{'---:|' * (len(measures) + 1)}",
    ]
    worlds = sorted({(row["world"].startswith("disagree"), row["world"], _number(row["size"])[0], row["size"]) for row in rows})
    for _, world, labels, size in worlds:
        own = [row for row in rows if (row["world"], row["size"]) == (world, size)]
        cells = {row["measure"]: _with_worth(row) for row in own}
        number = f"{max(row['repetitions'] for row in own):,}"
        lines.append(f"| {world} | {labels} | {' | '.join(cells.get(name, '') for name in measures)} | {number} |")
    return lines


def _with_worth(row: Row) -> str:
    rate = f"{row['rate']:.3f}".removeprefix("0")
    return f"{rate if ledger.in_band(row) else f'**{rate}**'} ({row['worth']:.1f})"


def _by_method(rows: Sequence[Row]) -> dict[str, list[Row]]:
    return {method: [row for row in rows if row["method"] == method] for method in sorted({row["method"] for row in rows})}


def _in_short(rows: Sequence[Row], by_method: Mapping[str, Sequence[Row]]) -> str:
    known = [row for row in rows if ledger.enough(row)]
    held = sum(map(ledger.in_band, known))
    few = len(rows) - len(known)
    outside = f"{len(known) - held} are outside it and have a limit"
    lines = [
        f"{len(known)} rows have {ledger.ENOUGH:,} data sets: {held} are in their band, {outside}.",
        *(
            [f"{few} more have fewer data sets, because they take long: they are preliminary, and do not count as held."]
            if few
            else []
        ),
        "The worst rate of a method is over worlds that had no say in its choice, preliminary ones included.",
        "",
        f"| method | rows | with {ledger.ENOUGH:,} data sets | of these in the band | worst rate | where |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for method, own in by_method.items():
        unseen = [row for row in own if row["unseen"]] or list(own)
        worst = (max if method.startswith("test/") else min)(unseen, key=lambda row: row["rate"])
        whole = [row for row in own if ledger.enough(row)]
        numbers = f"{len(own)} | {len(whole)} | {sum(map(ledger.in_band, whole))} | {worst['rate']:.3f}"
        lines.append(f"| [`{method}`](#{_anchor(method)}) | {numbers} | {_where(worst)} |")
    return "\n".join([*lines, ""])


def _limits(rows: Sequence[Row]) -> str:
    """What does not hold, and where, by what is said of it."""
    outside = [row for row in rows if not ledger.in_band(row)]
    lines = ["What does not hold:", ""]
    for limit in sorted({row["limit"] for row in outside}):
        own = [row for row in outside if row["limit"] == limit]
        rates = sorted(row["rate"] for row in own)
        span = f"{rates[0]:.3f}" if len(own) == 1 else f"{rates[0]:.3f} to {rates[-1]:.3f} in {len(own)} rows"
        methods = ", ".join(f"`{method}`" for method in sorted({row["method"] for row in own}))
        lines.append(f"- {limit[0].upper()}{limit[1:]} ({methods}: {span}).")
    return "\n".join([*lines, ""])


def _method(method: str, rows: Sequence[Row]) -> str:
    nominal = rows[0]["nominal"]
    asked = f"at most {nominal:g}" if method.startswith("test/") else f"{nominal:g}" if nominal else "high; none is promised"
    measures = any(row["measure"] for row in rows)
    lines = [f"### `{method}`", "", f"{METHODS[method]} The rate should be {asked}.", ""]
    lines += [
        f"| world | task | size |{' measure |' if measures else ''} rate | se | data sets | |",
        f"|---|---|---|{'---|' if measures else ''}---:|---:|---:|---|",
    ]
    for row in sorted(rows, key=lambda row: (row["task"], row["world"], _number(row["size"]), row["measure"])):
        notes = [*_marks(row), *((row["limit"],) if row["limit"] else ())]
        rate = f"{row['rate']:.3f}" if ledger.in_band(row) else f"**{row['rate']:.3f}**"
        lines.append(
            f"| {row['world']} | {row['task']} | {row['size']} |{' ' + row['measure'] + ' |' if measures else ''} {rate} | "
            f"{row['se']:.3f} | {row['repetitions']:,} | {'; '.join(notes)} |"
        )
    return "\n".join([*lines, ""])


def _marks(row: Row) -> Iterator[str]:
    if not ledger.enough(row):
        yield "preliminary"
    if not row["unseen"]:
        yield "used"
    if row["without"]:
        yield f"{row['without']:.1%} have no interval"


def _number(size: str) -> list[int]:
    return [int(word) for word in size.replace(",", "").split() if word.isdecimal()]


def _where(row: Row) -> str:
    return ", ".join(part for part in (row["world"], row["size"], row["measure"]) if part)


def _anchor(method: str) -> str:
    return "".join(one for one in method.lower() if one.isalnum() or one == "-")
