"""Random messy but legal inputs for each task, and what they score by a reader and a scorer of a few lines.

A case is files on disk and a call. The files are written with everything that is allowed: columns in any order and under other
names, columns that nobody asked for, rows in any order, quotes, carriage returns, byte order marks, compression, numbers where
text would do, several file formats and shapes, each file its own. The naive side reads them again with Python's own csv and json,
joins by dictionaries and scores item by item with the references of ``naive``, ``naive_entailment`` and below.
"""

import csv
import gzip
import io
import json
import math
import random
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import naive_entailment
from naive import NAIVE, NAN, distances, naive
from naive_quantification import REFERENCES, apart

TABLES = (".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".tsv.gz")
LOWER = ("mae", "mse", "rmse", "oci", "threshold_loss", "conditional_entropy")
"""Measures whose best score is 0, for which an undefined topic cannot be 0."""


@dataclass
class Case:
    """A call of ``evaluate``, and what it must give."""

    folder: Path
    rng: random.Random
    arguments: list = field(default_factory=list)
    measures: tuple = ()
    columns: dict = field(default_factory=dict)
    """What the columns of all files of this case are called, by their usual names."""

    def one_in(self, n):
        return self.rng.randrange(n) == 0

    def add(self, *arguments):
        self.arguments += map(str, arguments)

    def rename(self, *names):
        """Let some columns have other names."""
        for name in names:
            if self.one_in(5):
                self.columns[name] = self.rng.choice((f"my {name}", f"{name}ID", name.upper(), f"le {name} é"))
                self.add(f"--{name.replace('_', '-')}-column", self.columns[name])

    def call(self, gold, runs):
        return ["evaluate", gold, *runs, *self.arguments, "--measures", ",".join(self.measures), "--format", "json"]


def written(case, name, rows, *, more=True):
    """The rows as a table on disk, in one of many legal ways."""
    rng = case.rng
    rows = [{case.columns.get(key, key): cell for key, cell in row.items()} for row in rows]
    rng.shuffle(rows)
    names = list(rows[0])
    if more and case.one_in(3):
        names.append("unasked")
        for place, row in enumerate(rows):
            row["unasked"] = ("x", "1", "é", "a 'word'")[place % 4]
    rng.shuffle(names)
    form = rng.choice(TABLES)
    path = case.folder / f"{name}{form}"
    if form == ".parquet":
        pq.write_table(pa.table({name: pa.array(as_column([row[name] for row in rows])) for name in names}), path)
        return path
    if form == ".jsonl":
        lines = [json.dumps({n: row[n] for n in names if row[n] is not None or rng.random() < 0.5}) for row in rows]
        text = "\n".join(lines) + "\n" * rng.randrange(3)
    else:
        text = separated(case, names, rows, "," if ".csv" in form else "\t")
    data = (b"\xef\xbb\xbf" if case.one_in(6) and form != ".jsonl" else b"") + text.encode()
    path.write_bytes(gzip.compress(data) if form.endswith(".gz") else data)
    return path


def as_column(cells):
    """One type a column: text, unless all are numbers."""
    return cells if all(cell is None or isinstance(cell, int | float) for cell in cells) else [
        cell if cell is None else str(cell) for cell in cells
    ]  # fmt: skip


def separated(case, names, rows, delimiter):
    end = case.rng.choice(("\n", "\n", "\r\n"))
    quoting = csv.QUOTE_ALL if delimiter == "," and case.one_in(3) else csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE
    out = io.StringIO()
    writer = csv.writer(
        out, delimiter=delimiter, lineterminator=end, quoting=quoting, quotechar='"' if delimiter == "," else None
    )
    writer.writerow(names)
    writer.writerows([["" if row[name] is None else row[name] for name in names] for row in rows])
    return out.getvalue() if case.rng.random() < 0.8 else out.getvalue().removesuffix(end)


def read(case, path):
    """The naive reader: rows by the usual names, None where nothing stands."""
    usual = {other: name for name, other in case.columns.items()}
    if path.suffix == ".parquet":
        records = pq.read_table(path).to_pylist()
    else:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = data.decode("utf-8-sig")
        if path.suffix == ".jsonl":
            records = [json.loads(line) for line in text.splitlines() if line]
        else:
            style = {"delimiter": ","} if ".csv" in path.name else {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
            records = list(csv.DictReader(io.StringIO(text, newline=""), **style))
    return [{usual.get(key, key): None if cell == "" else cell for key, cell in record.items()} for record in records]


def text(cell):
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def means(values, *, undefined="skip"):
    """The mean over topics of each run: {run: [score for each topic]} to {run: mean}."""
    if undefined == "zero":
        return {run: math.fsum(0 if math.isnan(one) else one for one in own) / len(own) for run, own in values.items()}
    alive = [own for own in values.values() if not all(map(math.isnan, own))]
    kept = [place for place in range(len(next(iter(values.values())))) if not any(math.isnan(own[place]) for own in alive)]
    return {
        run: NAN if own not in alive or not kept else math.fsum(own[place] for place in kept) / len(kept)
        for run, own in values.items()
    }


def tabulated(score, answers, topics, runs, case, undefined):
    """{run: {measure: (mean over topics, pooled)}}: ``score(measure, rows)`` of ``answers[run][topic]``."""
    result = {run: {} for run in runs}
    for measure in case.measures:
        by_topic = {run: [score(measure, answers[run][topic]) for topic in topics] for run in runs}
        mean = means(by_topic, undefined=undefined)
        for run in runs:
            whole = score(measure, [row for topic in topics for row in answers[run][topic]])
            result[run][measure] = mean[run], whole
    return result


# Labels

SCALES = {
    "1..3": (["1", "2", "3"], None),
    "-2..2": (["-2", "-1", "0", "1", "2"], None),
    "neg,neu,pos": (["neg", "neu", "pos"], None),
    "no,perhaps so,yes é,sì": (["no", "perhaps so", "yes é", "sì"], None),
    "low=1,mid=2,high=5": (["low", "mid", "high"], [1, 2, 5]),
    "0..1": (["0", "1"], None),
}
IDS = (str, lambda n: n, "id {}".format, "00{}".format, "é{}".format, "a,b {}".format, "x--{}".format, lambda n: n * 10**15 + 1)
WHOLE = [id for id in NAIVE if "@" not in id and not id.endswith("_weighted") and id != "alpha_ratio"]
DEPENDS_ON_SIZE = (
    "alpha_nominal", "alpha_ordinal", "alpha_interval", "kendall_a", "oci", "rand", "ari", "fowlkes_mallows", "ami", "icm",
    "icm_norm",
)  # fmt: skip
"""Measures that count items, so that an item of weight 2 is not two items."""
SUMS = ("accuracy", "macro_recall", "cem_ord", "cem_nom", "cem_flat", "cem_int")
"""Measures that add up what single answers are worth, which ``--missing zero`` is for."""


def spelled(case, label):
    """A label as text, or as a number where it is one: the same class."""
    if label.lstrip("-").isdigit():
        return case.rng.choice((label, label, int(label), float(label)))
    return label


def names_of(case, count, kind):
    shape = case.rng.choice(IDS)
    return [f"{kind}{n}" if kind else shape(n) for n in range(1, count + 1)]


def label_gold(case, labels):
    """Gold: (topic, item, label, weight), topics None where there are none."""
    rng = case.rng
    topics = [None] if case.one_in(3) else names_of(case, rng.randint(2, 4), rng.choice(("t", "topic ", "")))
    reused = len(topics) > 1 and case.one_in(3)
    items, gold, skewed = iter(names_of(case, 200, "")), [], rng.choice(labels)
    for topic in topics:
        size = rng.randint(1, 8)
        own = names_of(case, size, "i") if reused else [next(items) for _ in range(size)]
        gold += [(topic, item, skewed if case.one_in(4) else rng.choice(labels), rng.randint(1, 4)) for item in own]
    return topics, reused, gold


def with_parameters(labels):
    """Measures that name a class or a number: what is typed, and what the reference takes."""
    one, other = labels[0], labels[-1]
    return {
        "accuracy@1": ("accuracy@n", {"n": 1}),
        f"recall@{one}": ("recall@LABEL", {"labels": (0,)}),
        f"precision@{other}": ("precision@LABEL", {"labels": (len(labels) - 1,)}),
        f"f1@{one}+{other}": ("f1@LABEL", {"labels": (0, len(labels) - 1)}),
        f"conditional_entropy@{other}": ("conditional_entropy@LABEL", {"label": len(labels) - 1}),
        "oci@beta=0.25": ("oci", {"beta": 0.25}),
    }


def with_distances(case, labels):
    """A file of distances between the classes, with or without their names."""
    matrix = distances(len(labels))
    lines = [" ".join(map(str, row)) for row in matrix]
    path = case.folder / "distances.txt"
    path.write_text("\n".join(lines) + "\n")
    case.add("--distance", path)
    return matrix


def numeric_labels(folder, seed):
    """Numbers that ``--bins`` cuts into classes."""
    case = Case(folder, random.Random(f"bins {seed}"))  # noqa: S311
    rng = case.rng
    edges = sorted(rng.sample((0.5, 1.5, 2, 2.25, 3.75), rng.randint(1, 4)))
    labels = [str(n) for n in range(1, len(edges) + 2)]
    case.add("--classes", f"1..{len(labels)}", "--bins", ",".join(map(str, edges)))
    case.rename("item", "label")
    items = names_of(case, rng.randint(1, 9), "")
    paths = [
        written(case, name, [{"item": item, "label": rng.choice((1, 2, 1.5, 2.25, -3, 0.4999, 3.75, 9))} for item in items])
        for name in ("gold", "one", "two")
    ]
    case.measures = tuple(rng.sample(WHOLE, 6))
    gold, *outputs = [
        {text(row["item"]): sum(float(row["label"]) >= edge for edge in edges) for row in read(case, path)} for path in paths
    ]
    answers = {run: {"all": [(gold[item], own[item]) for item in gold]} for run, own in zip(("one", "two"), outputs, strict=True)}

    def score(measure, pairs):
        return naive(measure, [a for a, _ in pairs], [b for _, b in pairs], list(range(1, len(labels) + 1)), None)

    return case, case.call(paths[0], paths[1:]), tabulated(score, answers, ["all"], ["one", "two"], case, "skip")


def repeats(folder, seed):
    """Several outputs for an item, which share its weight."""
    case = Case(folder, random.Random(f"repeats {seed}"))  # noqa: S311
    rng = case.rng
    labels = ["a", "b", "c"]
    case.add("--classes", "a,b,c", "--repeat-column", "attempt")
    items = names_of(case, rng.randint(2, 8), "")
    gold = {text(item): rng.choice(labels) for item in items}
    paths = [written(case, "gold", [{"item": item, "label": gold[text(item)]} for item in items])]
    for run in ("one", "two"):
        rows = [
            {"item": item, "attempt": n, "label": rng.choice((gold[text(item)], *labels))}
            for item in items
            for n in range(rng.randint(1, 3))
        ]
        paths.append(written(case, run, rows))
    case.measures = tuple(rng.sample([id for id in WHOLE if id not in DEPENDS_ON_SIZE], 6))
    answers = {}
    for path in paths[1:]:
        outputs = defaultdict(list)
        for row in read(case, path):
            outputs[text(row["item"])].append(labels.index(row["label"]))
        answers[path.name.partition(".")[0]] = {
            "all": [(labels.index(gold[i]), one) for i, own in outputs.items() for one in own for _ in range(6 // len(own))]
        }

    def score(measure, pairs):
        return naive(measure, [a for a, _ in pairs], [b for _, b in pairs], [1, 2, 3], None)

    return case, case.call(paths[0], paths[1:]), tabulated(score, answers, ["all"], ["one", "two"], case, "skip")


def classification(folder, seed):
    """Labels: apart, side by side or stacked."""
    case = Case(folder, random.Random(f"labels {seed}"))  # noqa: S311 - data, not secrets
    rng = case.rng
    scale = rng.choice(list(SCALES))
    labels, values = SCALES[scale]
    case.add("--classes", scale)
    topics, reused, gold = label_gold(case, labels)
    weighted, shape = case.one_in(4), rng.choice(("apart", "apart", "side by side", "stacked"))
    used = {"apart": ["item", "label"], "side by side": ["item", "gold"], "stacked": ["gold", "label"]}[shape]
    case.rename(*used, *(["topic"] if topics != [None] else []), *(["weight"] if weighted else []))
    run_names = ["one", "two", "run 3", "x--y"][: rng.randint(1, 4)]
    policy = (
        None if shape == "stacked" or case.one_in(2) else rng.choice(("drop", "zero", f"class:{rng.choice(labels)}", "worst"))
    )
    if policy == "worst" and len(labels) % 2:
        policy = "drop"  # of two ends that are equally far, each measure takes the one that is worse for it: tested elsewhere
    if policy == "zero" and weighted:
        policy = "drop"
    if policy:
        case.add("--missing", policy)
    outputs = {
        run: {(topic, item): rng.choice((label, rng.choice(labels))) for topic, item, label, _ in gold} for run in run_names
    }
    for own in outputs.values():
        for key in rng.sample(sorted(own, key=str), rng.randrange(len(own)) if policy and len(own) > 1 else 0):
            del own[key]
    undefined, average = rng.choice(("skip", "skip", "zero")), rng.choice(("topics", "topics", "pooled"))
    if undefined != "skip":
        case.add("--undefined", undefined)
    if average != "topics":
        case.add("--average", average)
    able = SUMS if policy == "zero" else [id for id in WHOLE if not (weighted and id in DEPENDS_ON_SIZE)]
    parameters = {} if policy == "zero" else with_parameters(labels)
    distance = with_distances(case, labels) if case.one_in(4) and policy != "zero" and not weighted else None
    able = [*able, *parameters]
    if weighted:
        able = [id for id in able if id.partition("@")[0] not in DEPENDS_ON_SIZE]
    if undefined == "zero":
        able = [id for id in able if not id.startswith(LOWER)]
    case.measures = tuple(rng.sample(able, min(6, len(able)))) + (("kappa_weighted", "alpha_weighted") if distance else ())
    files = {"apart": labels_apart, "side by side": labels_beside, "stacked": labels_stacked}[shape](
        case, gold, outputs, weighted=weighted, with_topics=topics != [None], reused=reused
    )
    how = LabelScoring(labels, values or list(range(1, len(labels) + 1)), policy, undefined, parameters, distance)
    return case, case.call(*files), expected_of_labels(case, *files, how)


@dataclass
class LabelScoring:
    """How labels are scored."""

    labels: list
    values: list
    policy: str | None
    undefined: str
    parameters: dict
    distance: list | None


def labels_apart(case, gold, outputs, *, weighted, with_topics, reused):
    topic = (lambda name: {"topic": name}) if with_topics else lambda _: {}
    weight = (lambda w: {"weight": w}) if weighted else lambda _: {}
    rows = [{"item": item, **topic(t), "label": spelled(case, label), **weight(w)} for t, item, label, w in gold]
    gold_path = written(case, "gold file", rows)
    extra = case.one_in(4)
    if extra:
        case.add("--extra", "ignore")
    paths = []
    for run, own in outputs.items():
        has_topics = with_topics and (reused or case.one_in(2))
        here = [{"item": i, **({"topic": t} if has_topics else {}), "label": spelled(case, l)} for (t, i), l in own.items()]
        if extra and here and case.one_in(2):
            here.append({**here[0], "item": "stranger", **({"topic": "nowhere"} if has_topics and case.one_in(2) else {})})
        paths.append(written(case, run, here) if here else None)
    return gold_path, [path for path in paths if path]


def labels_beside(case, gold, outputs, *, weighted, with_topics, **_):
    rows = []
    for topic, item, label, weight in gold:
        row = {"item": item, "gold": spelled(case, label), **({"weight": weight} if weighted else {})}
        row |= {"topic": topic} if with_topics else {}
        row |= {run: spelled(case, own[topic, item]) if (topic, item) in own else None for run, own in outputs.items()}
        rows.append(row)
    case.add("--run-columns", ",".join(outputs))
    return written(case, "both", rows), []


def labels_stacked(case, gold, outputs, *, weighted, with_topics, **_):
    case.rename("run")
    rows = [
        {"run": run, "gold": label, "label": spelled(case, own[topic, item])}
        | ({"weight": weight} if weighted else {})
        | ({"topic": topic} if with_topics else {})
        | ({"item": item} if with_topics or len(outputs) > 2 else {})
        for run, own in outputs.items()
        for topic, item, label, weight in gold
    ]
    return written(case, "stacked", rows), []


def label_of(cell, labels):
    found = text(cell)
    return labels.index(found if found in labels else found.removesuffix(".0"))


def expected_of_labels(case, gold_path, run_paths, how):
    """What the naive reader finds in the files, scored item by item."""
    rows, labels = read(case, gold_path), how.labels
    if run_paths:
        gold = {
            (text(row.get("topic")), text(row["item"])): (label_of(row["label"], labels), row.get("weight", 1)) for row in rows
        }
        where = {item: topic for topic, item in gold}
        outputs = {
            path.name.partition(".")[0]: {
                (text(row["topic"]) if "topic" in row else where.get(text(row["item"])), text(row["item"])): row["label"]
                for row in read(case, path)
            }
            for path in run_paths
        }
    elif "run" in rows[0]:
        outputs, gold = defaultdict(dict), {}
        for place, row in enumerate(rows):
            key = text(row.get("topic")), place
            gold[key] = label_of(row["gold"], labels), row.get("weight", 1)
            outputs[row["run"]][key] = row["label"]
        return scored_labels(case, {run: {key: gold[key] for key in own} for run, own in outputs.items()}, outputs, how)
    else:
        gold = {
            (text(row.get("topic")), text(row["item"])): (label_of(row["gold"], labels), row.get("weight", 1)) for row in rows
        }
        named = case.arguments[case.arguments.index("--run-columns") + 1].split(",")
        outputs = {
            run: {
                (text(row.get("topic")), text(row["item"])): row[run] for row in rows if row.get(run) is not None
            } for run in named
        }  # fmt: skip
    return scored_labels(case, dict.fromkeys(outputs, gold), outputs, how)


def scored_labels(case, golds, outputs, how):
    labels = how.labels
    topics = sorted({topic for gold in golds.values() for topic, _ in gold})
    answers = {run: {topic: [] for topic in topics} for run in outputs}
    for run, own in outputs.items():
        for (topic, item), (gold, weight) in golds[run].items():
            answer = label_of(own[topic, item], labels) if (topic, item) in own else lacking(how.policy, gold, labels)
            if answer is not NAN:
                answers[run][topic] += [(gold, answer)] * int(float(weight))

    def score(measure, pairs):
        g, p = [a for a, _ in pairs], [b for _, b in pairs]
        if None in p:
            return worth_nothing(measure, pairs, how.values)
        id, at = how.parameters.get(measure, (measure, {}))
        return naive(id, g, p, how.values, how.distance, **at)

    return tabulated(score, answers, topics, list(outputs), case, how.undefined)


def lacking(policy, gold, labels):
    """What becomes of an item that a run lacks: NaN is left out, None is worth nothing."""
    if policy == "drop":
        return NAN
    if policy == "zero":
        return None
    return (0 if 2 * gold >= len(labels) else len(labels) - 1) if policy == "worst" else labels.index(policy.partition(":")[2])


def worth_nothing(measure, pairs, values):
    """``--missing zero``: nothing is added, and the denominator stays."""
    answered = [pair for pair in pairs if pair[1] is not None]
    gold = [a for a, _ in pairs]
    if measure == "accuracy":
        return sum(a == b for a, b in answered) / len(pairs)
    if measure == "macro_recall":
        return sum(sum(a == b == c for a, b in answered) / gold.count(c) for c in set(gold)) / len(set(gold))
    # CEM is a sum over items: what an answer is worth is what a right one is worth, less what the score falls by for it alone.
    right = naive(measure, gold, gold, values, None)
    return math.fsum(
        own_worth(measure, gold, a) - (right - naive(measure, gold, with_one(gold, a, b), values, None)) for a, b in answered
    )


def with_one(gold, a, b):
    place = gold.index(a)
    return [*gold[:place], b, *gold[place + 1 :]]


def own_worth(measure, gold, a):
    """What a right answer to one item of class ``a`` adds to CEM: its part of the sum over all."""
    n = len(gold)
    of_class = {c: gold.count(c) / (2 * n) for c in set(gold)}
    worth = (lambda share: 1 - share) if measure == "cem_flat" else lambda share: -math.log2(share)
    return worth(of_class[a]) / math.fsum(worth(of_class[c]) for c in gold)


# Distributions


def quantification(folder, seed):
    """Distributions: long or wide, probabilities or counts, or labels."""
    case = Case(folder, random.Random(f"distributions {seed}"))  # noqa: S311
    rng = case.rng
    scale = rng.choice(("neg,neu,pos", "-2..2", "a,b", "low=1,mid=2,high=5"))
    labels, values = SCALES.get(scale, (["a", "b"], None))
    topics = names_of(case, rng.randint(1, 5), rng.choice(("t", "")))
    how = rng.choice(("probabilities", "probabilities", "counts", "normalise"))
    if how != "probabilities":
        case.add(f"--{how}")
    smooth = rng.choice((None, None, 0.001, 0.25))
    if smooth:
        case.add("--smooth", smooth)
    case.add("--task", "quantification", "--classes", scale)
    shapes = [rng.choice(("wide", "long")) for _ in range(4)]
    case.measures = tuple(rng.sample(list(REFERENCES), 6))
    names = ("gold", "one", "two", "run 3")[: rng.randint(2, 4)]
    case.rename("topic", *(["class", "probability"] if "long" in shapes[: len(names)] else []))
    paths = [distribution_file(case, name, topics, labels, how, shape) for name, shape in zip(names, shapes, strict=False)]
    gold, *outputs = [read_distributions(case, path, labels) for path in paths]
    names = [path.name.partition(".")[0] for path in paths[1:]]
    answers = {
        run: {t: [(own[t], gold[t])] for t in gold} for run, own in zip(names, outputs, strict=True)
    }  # fmt: skip
    exact = tuple(map(Fraction, values or range(1, len(labels) + 1)))

    def score(measure, pairs):
        mass = [sum(q) if how != "probabilities" else 1 for _, q in pairs]
        p, q = (whole([pair[side] for pair in pairs], mass, smooth) for side in (0, 1))
        return float(REFERENCES[measure](p, q, exact, apart(exact)))

    return case, case.call(paths[0], paths[1:]), tabulated(score, answers, sorted(gold), names, case, "skip")


def whole(rows, mass, smooth):
    """The distribution of all rows together, each with the weight of its topic."""
    shares = [[one / sum(row) for one in row] for row in rows]
    if smooth:
        epsilon = Fraction(str(smooth))
        shares = [[(one + epsilon) / (1 + len(row) * epsilon) for one in row] for row in shares]
    return tuple(sum(w * one for w, one in zip(mass, ones, strict=True)) / sum(mass) for ones in zip(*shares, strict=True))


def distribution_file(case, name, topics, labels, how, shape):
    rng = case.rng
    rows = []
    for topic in topics:
        mass = [rng.choice((0, 1, 2, 5)) for _ in labels]
        if not any(mass):
            mass[0] = 1
        if how == "probabilities":  # in quarters and eighths, which are exact in decimals
            mass = [0] * len(labels)
            for _ in range(8):
                mass[rng.randrange(len(labels))] += 1
            mass = [one / 8 for one in mass]
        rows.append((topic, mass))
    if shape == "wide":
        wide = [{"topic": topic} | dict(zip(labels, mass, strict=True)) for topic, mass in rows]
        return written(case, name, wide, more=False)  # each column is a class
    long = [
        {"topic": topic, "class": label, "probability": one}
        for topic, mass in rows
        for label, one in zip(labels, mass, strict=True)
        if one or case.one_in(2)
    ]
    return written(case, name, long)


def read_distributions(case, path, labels):
    found = {}
    for row in read(case, path):
        own = found.setdefault(text(row["topic"]), [Fraction(0)] * len(labels))
        if "class" in row:
            own[labels.index(text(row["class"]))] = Fraction(str(row["probability"]))
        else:
            for place, label in enumerate(labels):
                own[place] = Fraction(str(row[label]))
    return found


# Entailment

SERIES = {
    "linear": naive_entailment.linear,
    "reciprocal": lambda n: [1 / place for place in range(1, n + 1)],
    "logarithmic": lambda n: [1 / math.log2(place + 1) for place in range(1, n + 1)],
}


def entailment(folder, seed):
    """Labels with an order of confidence and one of belief, by numbers or by ranks."""
    case = Case(folder, random.Random(f"entailment {seed}"))  # noqa: S311
    rng = case.rng
    names = rng.choice((("E", "N", "C"), ("YES", "UNKNOWN", "NO"), ("entailment", "neutral", "contra diction")))
    case.add("--task", "entailment", "--positive", names[0], "--neutral", names[1], "--negative", names[2], "--no-baselines")
    topics = [None] if case.one_in(2) else ["t1", "t2"]
    sure, belief = rng.choice(("confidence", "rank")), rng.choice(("score", "score_rank"))
    case.rename("item", "label", sure, belief, *(["topic"] if topics != [None] else []))
    gold, n = [], 0
    for topic in topics:
        for _ in range(rng.randint(2, 3 if len(topics) > 1 else 6)):
            n += 1
            gold.append((topic, f"i{n}", names[0] if case.one_in(2) else rng.choice(names)))
    own_topic = (lambda t: {"topic": t}) if topics != [None] else lambda _: {}
    series = rng.choice(list(SERIES))
    if series != "linear" or case.one_in(3):
        case.add("--rank-weights", series)
    paths = [written(case, "gold", [{"item": i, **own_topic(t), "label": label} for t, i, label in gold])]
    for run in ("one", "two")[: rng.randint(1, 2)]:
        rows = [
            {
                "item": i,
                "label": rng.choice((label, *names)),
                sure: rng.choice((1, 2, 2, 3)),
                belief: rng.choice((1, 2, 3, 3)),
            }
            for _, i, label in gold
        ]
        paths.append(written(case, run, rows))
    case.measures = tuple(m for m in naive_entailment.MEASURES if not (sure == "rank" and m.endswith("@confidence")))
    answers = {}
    labelled = {text(row["item"]): row for row in read(case, paths[0])}
    for path in paths[1:]:
        by_topic = defaultdict(list)
        for row in read(case, path):
            own = labelled[text(row["item"])]
            order = [float(row[name]) * (-1 if name.endswith("rank") else 1) for name in (sure, belief)]
            roles = [naive_entailment.LABELS[names.index(one["label"])] for one in (own, row)]
            by_topic[text(own.get("topic"))].append((*roles, *order))
        answers[path.name.partition(".")[0]] = by_topic

    def score(measure, rows):
        if measure == "average_precision" and not any(row[0] == "E" for row in rows):
            return NAN
        shifted = [(g, p, s if sure == "confidence" else s + 10, b) for g, p, s, b in rows]
        return naive_entailment.reference(shifted, SERIES[series])[measure]

    topics = sorted({topic for own in answers.values() for topic in own})
    return case, case.call(paths[0], paths[1:]), tabulated(score, answers, topics, list(answers), case, "skip")


# Rankings


def rank_of(row):
    """1 is best; a score is the better the higher."""
    return float(row["rank"]) if "rank" in row else -float(row["score"])


def tied(predicted, epsilon):
    """Ranks in which the best of those left leads a group of all that are at most epsilon behind it."""
    leaders = []
    for one in sorted(predicted):
        if not leaders or not one - leaders[-1] <= epsilon:
            leaders.append(one)
    return [max(leader for leader in leaders if leader <= one) for one in predicted]


def pair_counts(rows):
    """Concordant, discordant, tied by the human only, by the run only, by both; a row is (human rank, predicted rank)."""
    found = [0] * 5
    for (g, p), (h, q) in combinations(rows, 2):
        if g == h:
            found[4 if p == q else 2] += 1
        elif p == q:
            found[3] += 1
        else:
            found[0 if (p < q) == (g < h) else 1] += 1
    return found


FRACTIONS = {
    "tau@wmt08": lambda c, d, h, m, b: (c, c + d + m),
    "tau@wmt12": lambda c, d, h, m, b: (c - d - m, c + d + m),
    "tau@wmt13": lambda c, d, h, m, b: (c - d, c + d),
    "tau@wmt14": lambda c, d, h, m, b: (c - d, c + d + m),
    "tau@xties": lambda c, d, h, m, b: (c - d + b, c + d + h + m + b),
    "tau@a": lambda c, d, h, m, b: (c - d, c + d + h + m + b),
    "tau@b": lambda c, d, h, m, b: (c - d, math.sqrt((c + d + m) * (c + d + h))),
    "tau@eq": lambda c, d, h, m, b: (c + b - d - h - m, c + d + h + m + b),
}
LISTS = ("dcg", "ndcg", "mrr", "err", "ndcg@2", "dcg@3", "err@2", "mrr@2")


def orders_of(predicted):
    """Every order of the items that the predicted ranks allow, each as likely."""
    groups = [[place for place, rank in enumerate(predicted) if rank == one] for one in sorted(set(predicted))]
    return [sum(order, ()) for order in product(*map(permutations, groups))]


def of_one_order(name, order, numbers, human, k, *, linear):
    """The textbook measure of one order of the items, at places of these numbers."""
    items = len(human)
    relevance = [items - sum(other < rank for other in human) for rank in human]
    gain = [float(one) if linear else 2.0**one - 1 for one in relevance]
    placed = [(number, item) for number, item in zip(numbers, order, strict=True) if number <= k]
    dcg = sum(gain[item] / math.log2(number + 1) for number, item in placed)
    match name:
        case "dcg":
            return dcg
        case "ndcg":
            return dcg / sum(g / math.log2(place + 2) for place, g in enumerate(sorted(gain, reverse=True)[:k]))
        case "mrr":
            return next((1 / number for number, item in placed if relevance[item] == items), 0.0)
    go_on, total = 1.0, 0.0
    for number, item in placed:
        stop = gain[item] / (items if linear else 2.0**items)
        total, go_on = total + go_on * stop / number, go_on * (1 - stop)
    return total


def ranking(folder, seed):
    """Ranks or scores of segments' items, by several judges."""
    case = Case(folder, random.Random(f"rankings {seed}"))  # noqa: S311
    rng = case.rng
    case.add("--task", "ranking")
    linear, worst, lacking_some, extra, judged = (case.one_in(n) for n in (3, 4, 3, 4, 3))
    epsilon, of_gold = rng.choice((0, 0, 0.5, 1.25)), rng.choice(("rank", "rank", "score"))
    flags = {
        ("--gain", "linear"): linear,
        ("--ties", "worst"): worst,
        ("--missing", "last"): lacking_some,
        ("--tie-epsilon", epsilon): epsilon,
        ("--extra", "ignore"): extra,
    }
    case.add(*(word for flag, used in flags.items() if used for word in flag))
    case.rename("segment", "item", *(["judge"] if judged else []))
    segments = {f"s{n}": [f"m{place}" for place in range(rng.randint(2, 5))] for n in range(rng.randint(1, 4))}
    gold = [
        {"segment": s, "item": item, of_gold: rng.randint(1, 3)} | ({"judge": judge} if judged else {})
        for s, items in segments.items()
        for judge in (("ann", "bob") if judged else ("",))
        for item in items
    ]
    paths = [written(case, "gold", gold)]
    for run in ("one", "two")[: rng.randint(1, 2)]:
        what = "score" if epsilon else rng.choice(("rank", "score"))
        rows = [
            {"segment": s, "item": item, what: rng.choice((1, 2, 3, 2.5))}
            for s, items in segments.items()
            for place, item in enumerate(items)
            if not (lacking_some and place and case.one_in(4))
        ]
        strangers = [{"segment": rng.choice(("s0", "elsewhere")), "item": "stranger", what: 1}] if extra else []
        paths.append(written(case, run, rows + strangers))
    case.measures = tuple(rng.sample(list(FRACTIONS), 3) + rng.sample(LISTS, 3))
    answers = ranked(case, paths, epsilon)

    def score(measure, found):
        if measure in FRACTIONS:
            top, bottom = FRACTIONS[measure](*(sum(one) for one in zip(*map(pair_counts, found), strict=True)))
            return top / bottom if bottom else NAN
        values = [of_a_list(measure, rows, worst=worst, linear=linear) for rows in found]
        return math.fsum(values) / len(values)

    segments = sorted(next(iter(answers.values())))
    return case, case.call(paths[0], paths[1:]), tabulated(score, answers, segments, list(answers), case, "skip")


def ranked(case, paths, epsilon):
    """{run: {segment and judge: [[(human rank, predicted rank) of each item]]}}; what a run lacks comes last."""
    gold, answers = defaultdict(dict), {}
    for row in read(case, paths[0]):
        gold[text(row["segment"]), text(row.get("judge"))][text(row["item"])] = rank_of(row)
    for path in paths[1:]:
        places = {(text(row["segment"]), text(row["item"])): rank_of(row) for row in read(case, path)}
        answers[path.name.partition(".")[0]] = {
            key: [list(zip(own.values(), tied([places.get((key[0], item), math.inf) for item in own], epsilon), strict=True))]
            for key, own in gold.items()
        }
    return answers


def of_a_list(measure, rows, *, worst, linear):
    """The mean over all ways to break predicted ties; or with each item at the last place of its tie."""
    name, _, k = measure.partition("@")
    human, predicted = [g for g, _ in rows], [p for _, p in rows]
    numbers = [sum(p <= q for p in predicted) for q in sorted(predicted)] if worst else range(1, len(rows) + 1)
    orders = orders_of(predicted)
    return math.fsum(of_one_order(name, order, numbers, human, int(k or len(rows)), linear=linear) for order in orders) / len(
        orders
    )


def trec(folder, seed):
    """Qrels and runs of TREC, read as trec_eval reads them."""
    case = Case(folder, random.Random(f"trec {seed}"))  # noqa: S311
    rng = case.rng
    case.add("--task", "ranking")
    if case.one_in(2):
        case.add("--compat", "trec_eval")
    space = rng.choice((" ", "\t", "  "))
    topics = [str(n) for n in rng.sample(range(1, 500), rng.randint(1, 4))]
    documents = [f"d{n}" for n in range(12)]
    qrels = {topic: {d: rng.choice((0, 0, 1, 2, 3)) for d in rng.sample(documents, rng.randint(1, 8))} for topic in topics}
    lines = [space.join((topic, "0", d, str(grade))) for topic, own in qrels.items() for d, grade in own.items()]
    rng.shuffle(lines)
    (folder / "qrels").write_text("\n".join(lines) + "\n")
    runs = {}
    for name in ("one", "two")[: rng.randint(1, 2)]:
        answered = topics if case.one_in(2) else rng.sample(topics, rng.randint(1, len(topics)))
        lists = {
            topic: {d: rng.choice((1, 2.5, 2.5, 1e-3, -4)) for d in rng.sample(documents, rng.randint(1, 9))}
            for topic in answered
        }
        lines = [space.join((topic, "Q0", d, "1", str(value), name)) for topic, own in lists.items() for d, value in own.items()]
        rng.shuffle(lines)
        (folder / name).write_text("\n".join(lines) + "\n")
        runs[name] = lists
    case.measures = ("average_precision", "ndcg", "ndcg@3", "mrr", "dcg@4")
    expected = {
        name: {
            measure: (math.fsum(each) / len(each), NAN)
            for measure in case.measures
            for each in [[as_trec_eval(measure, lists[t], qrels[t]) for t in lists]]
        }
        for name, lists in runs.items()
    }
    return case, case.call(folder / "qrels", [folder / name for name in runs]), expected


def as_trec_eval(measure, scores, grades):
    """Equal scores are ordered by document id, the last first; what nobody judged is not relevant."""
    order = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
    relevant = [grades.get(d, 0) > 0 for d in order]
    name, _, k = measure.partition("@")
    gains = [grades.get(d, 0) for d in order][: int(k or len(order))]
    dcg = sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))
    ideal = sorted(grades.values(), reverse=True)[: int(k or len(grades))]
    match name:
        case "mrr":
            return next((1 / place for place, hit in enumerate(relevant, start=1) if hit), 0)
        case "average_precision":
            hits = [sum(relevant[:place]) / place for place, hit in enumerate(relevant, start=1) if hit]
            return math.fsum(hits) / max(1, sum(grade > 0 for grade in grades.values()))
        case "dcg":
            return dcg
    return dcg / sum(gain / math.log2(place + 2) for place, gain in enumerate(ideal)) if any(ideal) else 0


TASKS = {
    "classification": classification,
    "numeric labels": numeric_labels,
    "repeats": repeats,
    "quantification": quantification,
    "entailment": entailment,
    "ranking": ranking,
    "trec": trec,
}
