"""Test bags: how many there are, what is in them, and that their prevalences are distributed as the protocols say."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.simulation.bags import _rounded, from_uniform

LABELS = ["a"] * 50 + ["b"] * 30 + ["c"] * 20
ITEMS = pd.DataFrame({"item": [f"i{number:03}" for number in range(100)], "label": LABELS})
OF = dict(zip(ITEMS["item"], LABELS, strict=True))


def shares(bags):
    return np.column_stack([bags.gold[label] for label in bags.scale.labels])


@pytest.mark.parametrize(("classes", "grid", "bags"), [(3, 3, 6), (3, 21, 231), (5, 21, 10_626), (2, 2, 2)])
def test_how_many_points_a_grid_has(classes, grid, bags):
    """definitions-new.md, section 8: C(g + C - 2, C - 1)."""
    labels = [str(label) for label in range(classes)]
    made = mm.draw_bags(labels, "app", grid=grid, bag_size=2, classes=labels)
    assert len(made.gold["topic"]) == bags


def test_the_grid_of_three_points():
    made = mm.draw_bags(ITEMS, "app", grid=3, bag_size=10, repeats=2, classes="a,b,c")
    found = sorted(map(tuple, shares(made).tolist()))
    once = [(0, 0, 1), (0, 0.5, 0.5), (0, 1, 0), (0.5, 0, 0.5), (0.5, 0.5, 0), (1, 0, 0)]
    assert found == sorted(once * 2)


@pytest.mark.parametrize("protocol", ["app", "npp", "upp"])
def test_gold_is_what_was_drawn(protocol):
    made = mm.draw_bags(ITEMS, protocol, grid=6, bag_size=17, bag_count=40, classes="a,b,c", seed=3)
    members = pd.DataFrame({name: list(values) for name, values in made.members.items()})
    for topic, row in zip(made.gold["topic"], shares(made), strict=True):
        drawn = Counter(OF[item] for item in members.loc[members["topic"] == topic, "item"])
        assert [drawn[label] / 17 for label in "abc"] == pytest.approx(row.tolist())
    assert (members.groupby("topic").size() == 17).all()


def test_the_natural_prevalence_varies_as_draws_do():
    """Variance p (1 - p) / s."""
    found = shares(mm.draw_bags(ITEMS, "npp", bag_size=50, bag_count=20_000, classes="a,b,c"))
    p = np.array([0.5, 0.3, 0.2])
    assert found.mean(axis=0) == pytest.approx(p, abs=0.002)
    assert found.var(axis=0) == pytest.approx(p * (1 - p) / 50, rel=0.04)


def test_uniform_among_all_prevalences():
    assert from_uniform(np.array([[0.7, 0.2]]))[0] == pytest.approx([0.2, 0.5, 0.3])
    found = shares(mm.draw_bags(ITEMS, "upp", bag_size=1000, bag_count=5000, classes="a,b,c"))
    assert found.mean(axis=0) == pytest.approx([1 / 3] * 3, abs=0.01)
    assert found.var(axis=0) == pytest.approx([1 / 18] * 3, rel=0.06)


def test_what_rounding_leaves_goes_by_chance():
    """2.5 and 2.5 of 5 are 2 and 2, half to even: the fifth goes to either. 1.5 each of three are 2, 2, 2 for 4.5."""
    rng = np.random.default_rng(0)
    lacking = Counter(tuple(_rounded(np.array([0.5, 0.5]), 5, rng).tolist()) for _ in range(2000))
    assert set(lacking) == {(3, 2), (2, 3)}
    assert lacking[3, 2] / 2000 == pytest.approx(0.5, abs=0.04)
    surplus = Counter(tuple(_rounded(np.array([0.5, 0.25, 0.25]), 6, rng).tolist()) for _ in range(2000))
    assert {sum(counts) for counts in surplus} == {6}
    assert _rounded(np.array([0.0, 1.0]), 7, rng).tolist() == [0, 7]
    assert {tuple(_rounded(np.array(one), 10, rng).tolist()) for one in [(0.26, 0.74)] * 50} == {(3, 7)}
    assert {tuple(_rounded(np.array(one), 10, rng).tolist()) for one in [(0.25, 0.75)] * 50} == {(2, 8)}


def test_items_are_drawn_with_replacement_and_evenly():
    made = mm.draw_bags(ITEMS, "npp", bag_size=1000, bag_count=20, classes="a,b,c")
    times = Counter(made.members["item"])
    assert len(times) == 100
    assert min(times.values()) > 140
    assert max(times.values()) < 260


def test_the_same_seed_gives_the_same_bags_whatever_the_order_of_the_rows(tmp_path):
    how = {"bag_size": 10, "bag_count": 5, "classes": "a,b,c"}
    one, other = mm.draw_bags(ITEMS, "upp", **how), mm.draw_bags(ITEMS.sample(frac=1, random_state=1), "upp", **how)
    one.save(tmp_path / "one"), other.save(tmp_path / "other")
    for name in ("gold.tsv", "items.tsv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    different = mm.draw_bags(ITEMS, "upp", **how, seed=1)
    assert list(different.members["item"]) != list(one.members["item"])


def test_labels_alone_have_numbers_for_ids():
    made = mm.draw_bags(["a", "b", "b"], "npp", bag_size=4, bag_count=2, classes="a,b")
    assert {*made.members["item"]} <= {"1", "2", "3"}


def test_the_command_and_what_it_says_next(run, tmp_path):
    ITEMS.rename(columns={"item": "id", "label": "class"}).to_csv(tmp_path / "gold.csv", index=False)
    how = ["--labelled", tmp_path / "gold.csv", "--item-column", "id", "--label-column", "class", "--classes", "a,b,c"]
    status, out, err = run("simulate", tmp_path / "bags", "--bags", "upp", "--bag-count", "7", *how)
    assert (status, err) == (0, "")
    assert out.startswith(f"Wrote 7 bags to {tmp_path / 'bags'}. Next:\nmetameasure evaluate ")
    gold = tmp_path / "bags" / "gold.tsv"
    pd.read_csv(gold, sep="\t").to_csv(tmp_path / "perfect.tsv", sep="\t", index=False)
    status, out, err = run("evaluate", gold, tmp_path / "perfect.tsv", "--task", "quantification", "--classes", "a,b,c")
    assert (status, "perfect" in out, "over 7 topics" in out or "7 topics" in out) == (0, True, True), err


class TestWrong:
    def test_a_class_without_items(self):
        with pytest.raises(mm.UsageError, match="no item has the label d, but bags need some"):
            mm.draw_bags(ITEMS, "app", classes="a,b,c,d")
        assert mm.draw_bags(ITEMS, "npp", classes="a,b,c,d").gold["d"].max() == 0

    def test_a_label_that_is_no_class(self):
        with pytest.raises(mm.DataError, match="label 'c'"):
            mm.draw_bags(ITEMS, "npp", classes="a,b")

    def test_an_item_twice(self):
        with pytest.raises(mm.DataError, match=r"gold:101: item 'i000' again \(first in line 1\); keep one row per item"):
            mm.draw_bags(pd.concat([ITEMS, ITEMS.head(1)]), "npp", classes="a,b,c")

    def test_a_label_is_missing(self):
        with pytest.raises(mm.DataError, match="has no label"):
            mm.draw_bags(pd.DataFrame({"item": ["x", "y"], "label": ["a", None]}), "npp", classes="a,b")

    @pytest.mark.parametrize(
        ("how", "said"),
        [
            ({"protocol": "ap"}, "protocol cannot be 'ap'; choose app, npp or upp"),
            ({"bag_size": 0}, "bag_size cannot be 0; give a whole number from 1 up"),
            ({"grid": 1, "protocol": "app"}, "grid cannot be 1; give a whole number from 2 up"),
            ({"bag_count": 10**8}, "too many"),
        ],
    )
    def test_sizes_that_make_no_sense(self, how, said):
        with pytest.raises(mm.UsageError, match=said):
            mm.draw_bags(ITEMS, how.pop("protocol", "npp"), classes="a,b,c", **how)

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--bags", "upp"], "bags need a protocol and labelled items"),
            (["--grid", "5"], "bags need a protocol and labelled items"),
            (["--bags", "upp", "--labelled", "x", "--topics", "3"], "--topics is of simulated tasks, not of bags"),
            (["--bags", "upp", "--labelled", "x.tsv", "--classes", "a,b"], "there is no file 'x.tsv'"),
        ],
    )
    def test_lines_that_make_no_sense(self, run, tmp_path, words, said):
        status, _, err = run("simulate", tmp_path / "bags", *words)
        assert (status, said in err) == (2, True), err
        assert not (tmp_path / "bags").exists()
