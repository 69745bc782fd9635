"""What must hold for every measure, whoever wrote it."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure, score_together
from metameasure.catalogue.registry import Registry
from metameasure.core.errors import did_you_mean
from metameasure.core.scale import Scale
from metameasure.evidence.labels import count_labels
from metameasure.tasks.declaration import declarations
from metameasure.testing.cases import MeasureTrial, cases_of, trial

_SIZES = (2, 3, 5, 8)  # classes, or items
_ENUMERATED = (2, 3, 5)  # items whose orders can be tried one by one
_LARGE = 50
_EQUAL = 1e-12
_ALMOST = 1e-9
_SINGLE_PRECISION = 2e-4
# How to make an array of each library from a NumPy one; those that are not installed are left out.
LIBRARIES: dict[str, Callable[[Any, Any], Any]] = {
    "array_api_strict": lambda library, array: library.asarray(array),
    "torch": lambda library, array: library.from_numpy(array.copy()),
    "jax": lambda library, array: library.numpy.asarray(array),
}


@dataclass(frozen=True)
class Check:
    """One conformance test of one measure. Calling it raises AssertionError where the measure fails."""

    measure: Measure
    name: str
    run: Callable[[Measure], None]

    def __call__(self) -> None:
        self.run(self.measure)

    def __str__(self) -> str:
        return f"{self.measure.id}: {self.name}"

    def problem(self) -> str | None:
        """What is wrong, in one line; None where nothing is."""
        try:
            self()
        except AssertionError as error:
            return " ".join(str(error).split()) or "assertion failed"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None


def checks(measure: Measure) -> list[Check]:
    """All conformance tests that apply to the measure. UsageError where nothing says what it can be tried on."""
    cases_of(measure)
    applicable = [
        *(run for run, applies in _CHECKS.items() if applies(measure)),
        *(_each(_agrees_with(library)) for library in LIBRARIES if importlib.util.find_spec(library)),
    ]
    return [Check(measure, run.__name__.strip("_").replace("_", " "), run) for run in applicable]


def same(actual: Any, expected: Any, what: str, tolerance: float = _EQUAL, case: MeasureTrial | None = None) -> None:
    """AssertionError where numbers are not the same: what was done, how they differ, and on which of the ``case``'s inputs, the
    smallest of those that show it."""
    found, wanted = np.asarray(actual), np.asarray(expected)
    assert found.shape == wanted.shape or not wanted.ndim, f"{what}: the shape is {found.shape} instead of {wanted.shape}"
    wrong = ~np.isclose(found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
    if wrong.any():
        place, where = (int(np.argmax(wrong)), "") if case is None else case.simplest(wrong)
        pair = f"{found.ravel()[place]:.6g} instead of {np.broadcast_to(wanted, found.shape).ravel()[place]:.6g}"
        raise AssertionError(f"{what}: {pair} {where}".strip())


def _holds(right: Any, what: str, case: MeasureTrial) -> None:
    """AssertionError where something is not so of some case, with the smallest such input."""
    wrong = ~np.asarray(right)
    if wrong.any():
        raise AssertionError(f"{what} {case.simplest(wrong)[1]}")


def _each(check: Callable[[MeasureTrial], None], *sizes: int) -> Callable[[Measure], None]:
    """The test of a measure on cases of each of these sizes, or of the usual ones."""

    @wraps(check)
    def run(measure: Measure) -> None:
        for size in sizes or _SIZES:
            check(trial(measure, size))

    return run


def _says_what_it_is(measure: Measure) -> None:
    for fact in ("title", "symbol", "tasks", "formula", "source"):
        assert getattr(measure, fact), f"'{fact}' is empty"
    assert all(case.reason for case in measure.undefined), "a case of being undefined has no reason"
    tasks = {*declarations(), *(reads.task for reads in Reads.known.values())}
    for task in measure.tasks:
        assert task in tasks, f"there is no task '{task}'; {did_you_mean(task, tasks) or ', '.join(sorted(tasks))}"


def _name_parses_to_itself(measure: Measure) -> None:
    restore, (module, attribute, *_) = measure.__reduce__()
    registry = Registry([restore(module, attribute, None)])
    for named in (measure, measure.example):
        assert registry.parse(str(named)) == named, f"'{named}' does not parse to itself"


def _survives_pickling(measure: Measure) -> None:
    assert pickle.loads(pickle.dumps(measure)) == measure, "pickled and unpickled it is another measure"


def _batch_equals_loop(case: MeasureTrial) -> None:
    same(case(), [case(*one) for one in case.cases()], "one by one the cases score differently", case=case)


def _takes_any_leading_axes(case: MeasureTrial) -> None:
    six = case.each(lambda array: array[:6])
    folded = tuple(array.reshape(2, 3, *array.shape[1:]) for array in six)
    same(case(*folded), case(*six).reshape(2, 3), "with two batch axes", case=case)
    assert case(*case.each(lambda array: array[:0])).shape == (0,), "an empty batch does not give an empty result"
    assert case(*case.cases()[0]).shape == (), "one case does not give one number"


def _memory_layout_does_not_matter(case: MeasureTrial) -> None:
    expected = case()
    same(case(*case.each(np.asfortranarray)), expected, "in Fortran order", case=case)
    same(case(*case.each(lambda array: array[::-1]))[::-1], expected, "with negative strides", case=case)
    same(
        case(*case.each(lambda array: np.moveaxis(np.moveaxis(array, 0, -1).copy(), -1, 0))),
        expected,
        "class by class",
        case=case,
    )


def _leaves_its_input_alone(case: MeasureTrial) -> None:
    arrays = case.each(lambda array: array.astype(float))
    before = [array.copy() for array in arrays]
    case(*arrays)
    for array, kept in zip(arrays, before, strict=True):
        alike = np.isclose(array, kept, rtol=0, atol=0, equal_nan=True).reshape(len(array), -1).all(axis=-1)
        _holds(alike, "the input was changed", case)


def _integers_and_floats_agree(case: MeasureTrial) -> None:
    expected = case()
    for dtype in (np.int32, np.uint8, np.float64):
        same(case(case.arrays[0].astype(dtype)), expected, f"counts as {np.dtype(dtype)}", case=case)


def _single_precision_is_close(case: MeasureTrial) -> None:
    single = case(*case.each(lambda array: array.astype(np.float32)))
    assert single.dtype == np.float32, f"float32 gives {single.dtype}"
    same(single, case(), "in single precision", tolerance=_SINGLE_PRECISION, case=case)


def _stays_in_its_range(case: MeasureTrial) -> None:
    low, high = case.bounds()
    scored = case()
    defined = scored[~np.isnan(scored)]
    reached = f"{defined.min(initial=np.inf):.6g} to {defined.max(initial=-np.inf):.6g}, not {low:g} to {high:g},"
    _holds(np.isnan(scored) | (scored >= low) & (scored <= high), reached, case)
    _holds(~(np.signbit(scored) & (scored == 0)), "a negative zero", case)


def _is_undefined_exactly_where_it_says(case: MeasureTrial) -> None:
    scored, documented = case(), case.reasons()
    for place in np.flatnonzero(np.isnan(scored) != documented):
        state = "undefined without a documented reason" if np.isnan(scored[place]) else "defined against what it says"
        raise AssertionError(f"{state} on {[array.tolist() for array in case.cases()[place]]}")


def _gold_alone_decides_where_it_says_so(case: MeasureTrial) -> None:
    """A case of being undefined that is declared as gold's is there for every output, or for none."""
    unusable = case.measure.inputs.unusable.reason
    ours = case.why()
    for arrays in case.other_outputs():
        theirs = case.why(*arrays)
        usable = ~(ours[unusable] | theirs[unusable])
        for known in case.measure.undefined:
            if known.of_gold:
                differs = (ours[known.reason] != theirs[known.reason]) & usable
                _holds(~differs, f"'{known.reason}' is declared as gold's, but depends on the output", case)


