"""The quantification measures against references written from the papers, SciPy, and what the papers prove of them.

p is the estimate, q gold (the papers' p*), v the classes' values, d the distances between classes (the papers' δ).
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

import metameasure as mm
from naive import uneven
from naive_quantification import REFERENCES, apart, dw

SIZES = (2, 3, 4, 5, 11, 50)
EACH_SIZE = [pytest.param(size, marks=[pytest.mark.slow] if size > 11 else []) for size in SIZES]  # exact fractions take longest


BY_DISTANCE = ("od", "sod", "nod", "snod", "rnod", "rsnod", "adw", "rnadw")
ORDERED = (*BY_DISTANCE, "emd", "nmd")


def exact(numbers):
    return tuple(map(Fraction, numbers))


def any_distances(size):
    """A user's: of no scale, not the same both ways, some classes at no distance."""
    rng = np.random.default_rng(size)
    drawn = rng.uniform(0.1, 7, (size, size)) * (rng.random((size, size)) < 0.9)
    np.fill_diagonal(drawn, 0)
    drawn[0, -1] = 7.5  # not all are 0
    return drawn


def with_zeros(rng, size):
    weights = rng.random(size) * (rng.random(size) < 0.5)
    weights[rng.integers(size)] += 0.1
    return weights / weights.sum()


