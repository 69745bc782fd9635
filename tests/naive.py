"""References for the classification measures, written from the papers and from nothing else.

Item by item, and over all pairs of items where a measure is about pairs: slow, and meant to be checked by reading. Fractions
keep it exact wherever no logarithm or root comes in. Classes are 0 .. size-1; an undefined score is NaN.
"""

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np

NAN = math.nan


def nominal(a, b):
    return int(a != b)


def squared(distance):
    return lambda a, b: distance(a, b) ** 2


def by_value(values):
    return lambda a, b: abs(values[a] - values[b])


def by_ratio(values):
    return lambda a, b: Fraction(abs(values[a] - values[b])) / Fraction(values[a] + values[b]) if a != b else 0


def looked_up(matrix):
    return lambda a, b: matrix[a][b]


def mean(numbers):
    numbers = list(numbers)
    if not numbers or any(map(math.isnan, numbers)):
        return NAN
    return sum(Fraction(number) * times for number, times in Counter(numbers).items()) / len(numbers)


def recall(g, p, c):
    return mean(b == c for a, b in zip(g, p, strict=True) if a == c)


def precision(g, p, c):
    return recall(p, g, c) if c in p else 0 if c in g else NAN


def harmonic(x, y):
    return 2 * x * y / (x + y) if x + y > 0 else 0


def f1(g, p, c):
    return mean([harmonic(precision(g, p, c), recall(g, p, c))]) if c in g else 0 if c in p else NAN


def fbeta(g, p, c, beta):
    x, y = precision(g, p, c), recall(g, p, c)
    return (1 + Fraction(beta) ** 2) * x * y / (Fraction(beta) ** 2 * x + y) if x and y else 0


def jaccard(g, p, c):
    return mean(a == b for a, b in zip(g, p, strict=True) if c in (a, b))


def weighted(g, of_class):
    """The mean over classes, each as often as gold has it."""
    return mean(of_class(c) for c in g)


def adjusted_balanced_accuracy(g, p):
    classes = set(g)
    constant = Fraction(1, len(classes))
    return (mean(recall(g, p, c) for c in classes) - constant) / (1 - constant) if len(classes) > 1 else NAN


def kappa(g, p, cost):
    observed = mean(cost(a, b) for a, b in zip(g, p, strict=True))
    expected = mean(cost(a, b) for a in g for b in p)
    return 1 - observed / expected if expected else NAN


def alpha(g, p, delta):
    labels = g + p
    observed = sum(delta(a, b) ** 2 for a, b in zip(g, p, strict=True))
    expected = sum(delta(a, b) ** 2 for a, b in combinations(labels, 2))
    return 1 - Fraction(observed) * (len(labels) - 1) / Fraction(expected) if expected else NAN


def ranks_between(labels):
    n = [labels.count(c) for c in range(max(labels) + 1)]
    return cache(lambda a, b: sum(n[min(a, b) : max(a, b) + 1]) - Fraction(n[a] + n[b], 2) if a != b else 0)


def between(x, gold, predicted):
    """Whether an item of gold class x is closer to `gold` than `predicted` is, at ordinal scale: 2 if so, 1 for a tie, else 0."""
    return 1 if x == predicted else 2 * (gold <= x <= predicted or gold >= x >= predicted)


def same(x, gold, predicted):
    return int(x == gold) if gold == predicted else 2


def nearer(values):
    def closer(x, gold, predicted):
        its, ours = abs(values[x] - values[gold]), abs(values[predicted] - values[gold])
        return (its < ours) + (its <= ours)

    return closer


def cem(g, p, closer, worth=lambda share: -math.log2(share)):
    def total(output):
        return math.fsum(worth(sum(closer(x, a, b) for x in g) / (2 * len(g))) for a, b in zip(g, output, strict=True))

    return total(p) / total(g)


def pearson(x, y):
    dx, dy = [a - mean(x) for a in x], [b - mean(y) for b in y]
    xx, yy, xy = (sum(a * b for a, b in zip(u, w, strict=True)) for u, w in ((dx, dx), (dy, dy), (dx, dy)))
    return float(xy) / math.sqrt(xx * yy) if xx and yy else NAN


