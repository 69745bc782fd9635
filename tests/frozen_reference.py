"""What must come out of the frozen score matrices, computed from the papers' definitions with nothing of metameasure: lists,
loops, SciPy's t distribution. Random splits and permutations are drawn by other code too, or all of them are gone through.

python tests/frozen_reference.py --write    computes all of it (two minutes), into src/metameasure/studies/frozen_scores/*.json

Every value is a list [row, column, value, standard error]; the error is 0 where nothing is random. It is that of the program's
draws (1000 splits, 5000 permutations) and, where the reference is drawn too, of its own.
"""

import csv
import json
import math
import random
import sys
from itertools import combinations
from pathlib import Path
from statistics import NormalDist, fmean

from scipy.stats import t as student

FOLDER = Path(__file__).parents[1] / "src/metameasure/studies/frozen_scores"
LOWER = {"mae", "mae_macro", "average_predicted_rank", "nmd", "rsnod", "rnod", "nvd", "rnss", "jsd"}
SPLITS, TRIALS = 1000, 5000
OWN_TRIALS = 20_000
TIE = 1e-12
PHI = NormalDist().cdf


class Matrices:
    """scores[measure][topic][run], turned so that higher is better; topics and runs as in the file."""

    def __init__(self, name):
        with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        self.measures = list(dict.fromkeys(row["measure"] for row in rows))
        self.topics = list(dict.fromkeys(row["topic"] for row in rows))
        self.runs = list(dict.fromkeys(row["run"] for row in rows))
        by_place = {(row["measure"], row["topic"], row["run"]): float(row["score"]) for row in rows}
        self.scores = {
            measure: [
                [(-1 if measure in LOWER else 1) * by_place[measure, topic, run] for run in self.runs] for topic in self.topics
            ]
            for measure in self.measures
        }

    def means(self, measure, topics=None):
        chosen = range(len(self.topics)) if topics is None else topics
        return [fmean(self.scores[measure][topic][run] for topic in chosen) for run in range(len(self.runs))]


def sign(gap):
    return 0 if abs(gap) <= TIE else 1 if gap > 0 else -1


def tau_a(x, y):
    pairs = list(combinations(range(len(x)), 2))
    return sum(sign(x[i] - x[j]) * sign(y[i] - y[j]) for i, j in pairs) / len(pairs)


def similarity(data):
    return [[one, other, tau_a(data.means(one), data.means(other)), 0.0] for one, other in combinations(data.measures, 2)]


def consistency(data, size):
    """Over every split that there is: the mean tau of each measure, and the residual variance of split by measure."""
    everyone = set(range(len(data.topics)))
    first_size = size or len(everyone) // 2
    second_size = size or len(everyone) - first_size
    taus = []
    for first in combinations(sorted(everyone), first_size):
        for second in combinations(sorted(everyone - set(first)), second_size):
            if first_size == second_size and first > second:
                continue
            taus.append([tau_a(data.means(one, first), data.means(one, second)) for one in data.measures])
    number = len(data.measures)
    mean = [fmean(row[place] for row in taus) for place in range(number)]
    overall = fmean(mean)
    rows = []
    for place, measure in enumerate(data.measures):
        spread = math.sqrt(fmean((row[place] - mean[place]) ** 2 for row in taus))
        rows.append([measure, "mean tau", mean[place], spread / math.sqrt(SPLITS)])
    squares = []
    for row in taus:
        of_split = fmean(row)
        squares.append(sum((row[m] - of_split - mean[m] + overall) ** 2 for m in range(number)) / (number - 1))
    variance = fmean(squares)
    spread = math.sqrt(fmean((one - variance) ** 2 for one in squares))
    rows.append(["all measures", "V_E2", variance, spread / math.sqrt(SPLITS)])
    return rows


def t_of_pairs(scores, left_out=None):
    """A mean difference in standard errors of a mean over all topics, for every two runs."""
    kept = [row for place, row in enumerate(scores) if place != left_out]
    found = []
    for i, j in combinations(range(len(scores[0])), 2):
        gaps = [row[i] - row[j] for row in kept]
        mean = fmean(gaps)
        variance = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
        if variance <= (TIE * max(1, abs(mean))) ** 2:
            found.append(0.0 if abs(mean) <= TIE else math.inf)
        else:
            found.append(abs(mean) * math.sqrt(len(scores) / variance))
    return found


