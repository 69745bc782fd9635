"""References for the quantification measures, written from the papers and from nothing else.

They go class by class in exact fractions, but for logarithms and roots: slow, and meant to be checked by reading. p is the
estimate, q gold (the papers' p*), v the classes' values, d the distances between classes (the papers' δ).
"""

import math
from functools import cache


def apart(values):
    return tuple(tuple(abs(a - b) for b in values) for a in values)


def emd(p, q, v):
    """000 Eq. 11 and 004 Eq. 1 before they divide, the step from each class to the next being as long as the values say."""
    return sum(abs(sum(p[: i + 1]) - sum(q[: i + 1])) * (v[i + 1] - v[i]) for i in range(len(p) - 1))


@cache
def dw(p, q, d):
    """000 Eq. 12 and 004 Eq. 2, for each class i."""
    squares = [(a - b) ** 2 for a, b in zip(p, q, strict=True)]
    return [sum(d[i][j] * squares[j] for j in range(len(p)) if d[i][j]) for i in range(len(p))]


def od(p, q, d):
    """000 Eq. 13 and 004 Eq. 3."""
    over_gold_classes = [weighted for weighted, gold in zip(dw(p, q, d), q, strict=True) if gold > 0]
    return sum(over_gold_classes) / len(over_gold_classes)


def sod(p, q, d):
    """004 Eq. 4."""
    return (od(p, q, d) + od(q, p, d)) / 2


def adw(p, q, d):
    """004 Eq. 7."""
    return sum(dw(p, q, d)) / len(p)


@cache
def gold_mass(q):
    """004 Eq. 11, as distances between all classes."""
    classes = range(len(q))
    return tuple(tuple(sum(q[min(i, j) : max(i, j) + 1]) - (q[i] + q[j]) / 2 for j in classes) for i in classes)


def longest(d):
    """What 004 calls |C| - 1: the distance from the first class to the last where steps are 1."""
    return max(map(max, d))


def kld(p, q):
    """000 Eq. 18; what it leaves undefined is infinite."""
    if any(a > 0 and b == 0 for a, b in zip(p, q, strict=True)):
        return math.inf
    return math.fsum(float(a) * math.log2(a / b) for a, b in zip(p, q, strict=True) if a > 0)


def jsd(p, q):
    """000 Eq. 19."""
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (kld(p, middle) + kld(q, middle)) / 2


def normalised_kld(p, q):
    k = kld(q, p) * math.log(2)
    return 1 if math.isinf(k) else 2 * math.exp(k) / (1 + math.exp(k)) - 1


def errors(p, q):
    return [abs(a - b) for a, b in zip(p, q, strict=True)]


def rps(p, q):
    """The mean over ratings y of the squared distance between the cumulative distribution and [y <= k]."""
    below = [sum(p[: k + 1]) for k in range(len(p) - 1)]
    return sum(q[y] * sum((share - (y <= k)) ** 2 for k, share in enumerate(below)) for y in range(len(q)))


REFERENCES = {
    "emd": lambda p, q, v, d: emd(p, q, v),
    "nmd": lambda p, q, v, d: emd(p, q, v) / (v[-1] - v[0]),
    "od": lambda p, q, v, d: od(p, q, d),
    "sod": lambda p, q, v, d: sod(p, q, d),
    "nod": lambda p, q, v, d: od(p, q, d) / longest(d),
    "snod": lambda p, q, v, d: sod(p, q, d) / longest(d),
    "rnod": lambda p, q, v, d: math.sqrt(od(p, q, d) / longest(d)),  # 000 Eq. 14, 004 Eq. 5
    "rsnod": lambda p, q, v, d: math.sqrt(sod(p, q, d) / longest(d)),  # 000 Eq. 15, 004 Eq. 6
    "adw": lambda p, q, v, d: adw(p, q, d),
    "rnadw": lambda p, q, v, d: math.sqrt(adw(p, q, d) / longest(d)),  # 004 Eq. 8
    "rnod_gold": lambda p, q, v, d: math.sqrt(od(p, q, gold_mass(q)) / (len(q) - 1)),
    "rnadw_gold": lambda p, q, v, d: math.sqrt(adw(p, q, gold_mass(q)) / (len(q) - 1)),
    "nvd": lambda p, q, v, d: sum(errors(p, q)) / 2,  # 000 Eq. 16
    "rnss": lambda p, q, v, d: math.sqrt(sum(e**2 for e in errors(p, q)) / 2),  # 000 Eq. 17
    "manhattan": lambda p, q, v, d: sum(errors(p, q)),
    "wasserstein": lambda p, q, v, d: sum(abs(sum(p[: k + 1]) - sum(q[: k + 1])) for k in range(len(p) - 1)),
    "rps": lambda p, q, v, d: rps(p, q),
    "rps_normalised": lambda p, q, v, d: rps(p, q) / max(1, len(p) - 1),
    "rps_spread": lambda p, q, v, d: rps(q, q),
    "kld": lambda p, q, v, d: kld(p, q),
    "jsd": lambda p, q, v, d: jsd(p, q),
    "normalised_kld": lambda p, q, v, d: normalised_kld(p, q),
    "kld_of_gold": lambda p, q, v, d: kld(q, p) * math.log(2),
    "absolute_error": lambda p, q, v, d: sum(errors(p, q)) / len(q),
    "normalised_absolute_error": lambda p, q, v, d: sum(errors(p, q)) / (2 * (1 - min(q))),
    "normalised_relative_absolute_error": lambda p, q, v, d: (
        math.nan
        if min(q) == 0
        else sum(e / b for e, b in zip(errors(p, q), q, strict=True)) / (len(q) - 1 + (1 - min(q)) / min(q))
    ),
    "squared_error": lambda p, q, v, d: sum(e**2 for e in errors(p, q)) / len(q),
    "relative_absolute_error": lambda p, q, v, d: (
        math.nan if 0 in q else sum(e / gold for e, gold in zip(errors(p, q), q, strict=True)) / len(q)
    ),
}