def midranks(labels):
    return [sum(y < x for y in labels) + Fraction(1 + labels.count(x), 2) for x in labels]


def cosine(x, y):
    xx, yy, xy = (sum(Fraction(a) * Fraction(b) for a, b in zip(u, w, strict=True)) for u, w in ((x, x), (y, y), (x, y)))
    return float(xy) / math.sqrt(xx * yy) if xx and yy else NAN


def sign(x):
    return (x > 0) - (x < 0)


def kendall(g, p, kind):
    pairs = [(sign(a - c), sign(b - d)) for (a, b), (c, d) in combinations(zip(g, p, strict=True), 2)]
    balance = sum(s * t for s, t in pairs)
    by_gold, by_output, by_both = sum(s != 0 for s, _ in pairs), sum(t != 0 for _, t in pairs), sum(s * t != 0 for s, t in pairs)
    if kind == "gamma":
        return Fraction(balance, by_both) if by_both else NAN
    if kind == "a":
        return Fraction(balance, len(pairs)) if pairs else NAN
    return balance / math.sqrt(by_gold * by_output) if by_gold and by_output else NAN


def mcc(g, p):
    """Pairs of items (ordered, an item with itself too): the covariance of being in the same class, over the spreads."""
    n = len(g)
    hits = sum(a == b for a, b in zip(g, p, strict=True))
    together = hits * n - sum(a == b for a in g for b in p)
    apart = [sum(a != b for a in side for b in side) for side in (g, p)]
    return together / math.sqrt(apart[0] * apart[1]) if all(apart) else NAN


def relations_that_hold(claimed, true):
    shares = []
    for a, b in zip(claimed, true, strict=True):
        related = [sign(a - c) == sign(b - d) for c, d in zip(claimed, true, strict=True) if c != a]
        if related:
            shares.append(mean(related))
    return mean(shares)


def reliability_sensitivity_f(g, p):
    both = [relations_that_hold(p, g), relations_that_hold(g, p)]
    undefined = sum(x is NAN for x in both)
    return harmonic(*both) if not undefined else NAN if undefined == 2 else 0


def entropy(labels):
    return -math.fsum(math.log2(labels.count(x) / len(labels)) for x in labels) / len(labels) if labels else NAN


def entropy_given(g, p, c):
    return entropy([a for a, b in zip(g, p, strict=True) if b == c])


def mutual_information(g, p):
    pairs = list(zip(g, p, strict=True))
    return math.fsum(math.log2(Fraction(pairs.count(x) * len(g), g.count(x[0]) * p.count(x[1]))) for x in pairs) / len(g)


def purity(g, p):
    pairs = list(zip(g, p, strict=True))
    return Fraction(sum(max(pairs.count((a, b)) for a in set(g)) for b in set(p)), len(g))


def together(g, p):
    """How many pairs of items are together in both, in gold, in the output; and how many there are."""
    pairs = [(a == c, b == d) for (a, b), (c, d) in combinations(zip(g, p, strict=True), 2)]
    return sum(a and b for a, b in pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs), len(pairs)


def rand(g, p):
    both, in_gold, in_output, pairs = together(g, p)
    return Fraction(pairs - in_gold - in_output + 2 * both, pairs) if pairs else NAN


def ari(g, p):
    """Hubert and Arabie (1985), Eq. 5."""
    both, in_gold, in_output, pairs = together(g, p)
    if not pairs:
        return NAN
    expected, most = Fraction(in_gold * in_output, pairs), Fraction(in_gold + in_output, 2)
    return (both - expected) / (most - expected) if most != expected else NAN


def fowlkes_mallows(g, p):
    both, in_gold, in_output, _ = together(g, p)
    return NAN if not in_gold else both / math.sqrt(in_gold * in_output) if in_output else 0


def homogeneity(g, p):
    if len(set(g)) == 1:
        return 1 if len(set(p)) > 1 else NAN
    return mutual_information(g, p) / entropy(g)


MEANS = {"arithmetic": lambda x, y: (x + y) / 2, "geometric": lambda x, y: math.sqrt(x * y), "min": min, "max": max}