def _unusable_cases_score_nan(case: MeasureTrial) -> None:
    usable = case.each(lambda array: array[:3].astype(float))
    for which in range(len(usable)):
        kinds = case.broken()
        broken = np.repeat(usable[which][:1], 1 + len(kinds), axis=0)
        broken[0] = case.empty()
        broken.reshape(len(broken), -1)[1:, 0] = kinds
        mixed = [np.concatenate([array, np.repeat(array[:1], len(broken), axis=0)]) for array in usable]
        mixed[which] = np.concatenate([usable[which], broken])
        scored = case(*mixed)
        first = 4 if which == 0 and case.measure.inputs.of_nothing else 3
        numbers = np.concatenate([np.full(first, fill_value=True), np.isnan(scored[first:])])
        _holds(numbers, "a number where there should be NaN", replace(case, arrays=tuple(mixed)))
        same(scored[:3], case(*usable), "a broken case changes its neighbours", case=case)


def _order_of_items_does_not_matter(case: MeasureTrial) -> None:
    assert case.scale is not None
    rng = np.random.default_rng(0)
    gold, predicted = rng.choice(case.scale.labels, 40), rng.choice(case.scale.labels, 40)
    order = rng.permutation(40)
    counts = [count_labels(gold[at], predicted[at], classes=case.scale)[0] for at in (np.arange(40), order)]
    same(case(counts[1]), case(counts[0]), "after shuffling the items", tolerance=0)


