"""Groups of options behave as the frozen dataclasses that they stand for."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest

from metameasure.core.options import Key, option, option_group


@option_group
class Reading:
    columns: dict[str, str] = option("column", "The column with {}.", keys=(Key("item", "the items"),))
    seed: int = option("seed", "The seed.", int, default=7)

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError("no seed")


@option_group
class Scoring(Reading):
    level: float = option("level", "The level.", float, default=0.95)


@dataclass(frozen=True, kw_only=True)
class Derived(Scoring):
    """As a task of another package may be written."""

    unit: float = option("unit", "The unit.", float, default=1.0)


@pytest.mark.parametrize("group", [Scoring, Derived])
def test_a_group_has_its_defaults_what_is_given_and_the_checks_of_its_bases(group):
    plain, given = group(), group(seed=3, columns={"item": "id"})
    assert (plain.seed, plain.level, plain.columns) == (7, 0.95, {})
    assert (given.seed, given.columns) == (3, {"item": "id"})
    assert plain.columns is not group().columns
    assert dataclasses.replace(given, level=0.9).seed == 3
    with pytest.raises(ValueError, match="no seed"):
        group(seed=-1)


@pytest.mark.parametrize("group", [Scoring, Derived])
def test_a_group_takes_no_other_name_and_nothing_by_place_and_never_changes(group):
    with pytest.raises(TypeError, match="'sede'"):
        group(sede=3)
    with pytest.raises(TypeError):
        group(3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        group().seed = 3


def test_an_option_without_a_default_is_refused_where_it_is_declared():
    with pytest.raises(TypeError, match=r"Wrong.number has no default"):

        @option_group
        class Wrong:
            number: int
