"""What must hold for every measure, whoever wrote it."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure, score_together
from metameasure.catalogue.registry import Registry
from metameasure.evidence.labels import count_labels
from metameasure.scale import Scale
from metameasure.testing.cases import trial
from metameasure.testing.comparing import EQUAL, same, trials
from metameasure.testing.of_rankings import (
    evidence_adds,
    only_the_order_of_ranks_matters,
    order_of_ranked_items_does_not_matter,
    padding_changes_nothing,
    ties_are_broken_in_expectation,
)

_LARGE = 50
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
    """All conformance tests that apply to the measure."""
    applicable = [
        *(run for run, applies in _CHECKS.items() if applies(measure)),
        *(_agrees_with(library) for library in LIBRARIES if importlib.util.find_spec(library)),
    ]
    return [Check(measure, run.__name__.strip("_").replace("_", " "), run) for run in applicable]


def _says_what_it_is(measure: Measure) -> None:
    for fact in ("title", "symbol", "tasks", "formula", "source"):
        assert getattr(measure, fact), f"'{fact}' is empty"
    assert all(case.reason for case in measure.undefined), "a case of being undefined has no reason"


def _name_parses_to_itself(measure: Measure) -> None:
    registry = Registry([_template(measure)])
    for named in (measure, measure.example):
        assert registry.parse(str(named)) == named, f"'{named}' does not parse to itself"


def _template(measure: Measure) -> Measure:
    restore, (module, attribute, _) = measure.__reduce__()
    found: Measure = restore(module, attribute, None)
    return found


def _survives_pickling(measure: Measure) -> None:
    assert pickle.loads(pickle.dumps(measure)) == measure, "pickled and unpickled it is another measure"


def _batch_equals_loop(measure: Measure) -> None:
    for case in trials(measure):
        same(case(), [case(*one) for one in case.cases()], "one by one the cases score differently")


def _takes_any_leading_axes(measure: Measure) -> None:
    for case in trials(measure):
        six = case.each(lambda array: array[:6])
        folded = tuple(array.reshape(2, 3, *array.shape[1:]) for array in six)
        same(case(*folded), case(*six).reshape(2, 3), "with two batch axes")
        assert case(*case.each(lambda array: array[:0])).shape == (0,), "an empty batch does not give an empty result"
        assert case(*case.cases()[0]).shape == (), "one case does not give one number"


def _memory_layout_does_not_matter(measure: Measure) -> None:
    for case in trials(measure):
        expected = case()
        same(case(*case.each(np.asfortranarray)), expected, "in Fortran order")
        same(case(*case.each(lambda array: array[::-1]))[::-1], expected, "with negative strides")
        same(case(*case.each(lambda array: np.moveaxis(np.moveaxis(array, 0, -1).copy(), -1, 0))), expected, "class by class")


def _leaves_its_input_alone(measure: Measure) -> None:
    for case in trials(measure):
        given = case.each(lambda array: array.astype(float))
        before = [array.copy() for array in given]
        case(*given)
        for array, kept in zip(given, before, strict=True):
            same(array, kept, "the input was changed", tolerance=0)


def _integers_and_floats_agree(measure: Measure) -> None:
    for case in trials(measure):
        expected = case()
        for dtype in (np.int32, np.uint8, np.float64):
            same(case(case.arrays[0].astype(dtype)), expected, f"counts as {np.dtype(dtype)}")


def _single_precision_is_close(measure: Measure) -> None:
    for case in trials(measure):
        single = case(*case.each(lambda array: array.astype(np.float32)))
        assert single.dtype == np.float32, f"float32 gives {single.dtype}"
        same(single, case(), "in single precision", tolerance=_SINGLE_PRECISION)


def _stays_in_its_range(measure: Measure) -> None:
    for case in (*trials(measure), trial(measure, _LARGE)):
        low, high = case.bounds()
        scored = case()
        defined = scored[~np.isnan(scored)]
        assert np.all((defined >= low) & (defined <= high)), f"{defined.min()} to {defined.max()}, not {low} to {high}"
        assert not np.any(np.signbit(defined) & (defined == 0)), "a negative zero"


def _is_undefined_exactly_where_it_says(measure: Measure) -> None:
    for case in (*trials(measure), trial(measure, _LARGE)):
        scored, documented = case(), case.reasons()
        for place in np.flatnonzero(np.isnan(scored) != documented):
            state = "undefined without a documented reason" if np.isnan(scored[place]) else "defined against what it says"
            raise AssertionError(f"{state} on {[array.tolist() for array in case.cases()[place]]}")


def _unusable_cases_score_nan(measure: Measure) -> None:
    for case in trials(measure):
        usable = case.each(lambda array: array[:3].astype(float))
        for which in range(len(usable)):
            kinds = case.broken()
            broken = np.repeat(usable[which][:1], 1 + len(kinds), axis=0)
            broken[0] = case.empty()
            broken.reshape(len(broken), -1)[1:, 0] = kinds
            mixed = [np.concatenate([array, np.repeat(array[:1], len(broken), axis=0)]) for array in usable]
            mixed[which] = np.concatenate([usable[which], broken])
            scored = case(*mixed)
            assert np.all(np.isnan(scored[3:])), f"nothing at all, and {kinds} somewhere, do not all give NaN"
            same(scored[:3], case(*usable), "a broken case changes its neighbours")


def _order_of_items_does_not_matter(measure: Measure) -> None:
    case = trial(measure, 3)
    assert case.scale is not None
    rng = np.random.default_rng(0)
    gold, predicted = rng.choice(case.scale.labels, 40), rng.choice(case.scale.labels, 40)
    order = rng.permutation(40)
    counts = [count_labels(gold[at], predicted[at], classes=case.scale)[0] for at in (np.arange(40), order)]
    same(case(counts[1]), case(counts[0]), "after shuffling the items", tolerance=0)


def _perfect_output_scores_best(measure: Measure) -> None:
    """With the same gold, no output is better than the perfect one; which scores what is documented."""
    for case in trials(measure):
        best, reached = case(*case.perfect()), case()
        if measure.perfect is not None:
            same(best[~np.isnan(best)], measure.perfect, "a perfect output", tolerance=_ALMOST)
        worse_is_better = reached - best if measure.better == "higher" else best - reached
        assert not np.any(worse_is_better > _ALMOST), "an output is better than the perfect one"


def _tells_better_from_worse(measure: Measure) -> None:
    """Some output is strictly worse than the perfect one: a direction that is not a constant."""
    gaps = []
    for case in trials(measure):
        gap = np.nan_to_num(case(*case.perfect()) - case())
        gaps.append(np.max(gap if measure.better == "higher" else -gap))
    assert max(gaps) > _ALMOST, "no output is worse than a perfect one"


def _multiplying_counts_changes_nothing(measure: Measure) -> None:
    for case in trials(measure):
        same(case(case.arrays[0] * 7), case(), "every count times 7")
        same(case(case.arrays[0] / 128), case(), "as proportions")


def _right_with_a_billion_items(measure: Measure) -> None:
    """10^9 items a table and more: nothing overflows, nothing cancels, undefined stays undefined."""
    for case in trials(measure):
        many = case.arrays[0] * 10**9
        scored = case(many)
        documented = case.reasons(many)
        assert np.array_equal(np.isnan(scored), documented), "undefined elsewhere than with few items"
        low, high = case.bounds()
        assert np.all((scored >= low) & (scored <= high) | documented), "out of range"
        if measure.proportional:
            expected = case()
            assert np.array_equal(np.isnan(scored), np.isnan(expected)), "undefined elsewhere than with few items"
            same(scored, expected, "every count times 10^9", tolerance=EQUAL)


def _expected_score_of_random_labels_is_as_declared(measure: Measure) -> None:
    """Linear: with gold fixed, a mean of tables scores the mean of their scores. Zero: the mean over all deals of the labels."""
    for case in trials(measure):
        tables = case.arrays[0]
        if measure.chance == "linear":
            other = np.flip(tables, axis=2)
            same(case((tables + other) / 2), (case(tables) + case(other)) / 2, "halfway between two outputs")
        else:
            gold, output = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 0, 1])
            dealt = np.zeros((120, *tables.shape[1:]), dtype=np.int64)
            for number, order in enumerate(itertools.permutations(range(5))):
                np.add.at(dealt[number], (gold, output[list(order)]), 1)
            same(case(dealt).mean(), 0, "over all deals of the same labels")


def _naming_of_classes_does_not_matter(measure: Measure) -> None:
    """A measure for nominal classes gives the same value when the classes are listed in another order."""
    for case in trials(measure):
        assert case.scale is not None
        order = np.random.default_rng(1).permutation(len(case.scale))
        if measure.inputs.first_is_special:
            order = np.array([0, *order[order > 0]])
        distance = None if case.distance is None else case.distance[np.ix_(order, order)]
        reordered = Scale(tuple(case.scale.labels[position] for position in order))
        scored = case.measure(*case.reordered(order), classes=reordered, distance=distance)
        same(scored, case(), "with the classes in another order")


def _class_values_do_not_matter(measure: Measure) -> None:
    """A measure that does not assume an interval scale gives the same value whatever values the classes have."""
    for case in trials(measure):
        assert case.scale is not None
        values = np.cumsum(np.random.default_rng(2).uniform(1, 9, len(case.scale)))
        stretched = Scale(case.scale.labels, "interval", tuple(values.tolist()))
        same(case.measure(*case.arrays, classes=stretched, distance=case.distance), case(), "with other class values")


def _together_as_alone(measure: Measure) -> None:
    for case in trials(measure):
        for scored in score_together([case.measure] * 2, *case.arrays, classes=case.scale, distance=case.distance):
            same(scored, case(), "scored together with others")


def _agrees_with(library: str) -> Callable[[Measure], None]:
    def check(measure: Measure) -> None:
        module = importlib.import_module(library)
        for case in trials(measure):
            arrays = case.each(lambda array: LIBRARIES[library](module, array))
            scored = case.measure(*arrays, classes=case.scale, distance=case.distance)
            assert type(scored) is type(arrays[0]), f"{library} arrays go in, {type(scored).__name__} comes out"
            tolerance = _SINGLE_PRECISION if "float32" in str(scored.dtype) else EQUAL
            same(np.asarray(scored), case(), f"computed by {library}", tolerance=tolerance)

    check.__name__ = f"{library.replace('_', '-')}_gives_the_same"
    return check


def _always(measure: Measure) -> bool:  # noqa: ARG001
    return True


def _is_score(measure: Measure) -> bool:
    return measure.kind == "score"


def _counts(measure: Measure) -> bool:
    """Whether the measure is one of tables of counts."""
    return measure.reads.arrays == ("counts",)


def _ranks(measure: Measure) -> bool:
    """Whether the measure is one of ranked items."""
    return not measure.reads.of_classes


# Each test, and the measures it applies to.
_CHECKS: dict[Callable[[Measure], None], Callable[[Measure], bool]] = {
    _says_what_it_is: _always,
    _name_parses_to_itself: _always,
    _survives_pickling: _always,
    _batch_equals_loop: _always,
    _takes_any_leading_axes: _always,
    _memory_layout_does_not_matter: _always,
    _leaves_its_input_alone: _always,
    _integers_and_floats_agree: _counts,
    _single_precision_is_close: _always,
    _stays_in_its_range: _always,
    _is_undefined_exactly_where_it_says: _always,
    _unusable_cases_score_nan: _always,
    _order_of_items_does_not_matter: _counts,
    _perfect_output_scores_best: _is_score,
    _tells_better_from_worse: _is_score,
    _multiplying_counts_changes_nothing: lambda measure: _counts(measure) and measure.proportional,
    _right_with_a_billion_items: _counts,
    _expected_score_of_random_labels_is_as_declared: lambda measure: _counts(measure) and measure.chance is not None,
    _naming_of_classes_does_not_matter: lambda measure: not _ranks(measure) and measure.scale == "nominal",
    _class_values_do_not_matter: lambda measure: not _ranks(measure) and measure.scale != "interval",
    order_of_ranked_items_does_not_matter: _ranks,
    padding_changes_nothing: _ranks,
    only_the_order_of_ranks_matters: lambda measure: (
        _ranks(measure) and measure.reads is not Reads.GRADES and measure.scale == "ordinal"
    ),
    ties_are_broken_in_expectation: lambda measure: _ranks(measure) and measure.ties == "expected",
    evidence_adds: lambda measure: measure.evidence is not None and measure.evidence.adds,
    _together_as_alone: _always,
}