def _perfect_output_scores_best(case: MeasureTrial) -> None:
    """With the same gold, no output is better than the perfect one; which scores what is documented."""
    best, reached = case(*case.perfect()), case()
    if case.measure.perfect is not None:
        reachable = np.where(np.isnan(best), np.nan, case.measure.perfect)
        same(best, reachable, "a perfect output", tolerance=_ALMOST, case=replace(case, arrays=case.perfect()))
    worse_is_better = reached - best if case.measure.better == "higher" else best - reached
    if not case.measure.passes_perfect:
        _holds(~(worse_is_better > _ALMOST), "an output is better than the perfect one", case)


def _tells_better_from_worse(measure: Measure) -> None:
    """Some output is strictly worse than the perfect one: a direction that is not a constant."""
    sign = 1 if measure.better == "higher" else -1
    cases = (trial(measure, size) for size in _SIZES)
    gaps = [np.max(sign * np.nan_to_num(case(*case.perfect()) - case())) for case in cases]
    assert max(gaps) > _ALMOST, "no output is worse than a perfect one, whatever the input"


def _multiplying_counts_changes_nothing(case: MeasureTrial) -> None:
    same(case(case.arrays[0] * 7), case(), "every count times 7", case=case)
    same(case(case.arrays[0] / 128), case(), "as proportions", case=case)


def _right_with_a_billion_items(case: MeasureTrial) -> None:
    """10^9 items a table and more: nothing overflows, nothing cancels, undefined stays undefined."""
    many = case.arrays[0] * 10**9
    scored = case(many)
    documented = case.reasons(many)
    _holds(np.isnan(scored) == documented, "undefined elsewhere than with few items", case)
    low, high = case.bounds()
    _holds((scored >= low) & (scored <= high) | documented, "out of range", case)
    if case.measure.proportional:
        expected = case()
        _holds(np.isnan(scored) == np.isnan(expected), "undefined elsewhere than with few items", case)
        same(scored, expected, "every count times 10^9", case=case)


def _expected_score_of_random_labels_is_as_declared(case: MeasureTrial) -> None:
    """Linear: with gold fixed, a mean of tables scores the mean of their scores. Zero: the mean over all deals of the labels."""
    tables = case.arrays[0]
    if case.measure.chance == "linear":
        other = np.flip(tables, axis=2)
        same(case((tables + other) / 2), (case(tables) + case(other)) / 2, "halfway between two outputs", case=case)
    else:
        gold, output = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 0, 1])
        dealt = np.zeros((120, *tables.shape[1:]), dtype=np.int64)
        for number, order in enumerate(itertools.permutations(range(5))):
            np.add.at(dealt[number], (gold, output[list(order)]), 1)
        same(case(dealt).mean(), 0, "over all deals of the same labels")


