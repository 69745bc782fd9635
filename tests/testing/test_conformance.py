"""Every measure found, whoever wrote it, passes the public conformance tests; and the tests can fail."""

import dataclasses

import pytest
from array_api_compat import array_namespace

import metameasure as mm
from metameasure.testing import checks
from metameasure.testing.conformance import LIBRARIES

# Settings under which facts differ from those of the measure without any.
WITH_SETTINGS = [
    mm.measures[name]
    for name in (
        "average_precision@2",
        "ndcg@3:ties=worst:relevance=ceiling",
        "ndcg@2:gain=linear",
        "ndcg@2:gain=linear:relevance=given",
        "mrr@relevance=given",
        "err@3:relevance=given:highest=8",
        "mrr@ties=worst",
        "err@2:gain=linear:highest=50",
        "average_predicted_rank@ties=worst:ranks=ceiling",
        "best_vs_human@2:ranks=minimize",
        "pairwise_accuracy@epsilon=1.0",
        "percent_agreement@ordinal",
        "fleiss@quadratic",
        "ac2@identity",
        "conger@linear",
        "brennan_prediger@linear",
    )
]
# Where ties take the last place, a prediction that breaks gold's ties beats the one that has them.
BEATEN = ("ndcg@3:ties=worst:relevance=ceiling: perfect output scores best", "mrr@ties=worst: perfect output scores best")
ALL = [check for measure in (*mm.measures.all, *WITH_SETTINGS) for check in checks(measure) if str(check) not in BEATEN]


def together():
    """The checks of each measure as one test, since thousands of tests take longer to hand out than to run; those of another
    array library are apart, with a mark where not everybody has it."""
    libraries = ("array-api-strict", "torch", "jax")
    found = {}
    for check in ALL:
        found.setdefault((check.measure.id, next((one for one in libraries if one in check.name), "")), []).append(check)
    for (measure, library), some in found.items():
        marks = [pytest.mark.needs(library)] if library in OFTEN_ABSENT else []
        yield pytest.param(some, id=f"{measure}: {library}" if library else measure, marks=marks)


OFTEN_ABSENT = {"torch", "jax"}


@pytest.mark.parametrize("some", [*together()])
def test_conformance(some):
    assert {check.name: check.problem() for check in some} == {check.name: None for check in some}


@pytest.mark.parametrize("name", BEATEN)
def test_what_ties_in_the_last_place_break(name):
    measure, _, which = name.rpartition(": ")
    check = next(check for check in checks(mm.measures[measure]) if check.name == which)
    assert check.problem().startswith("an output is better than the perfect one on ")
    assert check.measure.perfect is None


@pytest.mark.parametrize(
    "library", [pytest.param(name, marks=[pytest.mark.needs(name)] if name in OFTEN_ABSENT else []) for name in LIBRARIES]
)
def test_every_array_library_is_tried(library):
    assert any(library.replace("_", "-") in check.name for check in ALL)


def failures(**changes):
    accuracy = mm.measures["accuracy"]
    broken = dataclasses.replace(accuracy, **changes)
    return {check.name for check in checks(broken) if check.problem()}


# Each fault, and the test that must see it. (Names and pickling fail for all: the fault is not in the file they load.)
@pytest.mark.parametrize(
    ("changes", "seen_by"),
    [
        ({"formula": ""}, "says what it is"),
        ({"better": "lower"}, "perfect output scores best"),
        ({"perfect": 0.5}, "perfect output scores best"),
        ({"range": (0, 0.5)}, "stays in its range"),
        ({"undefined": mm.measures["pearson"].undefined}, "is undefined exactly where it says"),
        ({"function": lambda counts: counts.sum((-2, -1)) ** 0.0}, "tells better from worse"),
        ({"function": lambda counts: counts[..., 0, 0] / counts.sum((-2, -1))}, "naming of classes does not matter"),
        ({"function": lambda counts: counts[..., 0, 0] * 1.0}, "multiplying counts changes nothing"),
        ({"function": lambda counts: counts.sum((-2, -1)) / counts.shape[0]}, "batch equals loop"),
        ({"function": lambda counts: counts.sum((-2, -1)).astype("float64")}, "single precision is close"),
        ({"function": lambda counts: counts.trace(0, -2, -1) - counts.sum((-2, -1)) * 0}, "right with a billion items"),
        ({"function": lambda counts, *, values: (counts * values).sum((-2, -1))}, "class values do not matter"),
        ({"function": lambda counts: -0.0 * counts.sum((-2, -1)) / counts[..., 0, 0]}, "is undefined exactly where it says"),
    ],
)
def test_a_fault_is_seen(changes, seen_by):
    assert seen_by in failures(**changes)


def said_of(**changes):
    broken = dataclasses.replace(mm.measures["accuracy"], **changes)
    return {check.name: check.problem() for check in checks(broken)}


def shared_sum(counts):
    return counts.sum((-2, -1)) / counts.shape[0]


@pytest.mark.parametrize(
    ("changes", "check", "said"),
    [
        ({"range": (0, 0.5)}, "stays in its range", "0 to 1, not 0 to 0.5, on counts [[1, 0], [0, 0]]"),
        ({"perfect": 0.5}, "perfect output scores best", "a perfect output: 1 instead of 0.5 on counts [[1, 0], [0, 0]]"),
        ({"function": shared_sum}, "batch equals loop", "one by one the cases score differently: 0.03"),
        (
            {"function": lambda counts: counts[..., 0, 0] * 1.0},
            "multiplying counts changes nothing",
            "every count times 7: 7 instead of 1 on counts [[1, 0], [0, 0]]",
        ),
        (
            {"better": "lower"},
            "perfect output scores best",
            "an output is better than the perfect one on counts [[0, 1], [0, 0]]",
        ),
    ],
)
def test_a_failed_test_names_the_smallest_input(changes, check, said):
    assert said_of(**changes)[check].startswith(said)
    assert " on counts [[" in said_of(**changes)[check]


def first_of_the_best(optimistic):
    """success@1: whether the best item is predicted first. Optimistic: of several that are predicted first, one is enough."""

    def success(predicted, gold):
        xp = array_namespace(predicted)
        known = ~(xp.isnan(predicted) | xp.isnan(gold))
        output, human = xp.where(known, predicted, xp.inf), xp.where(known, gold, xp.inf)
        first = known & (output == xp.min(output, axis=-1)[:, None])
        best = known & (human == xp.min(human, axis=-1)[:, None])
        hits = xp.sum(xp.astype(first & best, predicted.dtype), axis=-1)
        if optimistic:
            return xp.astype(hits > 0, predicted.dtype)
        return hits / xp.sum(xp.astype(first, predicted.dtype), axis=-1)

    return success


@pytest.mark.parametrize("optimistic", [True, False])
def test_a_measure_that_ignores_ties_is_seen(optimistic):
    success = dataclasses.replace(
        mm.measures["average_predicted_rank"],
        better="higher",
        range=(0, 1),
        function=first_of_the_best(optimistic),
        parameter=None,
    )
    failed = {check.name: check.problem() for check in checks(success) if check.problem()}
    for name in ("survives pickling", "name parses to itself"):  # the file that they load has another measure
        failed.pop(name, None)
    assert list(failed) == (["ties are broken in expectation"] if optimistic else [])
    if optimistic:
        assert "do not score the mean over all ways to break the ties" in failed["ties are broken in expectation"]


def test_a_sound_measure_has_no_failures():
    assert failures() == set()
