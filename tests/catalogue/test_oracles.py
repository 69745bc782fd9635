"""The classification measures against references written apart from them, and on a thousand million items."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import metameasure as mm
from conftest import recorded_measures
from naive import (
    MEANS,
    NAIVE,
    NAN,
    by_ratio,
    by_value,
    cases,
    distances,
    looked_up,
    mostly,
    naive,
    nominal,
    spread,
    squared,
    table,
    uneven,
)

SIZES = (1, 2, 3, 5, 11, 50)
SPELLED = {  # what is typed: the id, and what stands behind its @
    **{id: (id, {}) for id in NAIVE if "@" not in id or id.endswith("@corrected")},
    **{f"accuracy@{n}": ("accuracy@n", {"n": n}) for n in (1, 2, 7)},
    **{
        f"{id}@{'+'.join(str(c + 1) for c in labels)}": (f"{id}@LABEL", {"labels": labels})
        for id in ("precision", "recall", "f1")
        for labels in ((0,), (1,), (2,), (0, 2), (0, 1, 4))
    },
    **{f"conditional_entropy@{c + 1}": ("conditional_entropy@LABEL", {"label": c}) for c in (0, 1, 2)},
    **{f"{id}@beta={b}": (id, {"beta": b}) for id in ("fbeta_macro", "fbeta_weighted") for b in (0.5, 2)},
    **{f"nmi@{among}": ("nmi", {"among": among}) for among in MEANS},
    **{f"oci@beta={b}:gamma={c}": ("oci", {"beta": b, "gamma": c}) for b, c in ((0.5, 2), (2, 1), (0, 1), (0.25, 3))},
}


def named(spelled):
    """The highest class that an id names, by its place on the scale."""
    _, at = SPELLED[spelled]
    return max(at.get("labels", [at.get("label", 0)]))


def options(spelled, size, values=None):
    names = [str(c + 1) for c in range(size)]
    given = {"classes": names if values is None else dict(zip(names, values, strict=True))}
    d = distances(size, symmetric=spelled != "kappa_weighted")
    return given | ({"distance": d} if spelled.endswith("_weighted") else {}), d


def assert_close(value, expected):
    np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-12, equal_nan=True)


def test_every_measure_has_a_reference():
    """But for new ones, which nothing has been promised of yet."""
    ours = {id for id in mm.measures if mm.measures[id].module.startswith("metameasure.catalogue.classification")}
    assert set(NAIVE) == ours & {*recorded_measures(), *NAIVE} == {id for id, _ in SPELLED.values()}


@pytest.mark.parametrize("valued", [False, True], ids=["steps", "values"])
@pytest.mark.parametrize(
    ("spelled", "size"),
    [
        # Naive loops over 50 classes take longest, and 11 classes show what 5 do.
        pytest.param(x, size, marks=[pytest.mark.slow] if size in (5, 50) else [])
        for x in SPELLED
        for size in SIZES
        if named(x) < size
    ],
)
def test_naive(spelled, size, valued):
    (id, at), items = SPELLED[spelled], cases(size, seed=int(valued))
    values = uneven(size) if valued else list(range(1, size + 1))
    given, d = options(spelled, size, values if valued else None)
    stack = np.stack([table(g, p, size) for g, p in items])
    expected = [naive(id, g, p, values, d, **at) for g, p in items]
    assert_close(mm.measures[spelled](stack, **given), expected)  # all at once
    assert_close([mm.measures[spelled](counts, **given) for counts in stack], expected)  # one by one
    if "distance" not in given:
        names = list(given["classes"])
        labels = ([names[c] for c in side] for side in items[-3])
        assert_close(mm.score(*labels, spelled, classes=given["classes"]), expected[-3])


ABSOLUTE = {  # N enters as such
    x for x in SPELLED if "alpha" in x or x == "kendall_a" or x.endswith((":gamma=2", ":gamma=3", "@corrected"))
} | {"rand", "ari", "fowlkes_mallows", "ami", "icm", "icm_norm"}


@pytest.mark.parametrize("spelled", sorted(SPELLED.keys() - ABSOLUTE))
def test_proportions_score_as_their_counts(spelled):
    given, _ = options(spelled, 5)
    for g, p in cases(5)[1:]:
        counts = table(g, p, 5)
        assert_close(mm.measures[spelled](counts / len(g), **given), mm.measures[spelled](counts, **given))


def exact(t, values, d):  # noqa: C901
    """Each measure from a table of Python integers, with fractions for values and distances, to as many digits as Decimal has."""
    size, gold, output = len(t), [sum(row) for row in t], [sum(column) for column in zip(*t, strict=True)]
    classes, total, both = range(size), sum(gold), [x + y for x, y in zip(gold, output, strict=True)]
    cells = [(a, b, t[a][b]) for a in classes for b in classes if t[a][b]]
    occur, steps, far = [c for c in classes if gold[c]], by_value(classes), by_value(values)
    order = {(a, b): [sum(n for c, e, n in cells if (a - c) * (b - e) * s > 0) for s in (1, -1)] for a, b, _ in cells}

    def over(x, y):
        x, y = (Decimal(z.numerator) / z.denominator if isinstance(z, Fraction) else Decimal(z) for z in (x, y))
        return x / y if y else Decimal("NaN")

    def log2(x):
        return (Decimal(x.numerator).ln() - Decimal(x.denominator).ln()) / Decimal(2).ln()

    def summed(f):
        return sum(n * f(a, b) for a, b, n in cells)

    def mean(f):
        return over(summed(f), total)

    def macro(f):
        return over(sum(f(c) for c in occur), len(occur))

    def within(c, f):
        return sum(n * f(c, b) for b, n in enumerate(t[c])) / gold[c]

    def kappa(cost):
        expected = sum(gold[a] * output[b] * cost(a, b) for a in classes for b in classes)
        return over(expected - total * summed(cost), expected)

    def alpha(delta):
        expected = sum(both[a] * both[b] * delta(a, b) ** 2 for a, b in combinations(classes, 2))
        return over(expected - (2 * total - 1) * summed(squared(delta)), expected)

    def ranks_between(a, b):
        return sum(both[min(a, b) : max(a, b) + 1]) - Fraction(both[a] + both[b], 2)

    def between(a, b):
        return (sum(gold[min(a, b) : max(a, b) + 1]) - Fraction(gold[b], 2)) / total

    def nearer(a, b):
        return Fraction(sum(n * ((far(x, a) < far(a, b)) + (far(x, a) <= far(a, b))) for x, n in enumerate(gold)), 2 * total)

    def cem(closer, worth):
        return over(summed(lambda a, b: worth(closer(a, b))), sum(gold[c] * worth(closer(c, c)) for c in occur))

    def correlation(x, y, centred):
        sx, sy = centred * summed(lambda a, b: x[a]), centred * summed(lambda a, b: y[b])
        xx, yy = summed(lambda a, b: x[a] ** 2) * total - sx * sx, summed(lambda a, b: y[b] ** 2) * total - sy * sy
        return over(summed(lambda a, b: x[a] * y[b]) * total - sx * sy, over(xx * yy, 1).sqrt())

    def midranks(n):
        return [sum(n[:c]) + Fraction(1 + n[c], 2) for c in classes]

    def entropy(n):
        return sum(x * log2(Fraction(sum(n), x)) for x in n if x) / (sum(n) or Decimal("NaN"))

    def holding(n):
        return over(summed(lambda a, b: Fraction(order[a, b][0], total - n(a, b) or 1)), total)

    def oci():
        most, b, best = total + summed(steps), Fraction(3, 4 * total * (size - 1)), {(-1, -1): 0}
        for r, c in np.ndindex(size, size):
            before = min(best[x] for x in ((r - 1, c), (r, c - 1), (r - 1, c - 1)) if x in best)
            best[r, c] = before + t[r][c] * (b * abs(r - c) - Fraction(1, most))
        return over(1 + best[size - 1, size - 1], 1)

    information = mean(lambda a, b: log2(Fraction(t[a][b] * total, gold[a] * output[b])))
    labels = [sum(map(bool, sizes)) for sizes in (gold, output)]
    columns = list(zip(*t, strict=True))
    given_output = [entropy(column) for column in columns]
    concordant, discordant = (summed(lambda a, b, k=k: order[a, b][k]) for k in (0, 1))
    untied = [total**2 - sum(x * x for x in n) for n in (gold, output)]
    precision, recall = (lambda c: Fraction(t[c][c], output[c] or 1)), (lambda c: Fraction(t[c][c], gold[c]))
    jaccard = {c: Fraction(t[c][c], both[c] - t[c][c]) for c in occur}
    shares = {c: Fraction(gold[c], total) for c in occur}
    together, in_gold, in_output = (sum(x * (x - 1) for x in sizes) for sizes in ([n for *_, n in cells], gold, output))
    pairs, entropies = total * (total - 1), [entropy(gold), entropy(output)]
    worth = [-log2(Fraction(n or 1, total)) for n in gold]
    contrast = mean(lambda a, b: worth[a] if a == b else -worth[a] - worth[b])
    rel, sen, mp, mr = holding(lambda a, b: output[b]), holding(lambda a, b: gold[a]), macro(precision), macro(recall)
    return {
        "accuracy": mean(lambda a, b: a == b),
        "accuracy@1": mean(lambda a, b: abs(a - b) <= 1),
        "precision@1": over(t[0][0], output[0]),
        "recall@1": over(t[0][0], gold[0]),
        "f1@1": over(2 * t[0][0], both[0]),
        "macro_precision": mp,
        "macro_recall": mr,
        "f1_macro": macro(lambda c: Fraction(2 * t[c][c], both[c])),
        "hmpr": over(2 * mp * mr, mp + mr or 1),
        "f1_weighted": sum(Fraction(gold[c], total) * Fraction(2 * t[c][c], both[c] or 1) for c in classes),
        "fbeta_macro@beta=2": macro(lambda c: Fraction(5 * t[c][c], 4 * gold[c] + output[c])),
        "fbeta_weighted@beta=2": sum(shares[c] * Fraction(5 * t[c][c], 4 * gold[c] + output[c]) for c in occur),
        "precision_weighted": sum(shares[c] * precision(c) for c in occur),
        "jaccard_macro": macro(lambda c: jaccard[c]),
        "jaccard_weighted": sum(shares[c] * jaccard[c] for c in occur),
        "jaccard_micro": over(summed(lambda a, b: a == b), summed(lambda a, b: 1 if a == b else 2)),
        "adjusted_balanced_accuracy": over(len(occur) * mr - 1, len(occur) - 1),
        "rand": over(pairs - in_gold - in_output + 2 * together, pairs),
        "ari": over(together * pairs - in_gold * in_output, Fraction(in_gold + in_output, 2) * pairs - in_gold * in_output),
        "fowlkes_mallows": over(together, (Decimal(in_gold) * Decimal(in_output)).sqrt()),
        "homogeneity": over(information, entropies[0]),
        "completeness": over(information, entropies[1]),
        "nmi": over(2 * information, sum(entropies)),
        "icm": contrast,
        "icm_norm": max(Decimal(0), (contrast / entropies[0] + 1) / 2),
        "mcc": over(
            sum(t[c][c] * total - gold[c] * output[c] for c in classes), (Decimal(untied[0]) * Decimal(untied[1])).sqrt()
        ),
        "rmse": over(mean(squared(far)), 1).sqrt(),
        "mae": mean(far),
        "mse": mean(squared(far)),
        "mae_macro": macro(lambda c: within(c, far)),
        "mse_macro": macro(lambda c: within(c, squared(far))),
        "kappa": kappa(nominal),
        "kappa_linear": kappa(far),
        "kappa_quadratic": kappa(squared(far)),
        "kappa_weighted": kappa(looked_up(d)),
        "alpha_nominal": alpha(nominal),
        "alpha_ordinal": alpha(ranks_between),
        "alpha_interval": alpha(far),
        "alpha_ratio": NAN if min(values) < 0 else alpha(by_ratio(values)),
        "alpha_weighted": alpha(looked_up(d)),
        "cem_ord": cem(between, lambda share: -log2(share)),
        "cem_nom": cem(lambda a, b: between(a, b) if a == b else Fraction(1), lambda share: -log2(share)),
        "cem_int": cem(nearer, lambda share: -log2(share)),
        "cem_flat": cem(between, lambda share: 1 - share),
        "pearson": correlation(values, values, centred=1),
        "spearman": correlation(midranks(gold), midranks(output), centred=1),
        "cosine": correlation(values, values, centred=0),
        "kendall_a": over(concordant - discordant, total * (total - 1)),
        "kendall_b": over(concordant - discordant, over(untied[0] * untied[1], 1).sqrt()),
        "gamma": over(concordant - discordant, concordant + discordant),
        "gold_entropy": entropy(gold),
        "conditional_entropy": sum(over(output[c], total) * given_output[c] for c in classes if output[c]),
        "conditional_entropy@1": given_output[0],
        "mutual_information": information,
        "mutual_information@corrected": information - (labels[0] - 1) * (labels[1] - 1) / (2 * total * Decimal(2).ln()),
        "purity": over(sum(map(max, columns)), total),
        "inverse_purity": over(sum(map(max, t)), total),
        "reliability": rel,
        "sensitivity": sen,
        "reliability_sensitivity_f": over(2 * rel * sen, rel + sen or 1),
        "oci": oci(),
        "threshold_loss": mean(lambda a, b: steps(a, b) * (steps(a, b) + 1)),
    }


LARGE = {
    "independent": ((250_000_001, 249_999_999), (249_999_999, 250_000_001)),
    "one off": mostly(2, (0, 0), (1, 1)),
    "two off": mostly(2, (0, 0), (0, 1), (1, 0)),
    "three off": mostly(2, (1, 1), (0, 1), (1, 0), (0, 0)),
    "far off": mostly(5, (0, 0), (4, 4), (0, 4), (3, 0)),
    "all wrong": mostly(11, (5, 6), (0, 10), (10, 0), (6, 5)),
    "long scale": mostly(50, (49, 49), (0, 0), (0, 49), (49, 0)),
    "band": spread(50, 7, band=1),
    **{f"spread {size}": spread(size, magnitudes) for size, magnitudes in ((2, 9), (3, 9), (5, 2), (11, 9))},
}


@pytest.mark.parametrize("valued", [False, True], ids=["steps", "values"])
@pytest.mark.parametrize("name", LARGE)
def test_a_thousand_million_items(name, valued):
    t, d = LARGE[name], distances(len(LARGE[name]))
    values = uneven(len(t)) if valued else list(range(1, len(t) + 1))
    with localcontext(prec=60):
        fractions = [Fraction(x) for x in values], [[Fraction(x) for x in row] for row in d]
        expected = {spelled: float(value) for spelled, value in exact(t, *fractions).items()}
    # ami's sum has as many terms as items: test_measures_people_look_for.py has it for many.
    assert {SPELLED[spelled][0] for spelled in expected} == set(NAIVE) - {"ami"}
    for spelled, value in expected.items():
        given = options(spelled, len(t), values)[0] | ({"distance": d} if spelled.endswith("_weighted") else {})
        ours = mm.measures[spelled](np.array(t, dtype=np.int64), **given)
        np.testing.assert_allclose(ours, value, rtol=1e-12, atol=1e-15, err_msg=spelled)  # 1e-15: a few roundings near 1
