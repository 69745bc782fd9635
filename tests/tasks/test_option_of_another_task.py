"""An option of another task is refused, unless it says what leaving it out would say."""

import pytest

import metameasure as mm

GOLD, RUN = ["a", "b", "b"], {"svm": ["a", "b", "a"]}


def test_what_is_usual_says_nothing():
    assert mm.evaluate(GOLD, RUN, classes="a,b", rank_weights="linear")["svm"] == mm.evaluate(GOLD, RUN, classes="a,b")["svm"]


@pytest.mark.parametrize("said", ["reciprocal", "logarithmic"])
def test_anything_else_is_refused(said):
    with pytest.raises(mm.UsageError, match="rank_weights"):
        mm.evaluate(GOLD, RUN, classes="a,b", rank_weights=said)