def apart(data, quality):
    """p-values between measures, each topic left out in turn: Holm's over all pairs."""
    topics = len(data.topics)
    reach = student.ppf(0.975, topics - 1)
    of_t = {"consistency": lambda t: (2 * PHI(t / math.sqrt(2)) - 1) ** 2, "power": lambda t: PHI(t - reach)}[quality]
    whole, without = {}, {}
    for measure, scores in data.scores.items():
        whole[measure] = fmean(map(of_t, t_of_pairs(scores)))
        without[measure] = [fmean(map(of_t, t_of_pairs(scores, left))) for left in range(topics)]
    p = {}
    for one, other in combinations(data.measures, 2):
        gaps = [a - b for a, b in zip(without[one], without[other], strict=True)]
        middle = fmean(gaps)
        error = math.sqrt((topics - 1) / topics * sum((gap - middle) ** 2 for gap in gaps))
        p[one, other] = 2 * student.sf(abs(whole[one] - whole[other]) / error, topics - 1)
    highest, corrected = 0.0, {}
    for place, pair in enumerate(sorted(p, key=p.get)):
        highest = max(highest, min(1.0, (len(p) - place) * p[pair]))
        corrected[pair] = highest
    values = [[measure, "by topics", value, 0.0] for measure, value in whole.items()] if quality == "power" else []
    return values + [[one, other, corrected[one, other], 0.0] for one, other in p]


def tukey(data):
    """p of every two runs by every measure: the share of permutations whose largest difference reaches theirs."""
    draw = random.Random(2021)  # noqa: S311 - no secrets
    runs, topics = range(len(data.runs)), range(len(data.topics))
    reached = {measure: dict.fromkeys(combinations(runs, 2), 0) for measure in data.measures}
    gaps = {
        measure: {(i, j): abs(mean[i] - mean[j]) for i, j in combinations(runs, 2)}
        for measure in data.measures
        for mean in [data.means(measure)]
    }
    order = list(runs)
    for _ in range(OWN_TRIALS):
        orders = []
        for _ in topics:
            draw.shuffle(order)
            orders.append(tuple(order))
        for measure, scores in data.scores.items():
            totals = [0.0] * len(order)
            for row, places in zip(scores, orders, strict=True):
                for run, place in enumerate(places):
                    totals[run] += row[place]
            largest = (max(totals) - min(totals)) / len(orders) + TIE
            for pair, gap in gaps[measure].items():
                reached[measure][pair] += largest >= gap
    return {measure: {pair: count / OWN_TRIALS for pair, count in pairs.items()} for measure, pairs in reached.items()}


def error_of_p(p):
    return math.sqrt(max(p * (1 - p), 1 / OWN_TRIALS) * (1 / TRIALS + 1 / OWN_TRIALS))


def unsure(p):
    """Whether another draw of permutations may decide otherwise: within four standard errors of .05."""
    return abs(p - 0.05) <= 4 * error_of_p(0.05)


def discrimination(data, p):
    """The p-values of the first two measures, and how many differences each measure finds."""
    rows = []
    for measure in data.measures[:2]:
        rows += [[f"{measure}: {data.runs[i]}", data.runs[j], value, error_of_p(value)] for (i, j), value in p[measure].items()]
    for measure in data.measures:
        significant = sum(value < 0.05 for value in p[measure].values())
        rows.append([measure, "significant pairs", significant, sum(map(unsure, p[measure].values())) / 4])
    return rows


