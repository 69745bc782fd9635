"""The declared classes: every way to write them, and every way to get them wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from metameasure.core.scale import Scale, text_of


@pytest.mark.parametrize(
    ("written", "labels"),
    [
        ("-2..2", ("-2", "-1", "0", "1", "2")),
        ("1..3", ("1", "2", "3")),
        ("3..1", ("3", "2", "1")),
        (" -1 .. 1 ", ("-1", "0", "1")),
        ("neg,neu,pos", ("neg", "neu", "pos")),
        ("very bad, bad, good", ("very bad", "bad", "good")),
        (["neg", "neu", "pos"], ("neg", "neu", "pos")),
        ((1, 2, 3), ("1", "2", "3")),
        (range(-1, 2), ("-1", "0", "1")),
        (np.arange(3), ("0", "1", "2")),
        ([1.0, 1.5], ("1", "1.5")),
    ],
)
def test_ways_to_write_classes(written, labels):
    scale = Scale.of(written)
    assert (scale.labels, scale.kind) == (labels, "ordinal")
    assert scale.values == tuple(range(1, len(labels) + 1))


@pytest.mark.parametrize("written", [{"low": 1, "mid": 2, "high": 5}, "low=1,mid=2,high=5", "low = 1, mid = 2, high = 5"])
def test_interval_scales_carry_values(written):
    scale = Scale.of(written)
    assert (scale.kind, scale.values) == ("interval", (1.0, 2.0, 5.0))
    assert Scale.of(str(scale)) == scale


def test_numeric_labels_become_values_only_when_the_scale_is_declared_interval():
    assert Scale.of([1, 2, 5]).values == (1, 2, 3)
    assert Scale.of([1, 2, 5], kind="interval").values == (1, 2, 5)


@pytest.mark.parametrize(
    ("written", "kind", "complaint"),
    [
        ("", None, "empty name"),
        ([], None, "no classes"),
        ("neg,,pos", None, "empty name"),
        ("neg,neu,neg", None, "'neg' is named twice"),
        ([1, "1"], None, "'1' is named twice"),
        ("a..e", None, "range"),
        (5, None, "cannot read classes"),
        (["a", "b"], "ordered", "unknown kind"),
        (["a", "b"], "interval", "'a' is not a number"),
        ({"a": 2, "b": 1}, None, "do not increase"),
        ({"a": 1, "b": float("nan")}, None, "finite"),
        ({"a": 1, "b": 2}, "nominal", "nominal scale"),
        ("a=1,b=x", None, "'x' is not a number"),
        ({"a": 1, "b": "x"}, None, "'x' is not a number"),
        ({"a": 1, "b": None}, None, "'None' is not a number"),
        ({"a", "b"}, None, "a set, which has no order"),
        (np.ones((2, 2)), None, "cannot read classes"),
    ],
)
def test_what_cannot_be_a_scale(written, kind, complaint):
    with pytest.raises(mm.UsageError, match=complaint):
        Scale.of(written, kind=kind)


def test_more_values_than_classes():
    with pytest.raises(mm.UsageError, match="2 classes but 3 values"):
        Scale(("a", "b"), "interval", (1.0, 2.0, 3.0))


def test_an_ordinal_scale_has_no_values():
    with pytest.raises(mm.UsageError, match="no class values"):
        Scale(("a", "b"), "ordinal", (1.0, 5.0))


def test_unknown_class_suggests_a_near_one():
    with pytest.raises(mm.UsageError, match=r"no class 'postive'.*did you mean 'positive'"):
        Scale.of("negative,positive").index("postive")


@pytest.mark.parametrize("label", [1, 1.0, np.int8(1), np.float64(1), "1", b"1", np.str_("1")])
def test_labels_that_are_alike_name_the_same_class(label):
    assert text_of(label) == "1"


@pytest.mark.parametrize(("label", "text"), [(True, "True"), (np.True_, "True"), (10**30, "1" + "0" * 30), (1.5, "1.5")])
def test_labels_as_text(label, text):
    assert text_of(label) == text


@given(
    st.lists(
        st.text(alphabet=st.characters(exclude_characters=",=", exclude_categories=["Zs", "Cc", "Cs"]), min_size=1),
        min_size=2,
        unique=True,
    )
)
def test_a_scale_prints_as_it_is_written(labels):
    if not any(".." in label for label in labels):
        assert Scale.of(str(Scale(tuple(labels)))).labels == tuple(labels)