@cache
def pairs(size):
    """Estimates and golds: dense, lopsided, with zeros on both sides or on one, points, uniform, equal, next to equal."""
    rng = np.random.default_rng(100 + size)
    some = 3 if size > 20 else 10
    dense, lopsided = rng.dirichlet(np.ones(size), (some, 2)), rng.dirichlet(np.full(size, 0.3), (some, 2))
    sparse = [(with_zeros(rng, size), with_zeros(rng, size)) for _ in range(2 * some)]
    counted = rng.multinomial(10, np.full(size, 1 / size), (some, 2)) / 10
    points, uniform = np.eye(size), np.full(size, 1 / size)
    to_points = [(points[0], points[-1]), (points[-1], points[0]), (points[0], points[1]), (points[1], points[1])]
    mixed = [(points[0], dense[0, 0]), (dense[0, 0], points[0]), (points[-1], uniform), (uniform, points[size // 2])]
    mixed += [(dense[1, 0], sparse[0][1]), (sparse[0][1], dense[1, 0])]
    equal = [(case, case) for case in (dense[0, 0], sparse[0][0], counted[0, 0], uniform)]
    near = [(case * (1 - 1e-9) + uniform * 1e-9, case) for case in (dense[0, 0], sparse[0][0])]
    together = [*dense, *lopsided, *sparse, *counted, *to_points, *mixed, *equal, *near]
    return np.array([p for p, _ in together]), np.array([q for _, q in together])


@cache
def exact_pairs(size):
    return [(exact(p), exact(q)) for p, q in zip(*pairs(size), strict=True)]


def assert_close(scores, expected):
    np.testing.assert_allclose(scores, np.array(expected, dtype=float), rtol=1e-12, atol=1e-12)


def test_every_measure_has_a_reference():
    assert {*REFERENCES, "dw@LABEL"} == {id for id, measure in mm.measures.items() if "quantification" in measure.tasks}


@pytest.mark.parametrize("size", SIZES)
def test_single_classes(size):
    """dw@LABEL, for looking closer."""
    names = [f"c{place}" for place in range(size)]
    d = apart(range(size))
    for place in {0, size // 2, size - 1}:
        scores = [
            mm.measures[f"dw@c{place}"](list(map(float, p)), list(map(float, q)), classes=names) for p, q in exact_pairs(size)
        ]
        assert_close(scores, [dw(p, q, d)[place] for p, q in exact_pairs(size)])


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.parametrize("id", REFERENCES)
def test_steps_of_1(id, size):
    v = tuple(range(size))
    expected = [REFERENCES[id](p, q, v, apart(v)) for p, q in exact_pairs(size)]
    assert_close(mm.measures[id](*pairs(size)), expected)
    assert_close([mm.measures[id](p, q) for p, q in zip(*pairs(size), strict=True)], expected)


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.parametrize("id", REFERENCES)
def test_class_values(id, size):
    values = uneven(size)
    scale = mm.Scale(tuple(f"class {i}" for i in range(size)), "interval", tuple(values))
    v = exact(values)
    scores = mm.measures[id](*pairs(size), classes=scale)
    assert_close(scores, [REFERENCES[id](p, q, v, apart(v)) for p, q in exact_pairs(size)])
    if size > 2:  # of two classes only the distance changes, and normalising takes that away
        unmoved = np.allclose(scores, mm.measures[id](*pairs(size)), rtol=1e-6, equal_nan=True)
        assert unmoved == (id not in ORDERED)


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.parametrize("id", BY_DISTANCE)
def test_the_users_distances(id, size):
    distance = any_distances(size)
    d = tuple(map(exact, distance.tolist()))
    expected = [REFERENCES[id](p, q, None, d) for p, q in exact_pairs(size)]
    assert_close(mm.measures[id](*pairs(size), distance=distance), expected)
    valued = {f"class {i}": value for i, value in enumerate(uneven(size))}
    assert_close(mm.measures[id](*pairs(size), classes=valued, distance=distance), expected)  # they come before values


@pytest.mark.parametrize("id", sorted(REFERENCES.keys() - set(BY_DISTANCE)))
def test_the_others_do_not_look_at_the_users_distances(id):
    np.testing.assert_array_equal(mm.measures[id](*pairs(5), distance=any_distances(5)), mm.measures[id](*pairs(5)))


def test_classes_at_no_distance_are_no_error():
    for id in BY_DISTANCE:
        assert mm.measures[id]((1, 0), (0, 1), distance=[[0, 0], [0, 0]]) == 0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("values", [range, uneven], ids=["steps", "values"])
def test_scipys_wasserstein_distance(values, size):
    places = list(values(size))
    expected = [wasserstein_distance(places, places, p, q) for p, q in zip(*pairs(size), strict=True)]
    classes = {f"class {i}": place for i, place in enumerate(places)}
    assert_close(mm.measures["emd"](*pairs(size), classes=classes), expected)
    assert_close(mm.measures["nmd"](*pairs(size), classes=classes), np.array(expected) / (places[-1] - places[0]))


def test_a_tiny_probability_makes_no_divergence_infinite():
    """Half of the smallest float is 0: taken as the middle of two distributions, it would lack a class that one of them has."""
    assert mm.measures["jsd"]((5e-324, 1), (0, 1)) == 0
    assert mm.measures["jsd"]((0, 1), (5e-324, 1)) == 0


def shares_of(counts):
    return tuple(Fraction(count, sum(counts)) for count in counts)


def counts_of(size, *, least=0):
    return st.lists(st.integers(least, 12), min_size=size, max_size=size).filter(any)


@st.composite
def two_distributions(draw, most=7):
    size = draw(st.integers(2, most))
    return shares_of(draw(counts_of(size))), shares_of(draw(counts_of(size)))


@st.composite
def equal_supports(draw):
    size = draw(st.integers(2, 7))
    support = draw(st.lists(st.booleans(), min_size=size, max_size=size).filter(any))
    drawn = (draw(counts_of(size, least=1)) for _ in range(2))
    return [shares_of([count * there for count, there in zip(counts, support, strict=True)]) for counts in drawn]


@settings(max_examples=200)
@given(two_distributions())
def test_drawn_pairs(pair):
    p, q = pair
    steps = tuple(range(len(p)))
    for id, reference in REFERENCES.items():
        assert_close(mm.measures[id](*np.array(pair, dtype=float)), reference(p, q, steps, apart(steps)))


@given(two_distributions(most=2), st.floats(-9, 9), st.floats(0.5, 9))
def test_with_two_classes_nmd_rnod_and_rsnod_are_one(pair, low, step):
    """004, Appendix A: both ways round, and how far apart the two classes are makes no difference."""
    (p, _), (q, _) = pair
    estimate, gold = np.array(pair, dtype=float)
    classes = {"low": low, "high": low + step}
    for id in ("nmd", "rnod", "rsnod"):
        both_ways = [mm.measures[id](estimate, gold, classes=classes), mm.measures[id](gold, estimate, classes=classes)]
        assert_close([mm.measures[id](estimate, gold), *both_ways], [abs(p - q)] * 3)


@given(equal_supports())
def test_order_aware_divergence_is_symmetric_under_equal_supports(pair):
    """What 004's footnote 2 should ask for. It needs no scale: the user's distances may differ by direction."""
    one, other = np.array(pair, dtype=float)
    for distance in (None, any_distances(len(one))):
        there, back = mm.measures["od"](one, other, distance=distance), mm.measures["od"](other, one, distance=distance)
        assert_close([back, mm.measures["sod"](one, other, distance=distance)], [there, there])


@pytest.mark.parametrize("size", SIZES)
def test_order_aware_divergence_of_two_points_is_symmetric(size):
    """004's footnote 2, the second condition, which holds: each is as far from the other."""
    for i, j in ((0, 0), (0, 1), (0, size - 1)):
        one, other = np.eye(size)[[i, j]]
        assert mm.measures["od"](one, other) == mm.measures["od"](other, one) == abs(i - j)


@pytest.mark.parametrize("size", [size for size in SIZES if size > 2])
def test_a_gold_without_zeros_does_not_make_order_aware_divergence_symmetric(size):
    """004's footnote 2, the first condition, as printed: C* = C. Four classes give 1.0625 and .375."""
    point, uniform = np.eye(size)[0], np.full(size, 1 / size)
    there, back = mm.measures["od"](point, uniform), mm.measures["od"](uniform, point)
    steps = range(size)
    square, others = (1 - 1 / size) ** 2, 1 / size**2
    assert_close(there, (square * sum(steps) + others * sum(abs(i - j) for i in steps for j in steps if j)) / size)
    assert_close(back, others * sum(steps))
    assert there > 1.8 * back
    if size == 4:
        assert (there, back) == (1.0625, 0.375)


@given(two_distributions())
def test_average_distance_weighted_sums_are_symmetric(pair):
    """004: clear from Eq. 2 and 7."""
    one, other = np.array(pair, dtype=float)
    for id in ("adw", "rnadw", "sod", "snod", "rsnod", "emd", "nmd", "nvd", "rnss", "jsd"):
        assert_close(mm.measures[id](one, other), mm.measures[id](other, one))
