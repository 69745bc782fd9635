"""What may be asked of ratings: how they are read, and the options of ``agree``, ``judge`` and ``correct``. Help reads them, so
nothing heavy is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from metameasure.core.choices import (
    Aggregate,
    AgreementInterval,
    Alignment,
    Gold,
    MajorityTies,
    Sampling,
)
from metameasure.core.options import (
    Key,
    Option,
    names,
    option,
    option_group,
)
from metameasure.core.scale import Classes, Kind
from metameasure.core.shared_options import (
    ALPHA,
    DISTANCE,
    ENGINE_THREADS,
    INTERVAL,
    LEVEL,
    MEASURES,
    PLUGIN,
    SAMPLES,
    SEED,
    SKIP_BROKEN,
    TRIALS,
    VALIDITY,
)
from metameasure.tasks.declaration import CLASSES, COLUMN, FORMAT_IN, KIND, MEMORY

if TYPE_CHECKING:
    from metameasure.catalogue.measure import Measure
    from metameasure.catalogue.registry import Registry


_RATING_COLUMNS = (
    Key("item", "the items' ids"),
    Key("annotator", "who rated"),
    Key("label", "the ratings"),
    Key("topic", "topics, where ids are the same in each"),
    Key("cluster", "clusters of items that belong together, which are drawn whole"),
    Key("repeat", "the number of a rating, where somebody rated an item several times"),
)


ANNOTATOR_COLUMNS = Option("annotator-columns", "Which columns hold ratings, one per annotator.", names, metavar="A,B")
_OF_CORRECTION = "Corrected by a judge"
JUDGE_LABELS = Option(
    "judge-labels",
    "Correct the scores by a judge's labels of all items: GOLD is people's, of some.",
    metavar="FILE",
    section=_OF_CORRECTION,
    is_file=True,
)


@option_group
class RatingOptions:
    """How many annotators' ratings are read."""

    classes: Classes | None = option(CLASSES)
    kind: Kind | None = option(KIND)
    annotator_columns: Sequence[str] = option(
        ANNOTATOR_COLUMNS, "Which columns hold ratings, one per annotator (default: all others).", default=()
    )
    columns: Mapping[str, str] = option(COLUMN, keys=_RATING_COLUMNS)
    format_in: str | None = option(FORMAT_IN, "The format, if it is not recognised: alt-test or lewidi.")
    threads: int | None = option(ENGINE_THREADS)
    memory: str | None = option(MEMORY)


@option_group
class AgreeOptions(RatingOptions):
    """The options of ``agree``."""

    counts: bool = option("counts", "A column for each class says how many annotators chose it.", bool, default=False)
    table: bool = option(
        "table", "A row for each class of one annotator, a column for each of another's: how many items.", bool, default=False
    )
    measures: str | Measure | Sequence[str | Measure] | None = option(
        MEASURES, "Which coefficients (default: alpha for the scale, and two others)."
    )
    interval: AgreementInterval = option(
        INTERVAL,
        "How to make intervals: that hold with few items, by resampling items, or from Gwet's variance.",
        choices=get_args(AgreementInterval),
        shown=True,
        default="auto",
    )
    validity: bool = option(VALIDITY, default=False)
    level: float = option(LEVEL, default=0.95)
    trials: int = option(SAMPLES, default=1000)
    seed: int = option(SEED, default=0)
    aggregate: Aggregate | None = option(
        "aggregate",
        "Make gold of the ratings: by majority, median or Dawid and Skene's model; the others are crowd-kit's (an extra).",
        choices=get_args(Aggregate),
    )
    distance: Any = option(DISTANCE)
    registry: Registry | None = option(PLUGIN)


@option_group
class JudgeSettings:
    """What a trial of judges is held by."""

    gold: Gold = option(
        "gold",
        "What a judge is compared with: each person, or one label made of all.",
        choices=get_args(Gold),
        shown=True,
        default="each",
    )
    majority_ties: MajorityTies = option(
        "majority-ties",
        "How to break a tied majority: take its lowest class, or no gold.",
        choices=get_args(MajorityTies),
        shown=True,
        default="lowest",
    )
    margin: float = option("margin", "By how much a judge may be worse than a person.", float, shown=True, default=0.1)
    epsilon: float = option(
        "epsilon",
        "The epsilon of the alt-test: .2 for experts, .15 for skilled workers, .1 for crowds.",
        float,
        shown=True,
        default=0.2,
    )
    alignment: Alignment | None = option(
        "alignment", "How the alt-test compares labels (default: rmse; nominal: accuracy).", choices=get_args(Alignment)
    )
    minimum: int = option(
        "minimum", "The fewest items that a person must share with others.", int, least=2, shown=True, default=30
    )
    alpha: float = option(ALPHA, default=0.05)
    level: float = option(LEVEL, default=0.95)
    trials: int = option(TRIALS, "How many samples and swaps to draw.", default=1000)
    seed: int = option(SEED, default=0)


@option_group
class _Among:
    among: Sequence[str] = option(
        "judges", "Which of the annotators in RATINGS are judges.", names, metavar="A,B", argument="among", default=(),
        doc="Which of the annotators in the ratings are judges.",
    )  # fmt: skip


@option_group
class _JudgeReading(RatingOptions):
    measures: str | Measure | Sequence[str | Measure] | None = option(
        MEASURES, "Which measures of a table (default: kappa_linear; nominal: kappa)."
    )


@option_group
class JudgeOptions(JudgeSettings, _JudgeReading, _Among):
    """The options of ``judge``."""

    skip_broken: bool = option(SKIP_BROKEN, "Leave out judges that are broken, and say which.", default=False)
    validity: bool = option(VALIDITY, default=False)
    distance: Any = option(DISTANCE)
    registry: Registry | None = option(PLUGIN)


@option_group
class SampledOptions:
    """How the items were chosen that people labelled, where a judge labelled all."""

    sampled: Sampling | None = option(
        "sampled",
        "How the items that people labelled were chosen: at random, at random within strata, or unknown.",
        choices=get_args(Sampling),
        section=_OF_CORRECTION,
        doc="How the items that people labelled were chosen: at random, at random within strata, or unknown; then nothing is "
        "corrected.",
    )
    strata_column: str | None = option(
        "strata-column", "The column with strata, in the judge's file.", metavar="NAME", section=_OF_CORRECTION
    )


@option_group
class CorrectOptions(SampledOptions, RatingOptions, _Among):
    """The options of ``correct``."""

    level: float = option(LEVEL, default=0.95)
    trials: int = option(SAMPLES, least=100, default=1000)
    seed: int = option(SEED, default=0)
    validity: bool = option(VALIDITY, default=False)