def _expected_score_of_random_orders_is_as_declared(case: MeasureTrial) -> None:
    """Zero: the mean over all orders of the prediction of what is defined."""
    predicted, *gold = case.arrays
    whole = ~np.isnan(predicted).any(axis=-1)  # all of its items can change places
    orders = (predicted[:, list(order)] for order in itertools.permutations(range(predicted.shape[-1])))
    scored = np.stack([case(order, *gold) for order in orders])[:, whole]
    complete = ~np.isnan(gold[0][whole]).any(axis=-1)
    defined = complete & ~np.isnan(scored).any(axis=0)
    same(scored[:, defined].mean(axis=0), 0, "over all orders of the same prediction")


def _naming_of_classes_does_not_matter(case: MeasureTrial) -> None:
    """A measure for nominal classes gives the same value when the classes are listed in another order."""
    assert case.scale is not None
    order = np.random.default_rng(1).permutation(len(case.scale))
    if case.measure.inputs.first_is_special:
        order = np.array([0, *order[order > 0]])
    distance = None if case.distance is None else case.distance[np.ix_(order, order)]
    reordered = Scale(tuple(case.scale.labels[position] for position in order))
    scored = case.measure(*case.reordered(order), classes=reordered, distance=distance)
    same(scored, case(), "with the classes in another order", case=case)


def _class_values_do_not_matter(case: MeasureTrial) -> None:
    """A measure that does not assume an interval scale gives the same value whatever values the classes have."""
    assert case.scale is not None
    values = np.cumsum(np.random.default_rng(2).uniform(1, 9, len(case.scale)))
    stretched = Scale(case.scale.labels, "interval", tuple(values.tolist()))
    same(case.measure(*case.arrays, classes=stretched, distance=case.distance), case(), "with other class values", case=case)


def _together_as_alone(case: MeasureTrial) -> None:
    for scored in score_together([case.measure] * 2, *case.arrays, classes=case.scale, distance=case.distance):
        same(scored, case(), "scored together with others", case=case)


def _agrees_with(library: str) -> Callable[[MeasureTrial], None]:
    def check(case: MeasureTrial) -> None:
        module = importlib.import_module(library)
        arrays = case.each(lambda array: LIBRARIES[library](module, array))
        scored = case.measure(*arrays, classes=case.scale, distance=case.distance)
        assert type(scored) is type(arrays[0]), f"{library} arrays go in, {type(scored).__name__} comes out"
        tolerance = _SINGLE_PRECISION if "float32" in str(scored.dtype) else _EQUAL
        same(np.asarray(scored), case(), f"computed by {library}", tolerance=tolerance, case=case)

    check.__name__ = f"{library.replace('_', '-')}_gives_the_same"
    return check


def _order_of_ranked_items_does_not_matter(case: MeasureTrial) -> None:
    order = np.random.default_rng(3).permutation(case.arrays[0].shape[-1])
    same(case(*case.each(lambda array: array[..., order])), case(), "with the items in another order", case=case)


def _padding_changes_nothing(case: MeasureTrial) -> None:
    """Items that nobody ranks make segments as long as each other."""
    padded = case.each(lambda array: np.insert(array, [0, 1, 2, 2], np.nan, axis=-1))
    same(case(*padded), case(), "with items that nobody ranks", case=case)


def _only_the_order_of_ranks_matters(case: MeasureTrial) -> None:
    same(case(*case.each(lambda array: np.exp(array / 300) - 7)), case(), "after stretching the ranks", case=case)


def _ties_are_broken_in_expectation(case: MeasureTrial) -> None:
    """A prediction with ties scores the mean over all orders that it leaves open."""
    ranks, *others = case.arrays
    broken = np.stack([_places(ranks, order) for order in itertools.permutations(range(ranks.shape[-1]))])
    same(
        case(broken, *others).mean(axis=0),
        case(),
        "tied predictions do not score the mean over all ways to break the ties",
        case=case,
    )