def nmi(g, p, among="arithmetic"):
    constant = [len(set(side)) == 1 for side in (g, p)]
    if any(constant):
        return NAN if all(constant) else 0
    return mutual_information(g, p) / MEANS[among](entropy(g), entropy(p))


def dealt_out(g, p):
    """The mean mutual information of the same labels in every order: Vinh et al. (2010), Theorem 1."""
    n, ways = len(g), Counter()
    for a, b in product(Counter(g).values(), Counter(p).values()):
        for x in range(max(1, a + b - n), min(a, b) + 1):
            ways[Fraction(n * x, a * b)] += Fraction(x * math.comb(a, x) * math.comb(n - a, b - x), n * math.comb(n, b))
    return math.fsum(float(chance) * math.log2(ratio) for ratio, chance in ways.items())


def ami(g, p):
    groups = {len(set(side)) for side in (g, p)}
    if groups in ({1}, {len(g)}):
        return NAN
    expected = dealt_out(g, p)
    return (mutual_information(g, p) - expected) / ((entropy(g) + entropy(p)) / 2 - expected)


def icm(g, p):
    """Amigó and Delgado (2022), of flat classes: 2 I(g) + 2 I(p) - 3 I(g and p), where classes that differ share nothing."""
    worth = {c: -math.log2(max(g.count(c), 1) / len(g)) for c in {*g, *p}}
    return math.fsum(worth[a] if a == b else -worth[a] - worth[b] for a, b in zip(g, p, strict=True)) / len(g)


def threshold_loss(g, p, size):
    """Class k sits at 2k, the threshold above it at 2k + 1; an output pays a hinge at each threshold it is to stay clear of."""
    return mean(
        sum(max(0, 1 - (2 * b - (2 * k + 1)) * (1 if a > k else -1)) for k in range(size - 1)) for a, b in zip(g, p, strict=True)
    )


def paths(r, c, last):
    if (r, c) == (last, last):
        yield [(r, c)]
    for down, right in ((1, 0), (0, 1), (1, 1)):
        if r + down <= last and c + right <= last:
            yield from ([(r, c), *rest] for rest in paths(r + down, c + right, last))


def oci(g, p, size, beta=0.75, gamma=1):
    pairs, total = list(zip(g, p, strict=True)), len(g)
    most = total + sum(abs(a - b) ** gamma for a, b in pairs) ** (1 / gamma)
    b = beta / (total * (size - 1)) if size > 1 else 0
    cost = cache(lambda r, c: pairs.count((r, c)) * (b * abs(r - c) ** gamma - 1 / most))
    if size <= 4:
        return 1 + min(math.fsum(cost(*cell) for cell in path) for path in paths(0, 0, size - 1))

    @cache
    def cheapest(r, c):
        after = [cheapest(*to) for to in ((r + 1, c), (r, c + 1), (r + 1, c + 1)) if max(to) < size]
        return cost(r, c) + min(after, default=0)

    return 1 + cheapest(0, 0)


def valued(labels, values):
    return [values[x] for x in labels]


