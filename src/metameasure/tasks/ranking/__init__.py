"""Ranking: a rank or score per item of a segment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, get_args

from metameasure.core.choices import Compat, Gain, MissingRanks, PredictedTies
from metameasure.core.options import names, option, option_group
from metameasure.reading.options import Holds, Tables
from metameasure.tasks.declaration import MISSING, Declaration, Layout, TaskOptions

if TYPE_CHECKING:
    from metameasure.reading.eval_sets import Level, Systems

_HOLDS: tuple[Holds, ...] = ("ranks", "scores")
_FOLDERS = "Folders of mt-metrics-eval"


@option_group
class Options(TaskOptions):
    """What may be said of rankings."""

    reads: ClassVar[tuple[str, ...]] = ("segment", "item", "judge", "ranking", "rank", "score", "grade", "gold", "run")
    tables: ClassVar[Tables] = Tables("ranking", ("segment", "item", "rank"), labels=False)

    missing: MissingRanks | None = option(MISSING, choices=get_args(MissingRanks))
    gold_are: Holds | None = option("gold-are", "What gold's column holds.", choices=_HOLDS)
    runs_are: Holds | None = option("runs-are", "What the runs' columns hold.", choices=_HOLDS)
    tie_epsilon: float = option("tie-epsilon", "Scores that differ by no more are tied.", float, default=0.0)
    gold_tie_epsilon: float = option("gold-tie-epsilon", "The same for gold's scores.", float, default=0.0)
    by_source: bool = option("by-source", "Average a source segment's rankings first.", bool, of_scoring=True, default=False)
    gain: Gain | None = option("gain", "The gain of DCG, NDCG and ERR.", choices=get_args(Gain), of_scoring=True)
    ties: PredictedTies | None = option("ties", "How predicted ties are read.", choices=get_args(PredictedTies), of_scoring=True)
    compat: Compat | None = option(
        "compat", "Compute as another program does (default for TREC files: trec_eval).", choices=get_args(Compat)
    )
    chance_test: int = option(
        "chance-test", "Test each run against chance by B permutations.", int, metavar="B", least=1, of_scoring=True, default=0
    )

    language_pairs: Sequence[str] = option(
        "language-pairs",
        "Of a folder of mt-metrics-eval, the language pairs to read (default: all).",
        names,
        metavar="A-B,...",
        default=(),
    )
    human_scores: str | None = option(
        "human-scores",
        "Which of people's scores are gold, such as mqm (default: WMT's choice).",
        metavar="NAME",
        section=_FOLDERS,
    )
    references: Sequence[str] = option(
        "references",
        "Which references metrics may read, such as refA (default: WMT's choice).",
        names,
        metavar="A,B",
        section=_FOLDERS,
        default=(),
    )
    metrics: Sequence[str] = option(
        "metrics", "Which metrics to read (default: all).", names, metavar="A,B", section=_FOLDERS, default=()
    )
    systems: Systems = option(
        "systems",
        "The systems that metrics are judged by: without outliers (wmt), without other translations by people too (machines), or "
        "all but the reference (default: wmt).",
        choices=("wmt", "machines", "all"),
        section=_FOLDERS,
        default="wmt",
    )
    score_files: Level | None = option(
        "score-files",
        "Read scores of segments or of systems (default: of systems for measures @system).",
        choices=("seg", "sys"),
        section=_FOLDERS,
    )

    def of_folder(self) -> dict[str, str]:
        """What is said of a folder of mt-metrics-eval, for signatures."""
        lists = {name: ",".join(getattr(self, name)) for name in ("language_pairs", "references", "metrics")}
        words = {"human_scores": self.human_scores, "systems": None if self.systems == "wmt" else self.systems,
                 "score_files": self.score_files}  # fmt: skip
        return {name: value for name, value in {**lists, **words}.items() if value}

    def settings(self) -> dict[str, str]:
        """How measures are computed, where that is said."""
        return {name: value for name, value in (("gain", self.gain), ("ties", self.ties)) if value is not None}


_LAYOUT = Layout(
    needed=("segment", "item"),
    key="item",
    names=("segment", "item", "judge"),
    numbers=("rank", "score", "grade"),
    one_of=("rank", "score", "grade"),
)
TASK = Declaration(__name__, "Ranking", Options, place=40, layout=_LAYOUT)