def _places(ranks: npt.NDArray[np.float64], order: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """The ranks (cases, n) as places from 1 up without ties: of tied items the one that is earlier in the order is first."""
    sorting = np.lexsort((np.broadcast_to(order, ranks.shape), ranks), axis=-1)
    return np.where(np.isfinite(ranks), np.argsort(sorting, axis=-1) + 1.0, ranks)


def _evidence_adds(case: MeasureTrial) -> None:
    """Scored from its evidence a case is the same, and evidence of two halves adds up to that of the whole."""
    evidence = np.asarray(case.measure.evidence_of(*case.arrays, classes=case.scale))
    same(case.measure.of_evidence(evidence, classes=case.scale), case(), "from the evidence", case=case)
    first = case.measure.evidence_of(*case.each(lambda array: array[:9]), classes=case.scale)
    second = case.measure.evidence_of(*case.each(lambda array: array[9:]), classes=case.scale)
    same(first.sum(axis=0) + second.sum(axis=0), evidence.sum(axis=0), "counted in two halves")


def _always(measure: Measure) -> bool:  # noqa: ARG001
    return True


def _is_score(measure: Measure) -> bool:
    return measure.kind == "score"


def _counts(measure: Measure) -> bool:
    """Whether the measure is one of tables of counts."""
    return measure.reads.arrays == ("counts",)


def _ranks(measure: Measure) -> bool:
    """Whether the measure is one of items, ranked or not."""
    return not measure.reads.of_classes


def _only_ranks(measure: Measure) -> bool:
    """Whether the numbers of its items are ranks. What a task has its own cases of are other numbers."""
    return _ranks(measure) and measure.inputs.cases is None


# Each test, and the measures it applies to.
_CHECKS: dict[Callable[[Measure], None], Callable[[Measure], bool]] = {
    _says_what_it_is: _always,
    _name_parses_to_itself: _always,
    _survives_pickling: _always,
    _each(_batch_equals_loop): _always,
    _each(_takes_any_leading_axes): _always,
    _each(_memory_layout_does_not_matter): _always,
    _each(_leaves_its_input_alone): _always,
    _each(_integers_and_floats_agree): _counts,
    _each(_single_precision_is_close): _always,
    _each(_stays_in_its_range, *_SIZES, _LARGE): _always,
    _each(_is_undefined_exactly_where_it_says, *_SIZES, _LARGE): _always,
    _each(_gold_alone_decides_where_it_says_so): _always,
    _each(_unusable_cases_score_nan): _always,
    _each(_order_of_items_does_not_matter, 3): _counts,
    _each(_perfect_output_scores_best): _is_score,
    _tells_better_from_worse: _is_score,
    _each(_multiplying_counts_changes_nothing): lambda measure: _counts(measure) and measure.proportional,
    _each(_right_with_a_billion_items): _counts,
    _each(_expected_score_of_random_labels_is_as_declared): lambda measure: _counts(measure) and measure.chance is not None,
    _each(_expected_score_of_random_orders_is_as_declared, *_ENUMERATED): lambda measure: (
        _ranks(measure) and measure.chance == "zero"
    ),
    _each(_naming_of_classes_does_not_matter): lambda measure: not _ranks(measure) and measure.scale == "nominal",
    _each(_class_values_do_not_matter): lambda measure: not _ranks(measure) and measure.scale != "interval",
    _each(_order_of_ranked_items_does_not_matter): _ranks,
    _each(_padding_changes_nothing): lambda measure: _ranks(measure) and not measure.of_all,
    _each(_padding_changes_nothing, 3, 6): lambda measure: measure.of_all,  # of few segments nothing is drawn
    _each(_only_the_order_of_ranks_matters): lambda measure: (
        _only_ranks(measure) and measure.reads not in (Reads.GRADES, Reads.JUDGEMENTS) and measure.scale == "ordinal"
    ),
    _each(_ties_are_broken_in_expectation, *_ENUMERATED): lambda measure: _only_ranks(measure) and measure.ties == "expected",
    _each(_evidence_adds): lambda measure: measure.evidence is not None and measure.evidence.adds,
    _each(_together_as_alone): _always,
}
