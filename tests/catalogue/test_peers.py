"""Our measures and statistics against every other program that computes them: the same, but for the deviations that we know."""

import importlib
import warnings

import numpy as np
import pytest

import metameasure as mm
from optional import PARTS as PARTS_OF_TESTS
from peers import DOCS, KINDS, MODULES, PARTS, STATISTICS, TABLE, page


def marks_of(peer):
    return [pytest.mark.needs(MODULES[peer])] if MODULES[peer] in PARTS_OF_TESTS else []


WITH_MARKS = [pytest.param(row, id=str(row), marks=marks_of(row.peer)) for row in TABLE]


def module_of(peer):
    name = MODULES[peer]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = importlib.import_module(name)
        for part in PARTS:
            if part.startswith(name + "."):
                importlib.import_module(part)
    return found


def of_peer(row, module, case, like):
    """The peer's number; what it refuses is undefined."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return np.asarray(row.theirs(module, case), dtype=float)
        except (ValueError, AssertionError):
            return np.full(like.shape, np.nan)


@pytest.mark.parametrize("row", WITH_MARKS)
def test_the_same_but_for_what_is_known(row):
    module, shown, tried = module_of(row.peer), set(), 0
    for case in KINDS[row.cases].draw():
        ours = np.asarray(row.value(case), dtype=float)
        theirs = of_peer(row, module, case, ours)
        same = np.allclose(ours, theirs, rtol=row.tolerance, atol=row.tolerance, equal_nan=True)
        known = {deviation.where for deviation in row.deviations if deviation.when(case)}
        assert same or known, f"ours {ours}, theirs {theirs}: {case}"
        shown |= set() if same else known
        tried += bool(np.isfinite(ours).any())
    assert tried > 2
    assert {deviation.where for deviation in row.deviations} == shown, "a deviation that shows in no case is none"


def test_a_deviation_that_is_none_is_seen():
    """By a row that claims one: accuracy is accuracy everywhere."""
    from dataclasses import replace

    row = replace(TABLE[0], deviations=TABLE[2].deviations)
    with pytest.raises(AssertionError, match="shows in no case"):
        test_the_same_but_for_what_is_known(row)
    with pytest.raises(AssertionError, match="ours"):
        test_the_same_but_for_what_is_known(replace(TABLE[2], deviations=()))


def test_the_page_is_up_to_date():
    assert DOCS.read_text(encoding="utf-8") == page(), "run python tests/peers.py"


def test_every_peer_and_every_statistic_has_a_row():
    assert set(STATISTICS) <= {row.ours for row in TABLE}
    assert {row.peer for row in TABLE} == set(MODULES)
    assert all(row.ours in STATISTICS or mm.measures[row.ours] for row in TABLE)