def shared(data, p):
    """For every two measures: pairs of runs significant by the first alone, by both, by the second alone, and contradictions."""
    rows = []
    for one, other in combinations(data.measures, 2):
        first, second = ({pair for pair, value in p[name].items() if value < 0.05} for name in (one, other))
        open_pairs = {pair for name in (one, other) for pair, value in p[name].items() if unsure(value)}
        assert not open_pairs, f"{one}, {other}: choose another seed"
        a, b, c = len(first - second), len(first & second), len(second - first)
        means, others = data.means(one), data.means(other)
        opposite = [(i, j) for i, j in first & second if sign(means[i] - means[j]) * sign(others[i] - others[j]) < 0]
        for column, value in (("a", a), ("b", b), ("c", c), ("SSO", b / (a + b + c)), ("contradictions", len(opposite))):
            rows.append([f"{one}, {other}", column, value, 0.0])
    return rows


def deltas(data, run_a, run_b):
    """Topics won, and how the differences of two measures go together."""
    a, b = data.runs.index(run_a), data.runs.index(run_b)
    gaps = {measure: [row[a] - row[b] for row in scores] for measure, scores in data.scores.items()}
    rows = []
    for measure, each in gaps.items():
        rows.append([measure, "a wins", sum(sign(gap) > 0 for gap in each), 0.0])
        rows.append([measure, "b wins", sum(sign(gap) < 0 for gap in each), 0.0])
    for one, other in combinations(data.measures, 2):
        x, y = gaps[one], gaps[other]
        mean_x, mean_y = fmean(x), fmean(y)
        product = sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True))
        r = product / math.sqrt(sum((u - mean_x) ** 2 for u in x) * sum((v - mean_y) ** 2 for v in y))
        reach = NormalDist().inv_cdf(0.975) / math.sqrt(len(x) - 3)
        z = 0.5 * math.log((1 + r) / (1 - r))
        rows.append([f"{one}, {other}", "Pearson", r, 0.0])
        rows.append([f"{one}, {other}", "low", math.tanh(z - reach), 0.0])
        rows.append([f"{one}, {other}", "high", math.tanh(z + reach), 0.0])
        opposite = sum(sign(u) * sign(v) < 0 for u, v in zip(x, y, strict=True))
        rows.append([f"{one}, {other}", "disagree", opposite, 0.0])
    return rows


def ranks(values):
    """Mean ranks; values within 1e-12 tie."""
    return [
        1 + sum(other < one - TIE for other in values) + sum(abs(other - one) <= TIE for other in values) / 2 - 0.5
        for one in values
    ]


def spearman(x, y):
    x, y = ranks(x), ranks(y)
    mean = (len(x) + 1) / 2
    product = sum((u - mean) * (v - mean) for u, v in zip(x, y, strict=True))
    return product / math.sqrt(sum((u - mean) ** 2 for u in x) * sum((v - mean) ** 2 for v in y))


def coverage(data, reference):
    runs = range(len(data.runs))
    pairs = [(i, j) for i in runs for j in runs if i != j]

    def at_least(i, j):
        return sum(
            all(data.scores[measure][topic][i] >= data.scores[measure][topic][j] - TIE for measure in reference)
            for topic in range(len(data.topics))
        )

    uir = {(i, j): (at_least(i, j) - at_least(j, i)) / len(data.topics) for i, j in pairs}
    rows = [[f"UIR of {data.runs[i]}", data.runs[j], uir[i, j], 0.0] for i, j in pairs if i < j]
    for measure in data.measures:
        mean = data.means(measure)
        covered = spearman([mean[i] - mean[j] for i, j in pairs], [uir[pair] for pair in pairs])
        rows.append([measure, "coverage", covered, 0.0])
    return rows


def robustness(data):
    return [
        [measure, "robustness", fmean(spearman(one, other) for one, other in combinations(scores, 2)), 0.0]
        for measure, scores in data.scores.items()
    ]


REFERENCE = ("accuracy", "kendall_a", "mutual_information")
BASELINES = ("uniform-C", "popularity-C")


def exact(name):
    """What is not drawn, and takes seconds."""
    if name == "examples":
        return {"ties": ties(), "baselines": baselines()}
    data = Matrices(name)
    if name == "tweets":
        return {"similarity": similarity(data), "consistency, by topics": apart(data, "consistency")}
    if name == "dialogues":
        return {
            "similarity": similarity(data),
            "discrimination, by topics": apart(data, "power"),
            "deltas": deltas(data, *BASELINES),
        }
    if name == "cases":
        return {"coverage": coverage(data, REFERENCE), "robustness": robustness(data)}
    return {"similarity": similarity(data)}