NAIVE = {  # g, p: gold and predicted classes of the items; size: how many classes; v: their values; d: their distances
    "accuracy": lambda g, p, size, v, d: mean(a == b for a, b in zip(g, p, strict=True)),
    "accuracy@n": lambda g, p, size, v, d, n=1: mean(abs(a - b) <= n for a, b in zip(g, p, strict=True)),
    "precision@LABEL": lambda g, p, size, v, d, labels=(0,): mean(precision(g, p, c) for c in labels),
    "recall@LABEL": lambda g, p, size, v, d, labels=(0,): mean(recall(g, p, c) for c in labels),
    "f1@LABEL": lambda g, p, size, v, d, labels=(0,): mean(f1(g, p, c) for c in labels),
    "macro_precision": lambda g, p, size, v, d: mean(precision(g, p, c) for c in set(g)),
    "macro_recall": lambda g, p, size, v, d: mean(recall(g, p, c) for c in set(g)),
    "f1_macro": lambda g, p, size, v, d: mean(f1(g, p, c) for c in set(g)),
    "f1_weighted": lambda g, p, size, v, d: sum(Fraction(g.count(c), len(g)) * f1(g, p, c) for c in set(g)),
    "fbeta_macro": lambda g, p, size, v, d, beta=1: mean(fbeta(g, p, c, beta) for c in set(g)),
    "fbeta_weighted": lambda g, p, size, v, d, beta=1: weighted(g, lambda c: fbeta(g, p, c, beta)),
    "precision_weighted": lambda g, p, size, v, d: weighted(g, lambda c: precision(g, p, c)),
    "jaccard_macro": lambda g, p, size, v, d: mean(jaccard(g, p, c) for c in set(g)),
    "jaccard_weighted": lambda g, p, size, v, d: weighted(g, lambda c: jaccard(g, p, c)),
    "jaccard_micro": lambda g, p, size, v, d: mean(  # over all decisions whether an item is of a class, if one side says so
        a == b for a, b in zip(g, p, strict=True) for _ in {a, b}
    ),
    "adjusted_balanced_accuracy": lambda g, p, size, v, d: adjusted_balanced_accuracy(g, p),
    "mcc": lambda g, p, size, v, d: mcc(g, p),
    "hmpr": lambda g, p, size, v, d: harmonic(*(mean(f(g, p, c) for c in set(g)) for f in (precision, recall))),
    "mae": lambda g, p, size, v, d: mean(abs(v[a] - v[b]) for a, b in zip(g, p, strict=True)),
    "mse": lambda g, p, size, v, d: mean((v[a] - v[b]) ** 2 for a, b in zip(g, p, strict=True)),
    "rmse": lambda g, p, size, v, d: math.sqrt(mean((v[a] - v[b]) ** 2 for a, b in zip(g, p, strict=True))),
    "mae_macro": lambda g, p, size, v, d: mean(
        mean(abs(v[a] - v[b]) for a, b in zip(g, p, strict=True) if a == c) for c in set(g)
    ),
    "mse_macro": lambda g, p, size, v, d: mean(
        mean((v[a] - v[b]) ** 2 for a, b in zip(g, p, strict=True) if a == c) for c in set(g)
    ),
    "kappa": lambda g, p, size, v, d: kappa(g, p, nominal),
    "kappa_linear": lambda g, p, size, v, d: kappa(g, p, by_value(v)),
    "kappa_quadratic": lambda g, p, size, v, d: kappa(g, p, squared(by_value(v))),
    "kappa_weighted": lambda g, p, size, v, d: kappa(g, p, looked_up(d)),
    "alpha_nominal": lambda g, p, size, v, d: alpha(g, p, nominal),
    "alpha_ordinal": lambda g, p, size, v, d: alpha(g, p, ranks_between(g + p)),
    "alpha_interval": lambda g, p, size, v, d: alpha(g, p, by_value(v)),
    "alpha_ratio": lambda g, p, size, v, d: NAN if min(v) < 0 else alpha(g, p, by_ratio(v)),
    "alpha_weighted": lambda g, p, size, v, d: alpha(g, p, looked_up(d)),
    "cem_ord": lambda g, p, size, v, d: cem(g, p, between),
    "cem_nom": lambda g, p, size, v, d: cem(g, p, same),
    "cem_int": lambda g, p, size, v, d: cem(g, p, nearer(v)),
    "cem_flat": lambda g, p, size, v, d: cem(g, p, between, worth=lambda share: 1 - share),
    "pearson": lambda g, p, size, v, d: pearson(valued(g, v), valued(p, v)),
    "spearman": lambda g, p, size, v, d: pearson(midranks(g), midranks(p)),
    "cosine": lambda g, p, size, v, d: cosine(valued(g, v), valued(p, v)),
    "kendall_a": lambda g, p, size, v, d: kendall(g, p, "a"),
    "kendall_b": lambda g, p, size, v, d: kendall(g, p, "b"),
    "gamma": lambda g, p, size, v, d: kendall(g, p, "gamma"),
    "gold_entropy": lambda g, p, size, v, d: entropy(g),
    "conditional_entropy": lambda g, p, size, v, d: math.fsum(entropy_given(g, p, c) for c in p) / len(p),
    "conditional_entropy@LABEL": lambda g, p, size, v, d, label=0: entropy_given(g, p, label),
    "mutual_information": lambda g, p, size, v, d: mutual_information(g, p),
    "mutual_information@corrected": lambda g, p, size, v, d: (
        mutual_information(g, p) - (len(set(g)) - 1) * (len(set(p)) - 1) / (2 * len(g) * math.log(2))
    ),
    "purity": lambda g, p, size, v, d: purity(g, p),
    "inverse_purity": lambda g, p, size, v, d: purity(p, g),
    "rand": lambda g, p, size, v, d: rand(g, p),
    "ari": lambda g, p, size, v, d: ari(g, p),
    "fowlkes_mallows": lambda g, p, size, v, d: fowlkes_mallows(g, p),
    "homogeneity": lambda g, p, size, v, d: homogeneity(g, p),
    "completeness": lambda g, p, size, v, d: homogeneity(p, g),
    "nmi": lambda g, p, size, v, d, among="arithmetic": nmi(g, p, among),
    "ami": lambda g, p, size, v, d: ami(g, p),
    "icm": lambda g, p, size, v, d: icm(g, p),
    "icm_norm": lambda g, p, size, v, d: max(0, (icm(g, p) / entropy(g) + 1) / 2) if len(set(g)) > 1 else NAN,
    "reliability": lambda g, p, size, v, d: relations_that_hold(p, g),
    "sensitivity": lambda g, p, size, v, d: relations_that_hold(g, p),
    "reliability_sensitivity_f": lambda g, p, size, v, d: reliability_sensitivity_f(g, p),
    "oci": lambda g, p, size, v, d, **at: oci(g, p, size, **at),
    "threshold_loss": lambda g, p, size, v, d: threshold_loss(g, p, size),
}