def drawn(name):
    """What takes thousands of splits or permutations."""
    if name not in ("tweets", "dialogues"):
        return {}
    data = Matrices(name)
    if name == "tweets":
        p = tukey(data)
        return {
            "consistency, half": consistency(data, None),
            "consistency, 3": consistency(data, 3),
            "discrimination": discrimination(data, p),
        }
    p = tukey(data)
    return {"discrimination": discrimination(data, p), "overlap": shared(data, p)}


RANKED = (((1, 3, 1, 4, 1, 4), (2, 2, 3, 1, 4, 1)), ((2, 1, 3, 3, 3, 1), (4, 3, 1, 1, 3, 1)), ((1, 1, 4, 1), (1, 2, 2, 4)))
"""Predicted and human ranks of three sentences, with ties on one side, on the other, and on both."""


def ties():
    """Every tau from its five counts of pairs, over all pairs of the sentences: no two come to the same."""
    counts = {"C": 0, "D": 0, "human": 0, "predicted": 0, "both": 0}
    for predicted, human in RANKED:
        for i, j in combinations(range(len(human)), 2):
            said, true = sign(predicted[i] - predicted[j]), sign(human[i] - human[j])
            tied = "both" if said == true == 0 else "human" if true == 0 else "predicted" if said == 0 else ""
            counts[tied or ("C" if said == true else "D")] += 1
    c, d, h, p, b = counts.values()
    every = c + d + h + p + b
    taus = {
        "tau@wmt08": c / (c + d + p),
        "tau@wmt12": (c - (d + p)) / (c + d + p),
        "tau@wmt13": (c - d) / (c + d),
        "tau@wmt14": (c - d) / (c + d + p),
        "tau@xties": (c - d + b) / every,
        "tau@a": (c - d) / every,
        "tau@b": (c - d) / math.sqrt((c + d + p) * (c + d + h)),
        "tau@eq": (c + b - d - h - p) / every,
    }
    assert len({round(tau, 6) for tau in taus.values()}) == len(taus)
    return [[measure, "all pairs", tau, 0.0] for measure, tau in taus.items()]


def baselines():
    """Accuracies of trivial systems on a gold of 60 YES, 30 UNKNOWN and 10 NO: each way of guessing label by label."""
    gold = {"YES": 0.6, "UNKNOWN": 0.3, "NO": 0.1}
    guesses = {f"always {label}": {label: 1.0} for label in gold}
    guesses |= {"random, uniform": dict.fromkeys(gold, 1 / 3), "random, as gold": gold}
    rows = []
    for name, guess in guesses.items():
        pairs = [(true, said, p * q) for true, p in gold.items() for said, q in guess.items()]
        three = sum(share for true, said, share in pairs if true == said)
        two = sum(share for true, said, share in pairs if (true == "YES") == (said == "YES"))
        given = {label: sum(s for true, said, s in pairs if true == said == label) / gold[label] for label in gold}
        yes = sum(share for true, said, share in pairs if true == said == "YES") / 0.6
        no = sum(share for true, said, share in pairs if true != "YES" and said != "YES") / 0.4
        rows += [[name, "a3", three, 0.0], [name, "a2", two, 0.0]]
        rows += [[name, "a3_macro", fmean(given.values()), 0.0], [name, "a2_macro", (yes + no) / 2, 0.0]]
    return rows


NAMES = ("examples", "tweets", "dialogues", "cases", "experiments")


def written(found):
    """The values as a file has them, one a line."""
    parts = [f'"{asked}": [\n' + ",\n".join(f"  {json.dumps(row)}" for row in rows) + "\n]" for asked, rows in found.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    assert "metameasure" not in sys.modules
    for name in NAMES if "--write" in sys.argv[1:] else ():
        (FOLDER / f"{name}.json").write_text(written({**exact(name), **drawn(name)}), encoding="utf-8")