def naive(id, g, p, values, distance, **at):
    return float(NAIVE[id](g, p, len(values), values, distance, **at)) if g else NAN


def cases(size, seed=0):
    """Gold and predicted classes: the corners first (nothing, one item, constant sides, reversal), then partly used scales."""
    rng = np.random.default_rng([seed, size])
    low, high = 0, size - 1
    some = [([], []), ([low], [low]), ([high], [low]), ([low], [high]), ([high] * 4, [high] * 4), ([low] * 3, [high] * 3)]
    some += [([low, high], [high, low]), ([low, high, high], [low, low, low]), ([high, high, high], [low, high, low])]
    some += [(list(range(size)), list(range(size))), (list(range(size)), list(range(size))[::-1])]
    for n in (2, 3, 7, 30, 80):
        g, p = rng.integers(size, size=(2, n))
        near = np.clip(g + rng.integers(-1, 2, size=n), low, high)
        of_gold, of_output = (rng.choice(size, max(1, size // 2), replace=False) for _ in "gp")
        few, others = rng.choice(of_gold, n), rng.choice(of_output, n)  # empty gold classes; predictions gold never has
        skewed = np.where(rng.random(n) < 0.9, low, g)
        some += [(x.tolist(), y.tolist()) for x, y in ((g, p), (g, near), (few, others), (few, p), (skewed, near))]
        some += [(g.tolist(), [high] * n), ([low] * n, p.tolist())]
    return some


def table(g, p, size):
    counts = np.zeros((size, size), dtype=np.int64)
    np.add.at(counts, (g, p), 1)
    return counts


def distances(size, *, symmetric=True):
    d = np.random.default_rng(size).integers(6, size=(size, size)) / 4
    return (np.triu(d, 1) + np.triu(d if symmetric else d.T, 1).T).tolist()


def uneven(size):
    """Class values at unequal steps, below, at and above 0, exact in binary."""
    return (np.cumsum(np.resize([0.5, 3.5, 1, 0.25, 8], size)) - 4).tolist()


def mostly(size, cell, *others):
    """A thousand million items in one cell, but for one item in each of the others."""
    return tuple(tuple((10**9 - len(others)) * ((a, b) == cell) + others.count((a, b)) for b in range(size)) for a in range(size))


def spread(size, magnitudes, band=50):
    """About a thousand million items in cells of very different sizes."""
    rng = np.random.default_rng(size)
    n = 10 ** rng.uniform(0, magnitudes, (size, size)) * (abs(np.subtract.outer(range(size), range(size))) <= band)
    return tuple(tuple(row) for row in np.floor(n * 1e9 / n.sum()).astype(int).tolist())
