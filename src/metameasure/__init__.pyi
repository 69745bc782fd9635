# Written by tools/stub.py from the groups of options. Change those, and write it anew.
# fmt: off
"""Score systems against gold, and put the measures themselves to the test."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Optional, Union, overload

from metameasure import meta as meta
from metameasure.advice.advising import Advice as Advice
from metameasure.advice.design import Design as Design
from metameasure.advice.labels import LabelDesign as LabelDesign
from metameasure.catalogue.measure import Measure as Measure, Measures, measure as measure
from metameasure.catalogue.ranking.normalisation import normalise_ranks as normalise_ranks
from metameasure.catalogue.registry import Registry as Registry
from metameasure.cleaning.cleaned import Cleaned as Cleaned
from metameasure.comparing.comparison import Comparison as Comparison, Comparisons as Comparisons
from metameasure.comparing.gate import Gate as Gate
from metameasure.comparing.items import Difference as Difference
from metameasure.comparing.ranks import PossibleRanks as PossibleRanks
from metameasure.core.choices import Across, AcrossTasks, Aggregate, AgreementInterval, Alignment, Average, BagProtocol, Better, ComparedInterval, Compat, Correction, DrawBy, Engine, Extra, Gain, Gold, Incomplete, IntervalKind, MajorityTies, MetricTest, MissingOutcomes, MissingProbabilities, MissingRanks, MissingSets, NameBy, PredictedTies, Purpose, SampleUnits, Sampling, Test, Undecided, Undefined
from metameasure.core.errors import DataError as DataError, MetameasureError as MetameasureError, MetameasureWarning as MetameasureWarning, UsageError as UsageError
from metameasure.core.scale import Classes, Kind, Scale as Scale
from metameasure.core.signature import Signature as Signature
from metameasure.evaluating.evidence_files import merge as merge
from metameasure.evaluating.explain import Explanation as Explanation
from metameasure.evidence.base import Evidence as Evidence
from metameasure.evidence.distributions import Distributions as Distributions
from metameasure.judging.agreement import Agreement as Agreement
from metameasure.judging.corrected import Corrected as Corrected
from metameasure.judging.result import Judgement as Judgement, JudgementsByMeasure as JudgementsByMeasure
from metameasure.meta.discriminative_power import Discrimination as Discrimination
from metameasure.meta.finding import Finding as Finding
from metameasure.meta.measure_summary import Summary as Summary
from metameasure.meta.ranking_similarity import Similarity as Similarity
from metameasure.meta.score_deltas import Deltas as Deltas
from metameasure.meta.significance_contradictions import Contradictions as Contradictions
from metameasure.meta.significance_overlap import Overlap as Overlap
from metameasure.meta.split_consistency import Consistency as Consistency
from metameasure.meta.topic_robustness import Robustness as Robustness
from metameasure.meta.unanimous_coverage import Coverage as Coverage
from metameasure.page.report import Report as Report
from metameasure.properties.result import Axioms as Axioms
from metameasure.reading.eval_sets import Level, Systems
from metameasure.reading.options import Holds
from metameasure.reproducing.result import Reproduction as Reproduction
from metameasure.scores.files import read_scores as read_scores
from metameasure.scores.scores import ScoreMatrix as ScoreMatrix, Scores as Scores
from metameasure.scores.scoring import Scorer as Scorer, counts as counts, score as score, scorer as scorer
from metameasure.scores.sources import AnyScores
from metameasure.show.table import Signed as Signed
from metameasure.simulation.bags import Bags as Bags
from metameasure.simulation.simulate import Simulated as Simulated
from metameasure.statistics.tukey import randomised_tukey_hsd as randomised_tukey_hsd
from metameasure.studies.study import Compared as Compared, Studies as Studies
from metameasure.tasks.checking import Check as Check
from metameasure.tasks.run_tables import RunTables as RunTables
from metameasure.trials.result import MeasureTrial as MeasureTrial

__all__ = ["Advice", "Agreement", "Axioms", "Bags", "Check", "Cleaned", "Compared", "Comparison", "Comparisons", "Consistency", "Contradictions", "Corrected", "Coverage", "DataError", "Deltas", "Design", "Difference", "Discrimination", "Distributions", "Evidence", "Explanation", "Finding", "Gate", "Judgement", "JudgementsByMeasure", "LabelDesign", "Measure", "MeasureTrial", "MetameasureError", "MetameasureWarning", "Overlap", "PossibleRanks", "Registry", "Report", "Reproduction", "Robustness", "RunTables", "Scale", "ScoreMatrix", "Scorer", "Scores", "Signature", "Signed", "Similarity", "Simulated", "Studies", "Summary", "UsageError", "__version__", "advise", "agree", "axioms", "check", "clean", "compare", "compare_micro", "correct", "correct_scores", "count", "counts", "design", "difference", "distributions", "draw_bags", "evaluate", "explain", "gate", "judge", "label_design", "measure", "measures", "merge", "meta", "normalise_ranks", "randomised_tukey_hsd", "ranks", "read_scores", "report", "reproduce", "score", "scorer", "simulate", "study", "table", "trial"]
__version__: str

@overload
def advise(
    gold: Any, runs: Any = None, *, task: Literal["classification"] = "classification", classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0, skip_broken: bool = False,
    no_distances: bool = False, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Advice:
    """Recommend a primary and a secondary measure for these data, with reasons, sources and numbers.

    ``advise(gold, runs, classes=...)`` takes what ``evaluate`` takes. ``advise(scores)`` takes scores, and says what it could
    not look at.

    Parameters
    ----------
    gold : path, data frame, array, evidence or scores
        What is right, as for ``evaluate``; or scores from ``evaluate``, a frame or a file of them.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    no_distances : bool, optional
        Ask for measures that assume no distances between ordered classes.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Advice
        The measures, in at most ten lines with the reasons; nothing is recommended where the data cannot tell.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    It names the first measure of those that papers recommend for such data which ``meta.summary`` calls fit to be the primary
    one on these: there are enough topics and runs, it ranks the runs alike in two halves of the topics, finds significant
    differences, and is not worse than another beyond chance (Sakai 2021, Sections 5 and 6).

    Examples
    --------
    >>> import metameasure as mm
    >>> advice = mm.advise([1, 2, 2, 1], {"a": [1, 2, 1, 1], "b": [1, 1, 1, 1]}, classes=[1, 2])
    >>> print(advice.primary)
    None
    """
@overload
def advise(
    gold: Any, runs: Any = None, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    skip_broken: bool = False, no_distances: bool = False, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None,
) -> Advice:
    ...
@overload
def advise(
    gold: Any, runs: Any = None, *, task: Literal["probabilities"], classes: Classes | None = None, kind: Kind | None = None,
    run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, normalise: bool = False, smooth: float | None = None, seed: int = 0,
    skip_broken: bool = False, no_distances: bool = False, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    cluster_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Advice:
    ...
@overload
def advise(
    gold: Any, runs: Any = None, *, task: Literal["multilabel"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: MissingSets | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, seed: int = 0,
    skip_broken: bool = False, no_distances: bool = False, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_cluster_column: str | None = None,
) -> Advice:
    ...
@overload
def advise(
    gold: Any, runs: Any = None, *, task: Literal["entailment"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False,
    positive: str | None = None, neutral: str | None = None, negative: str | None = None, rank_weights: Any = 'linear',
    seed: int = 0, skip_broken: bool = False, no_distances: bool = False, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Advice:
    ...
@overload
def advise(
    gold: Any, runs: Any = None, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, no_distances: bool = False, registry: Registry | None = None,
    item_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, segment_column: str | None = None,
    judge_column: str | None = None, gold_item_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Advice:
    ...
@overload
def advise(
    gold: Any, runs: Any = None, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    no_distances: bool = False, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, run_column: str | None = None, score_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, measure_column: str | None = None,
    hash_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_score_column: str | None = None, gold_cluster_column: str | None = None, gold_measure_column: str | None = None,
    gold_hash_column: str | None = None,
) -> Advice:
    ...

def agree(
    ratings: Any, *, classes: Classes | None = None, kind: Kind | None = None, annotator_columns: Sequence[str] = (),
    columns: Mapping[str, str] = ..., format_in: str | None = None, threads: int | None = None, memory: str | None = None,
    counts: bool = False, table: bool = False, measures: str | Measure | Sequence[str | Measure] | None = None,
    interval: AgreementInterval = 'auto', validity: bool = False, level: float = 0.95, trials: int = 1000, seed: int = 0,
    aggregate: Aggregate | None = None, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, annotator_column: str | None = None, label_column: str | None = None,
    topic_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
) -> Agreement:
    """Measure how well annotators agree on the same items.

    Parameters
    ----------
    ratings : path, data frame or dict
        A table with the columns item, annotator, label; or item and a column for each annotator; or ``{annotator: {item:
        label}}``. With ``table``, how many items two annotators put into each pair of classes, as a table or an array.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    annotator_columns : Sequence[str], optional
        Which columns hold ratings, one per annotator (default: all others).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``annotator``: who rated; ``label``: the ratings;
        ``topic``: topics, where ids are the same in each; ``cluster``: clusters of items that belong together, which
        are drawn whole; ``repeat``: the number of a rating, where somebody rated an item several times.
    item_column, annotator_column, label_column, topic_column, cluster_column, repeat_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: alt-test or lewidi.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    counts : bool, optional
        A column for each class says how many annotators chose it.
    table : bool, optional
        A row for each class of one annotator, a column for each of another's: how many items.
    measures : str or Measure or Sequence[str or Measure], optional
        Which coefficients (default: alpha for the scale, and two others).
    interval : {'auto', 'bootstrap', 'gwet'}, default 'auto'
        How to make intervals: that hold with few items, by resampling items, or from Gwet's variance.
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    level : float, default 0.95
        The level of the intervals.
    trials : int, default 1000
        How many samples to draw.
    seed : int, default 0
        The seed of the random numbers.
    aggregate : {'majority', 'median', 'dawid-skene', 'one-coin', 'glad', 'mmsr'}, optional
        Make gold of the ratings: by majority, median or Dawid and Skene's model; the others are crowd-kit's (an extra).
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Agreement
        The coefficients with their intervals, and each annotator's agreement with the others.

    Raises
    ------
    UsageError
        If the classes are not declared, or a measure is not one of agreement.
    DataError
        If the ratings are wrong, or no item has two.

    Notes
    -----
    By default Krippendorff's alpha for the scale, percent agreement and Gwet's coefficient. Each has its formula and its source
    on it: ``print(mm.measures["alpha_nominal"])``. Krippendorff (2018) and Gwet (2014) are their sources.

    Examples
    --------
    >>> import metameasure as mm
    >>> ratings = {"ann": {1: "yes", 2: "no", 3: "no"}, "bob": {1: "yes", 2: "no", 3: "yes"}}
    >>> found = mm.agree(ratings, classes="no,yes", kind="nominal", measures="percent_agreement")
    >>> round(found["percent_agreement"].value, 3)
    0.667
    """

def axioms(
    measures: str | Measure | Sequence[str | Measure] | None = None, *, task: str | None = None,
    properties: str | Sequence[str] | None = None, classes: Classes | None = None, distance: Any = None,
    trials: int = 200000, seed: int = 0, threads: int | None = None, resume: str | Path | None = None,
    registry: Registry | None = None,
) -> Axioms:
    """Find out which properties measures have, by search: all small cases, then some at random.

    Parameters
    ----------
    measures : str, Measure or sequence of these, optional
        Names, ids with parameters or measures; by default all, or all of a task.
    task : str, optional
        Only the measures of one task.
    properties : str or Sequence[str], optional
        Which properties (default: all that apply).
    classes : Classes, optional
        The classes' names, for measures that name one, as recall@positive does.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    trials : int, default 200000
        How many larger cases to draw where the small ones do not decide.
    seed : int, default 0
        The seed of the random numbers.
    threads : int, optional
        How many threads to use.
    resume : str or Path, optional
        A file in which finished pieces of work are kept, and from which an interrupted call goes on.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Axioms
        For each measure and property a verdict: the smallest counterexample, or how many cases were tried; and what papers
        claim.

    Raises
    ------
    UsageError
        If no property applies, or a measure lacks its class or its distances.

    Notes
    -----
    The properties and their sources are in docs/axioms.md. ``classes`` and ``distance`` fix the number of classes. Most are of
    Amigó et al. (2020), Sakai (2021) and Sebastiani (2020).

    Examples
    --------
    >>> import metameasure as mm
    >>> found = mm.axioms("accuracy", properties="symmetric", trials=0)
    >>> [(one.measure.id, one.holds) for one in found.verdicts]
    [('accuracy', True)]
    """

@overload
def check(
    gold: Any, runs: Any = None, *, task: Literal["classification"] = "classification", classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Check:
    """Check gold and every run, and report all problems at once.

    Files that cannot be read, wrong headers and wrong contents: a broken run does not hide the problems of the others.

    Parameters
    ----------
    gold : path, data frame or array
        What is right, as for ``evaluate``.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``; without them, gold is checked alone.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    Check
        What was found. ``.ok`` says whether all is right, ``.problems()`` what is not.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task. Wrong data raise nothing: they are the answer.

    Notes
    -----
    What a file has to be like is in docs/formats.md. Nothing is scored: what is wrong with one run does not hide what is wrong
    with the next.

    Examples
    --------
    >>> import metameasure as mm
    >>> found = mm.check(["a", "b", "b"], {"first": ["a", "b", "b"], "second": ["a", "c", "b"]}, classes="a,b")
    >>> found.ok, found.good()
    (False, ['first'])
    """
@overload
def check(
    gold: Any, runs: Any = None, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> Check:
    ...
@overload
def check(
    gold: Any, runs: Any = None, *, task: Literal["probabilities"], classes: Classes | None = None, kind: Kind | None = None,
    run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, normalise: bool = False, smooth: float | None = None, seed: int = 0,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Check:
    ...
@overload
def check(
    gold: Any, runs: Any = None, *, task: Literal["multilabel"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: MissingSets | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, seed: int = 0,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Check:
    ...
@overload
def check(
    gold: Any, runs: Any = None, *, task: Literal["entailment"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False,
    positive: str | None = None, neutral: str | None = None, negative: str | None = None, rank_weights: Any = 'linear',
    seed: int = 0, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Check:
    ...
@overload
def check(
    gold: Any, runs: Any = None, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, item_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, segment_column: str | None = None,
    judge_column: str | None = None, gold_item_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Check:
    ...
@overload
def check(
    gold: Any, runs: Any = None, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, item_column: str | None = None,
    topic_column: str | None = None, run_column: str | None = None, score_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, measure_column: str | None = None,
    hash_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_score_column: str | None = None, gold_cluster_column: str | None = None, gold_measure_column: str | None = None,
    gold_hash_column: str | None = None,
) -> Check:
    ...

@overload
def clean(
    gold: str | Path, submissions: Any, folder: str | Path, *, task: Literal["classification"] = "classification",
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0,
    map: Mapping[str, str] | str | Path | None = None, encoding: str | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Cleaned:
    """Repair what is wrong with submissions where its meaning is certain, in copies, and name the rest.

    Encodings, line ends, separators, headers, names of columns, decimal commas, signs, quotes, spaces around labels, rows that
    are there twice; in files, folders and ZIP archives. The folder then holds ``gold.csv``, ``runs`` with every run that can be
    scored, ``left`` with those that still cannot, and the log of all changes, ``log.txt`` and ``log.json``.

    Parameters
    ----------
    gold : path
        What is right, as for ``evaluate``; it is cleaned, too.
    submissions : path or list of paths
        Files, patterns, folders and ZIP archives.
    folder : path
        The folder to make. It appears whole or not at all, and nothing else is written.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    map : Mapping[str, str] or str or Path, optional
        What labels stand for that are no classes: a mapping, a text such as ``positive=2,neg=-2``, or a file with two
        columns.
    encoding : str, optional
        What files are written in that are neither UTF-8 nor begin with a mark.

    Returns
    -------
    Cleaned
        What was done. ``.ok`` says whether every submission can be scored now, ``.problems()`` what is left.

    Raises
    ------
    DataError
        If gold itself is wrong. Submissions that are wrong raise nothing: they are part of the answer.
    UsageError
        If an option makes no sense, the folder exists, or a file does not.

    Notes
    -----
    What is repaired, and what is only named because its meaning is not certain, is in docs/clean.md.

    Examples
    --------
    >>> import metameasure as mm
    >>> import tempfile, pathlib
    >>> place = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (place / "gold.csv").write_text("item,label\\na,-1\\nb,1\\n")
    >>> _ = (place / "team.txt").write_text("ID;Prediction\\r\\na;\\u22121\\r\\nb; +1\\r\\n")
    >>> done = mm.clean(place / "gold.csv", place / "team.txt", place / "cleaned", classes="-1..1")
    >>> done.ok, (place / "cleaned/runs/team.csv").read_text()
    (True, 'item,label\\na,-1\\nb,1\\n')
    """
@overload
def clean(
    gold: str | Path, submissions: Any, folder: str | Path, *, task: Literal["quantification"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, counts: bool = False, normalise: bool = False, smooth: float | None = None,
    aspect: str | None = None, training: Any = None, seed: int = 0, map: Mapping[str, str] | str | Path | None = None,
    encoding: str | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> Cleaned:
    ...
@overload
def clean(
    gold: str | Path, submissions: Any, folder: str | Path, *, task: Literal["probabilities"],
    classes: Classes | None = None, kind: Kind | None = None, run_columns: Sequence[str] = (),
    missing: MissingProbabilities | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    normalise: bool = False, smooth: float | None = None, seed: int = 0, map: Mapping[str, str] | str | Path | None = None,
    encoding: str | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Cleaned:
    ...
@overload
def clean(
    gold: str | Path, submissions: Any, folder: str | Path, *, task: Literal["multilabel"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, map: Mapping[str, str] | str | Path | None = None, encoding: str | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Cleaned:
    ...
@overload
def clean(
    gold: str | Path, submissions: Any, folder: str | Path, *, task: Literal["entailment"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0,
    map: Mapping[str, str] | str | Path | None = None, encoding: str | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, confidence_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, score_rank_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_confidence_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None, label_matrix: Any = None,
    confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Cleaned:
    ...
@overload
def clean(
    gold: str | Path, submissions: Any, folder: str | Path, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, map: Mapping[str, str] | str | Path | None = None, encoding: str | None = None,
    item_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, segment_column: str | None = None,
    judge_column: str | None = None, gold_item_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Cleaned:
    ...
@overload
def clean(
    gold: str | Path, submissions: Any, folder: str | Path, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0,
    map: Mapping[str, str] | str | Path | None = None, encoding: str | None = None, item_column: str | None = None,
    topic_column: str | None = None, run_column: str | None = None, score_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, measure_column: str | None = None,
    hash_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_score_column: str | None = None, gold_cluster_column: str | None = None, gold_measure_column: str | None = None,
    gold_hash_column: str | None = None,
) -> Cleaned:
    ...

@overload
def compare(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["classification"] = "classification",
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0,
    skip_broken: bool = False, correction: Correction | None = None, against: str | None = None, trials: int = 5000,
    alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False,
    draw_by: DrawBy | None = None, test: Test | MetricTest | None = None, units: SampleUnits | None = None,
    correction_across: Across | None = None, incomplete: Incomplete | None = None, baselines: bool = False,
    leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False, registry: Registry | None = None,
    weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Comparison:
    """Compare runs on a measure, or on each of several: which differences between them are real?

    ``compare(scores, measure)`` takes scores, and compares means over topics. ``compare(gold, runs, measure, classes=...)``
    takes what ``evaluate`` takes: it compares means over topics if there are several, and one test set item by item (or
    cluster by cluster, ``columns={"cluster": ...}``).

    Parameters
    ----------
    gold : path, data frame, array, evidence or scores
        What is right, as for ``evaluate``; or scores from ``evaluate``, matrices, a data frame as ``Scores.to_frame`` gives
        it or with topics down and runs across, or a file of scores.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    measure : str, Measure or sequence of these, optional
        The measure, or several. Scores of one measure need none. After scores it is the second argument.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better, for a measure that metameasure does not know.
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    correction : {'none', 'holm', 'bh', 'maxt'}, optional
        For permutation and bootstrap tests of many pairs (default: holm; over items of several topics maxt).
    against : str, optional
        Compare all runs with this one only; over topics by sign-flip tests.
    trials : int, default 5000
        How many random trials.
    alpha : float, default 0.05
        The level of significance.
    level : float, default 0.95
        The level of the intervals.
    interval : {'auto', 'bootstrap'}, default 'auto'
        How to make the runs' intervals: as evaluate does, or as in 0.2.
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    draw_by : {'data', 'names'}, optional
        What random draws go by: ``data``, so that p-values depend neither on names nor on order, or ``names``, as in
        0.2. By default ``data``, and ``names`` where ``test`` names a test, which then gives the numbers of 0.2.
    test : {'stepwise', 'tukey', 'classical', 'permutation', 'bootstrap', 'perm-both', 'williams'}, optional
        The test: by default ``stepwise`` over topics, with ``against`` sign flips; ``permutation`` over items and of
        pooled rankings. ``tukey`` (or ``hsd``) is the randomised Tukey HSD test, ``classical`` that of a two-way
        analysis of variance. With fewer than six topics none.
    units : {'topics', 'items'}, optional
        What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: topics from six
        on).
    correction_across : {'measures'}, optional
        Correct p-values for the number of measures too (default: for the pairs of runs only).
    incomplete : {'drop-topics', 'drop-runs'}, optional
        What to do about missing or undefined scores.
    baselines : bool, optional
        Keep the baselines among scores (default: leave them out).
    leave_out : Sequence[str], optional
        Runs that are not compared.
    simultaneous : bool, optional
        Intervals of the differences that hold for all pairs at once.
    anova : bool, optional
        Add the two-way analysis of variance, topics by runs.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).
    weights : Sequence[float], optional
        Metrics over several data sets, of language pairs and measures: how much each counts, in that order.
    average : {'topics', 'pooled'}, default 'topics'
        Compare means over topics, or pool all topics: labels item by item, rankings by all pairs.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.

    Returns
    -------
    Comparison or Comparisons
        The runs from best to worst, with p-values, effect sizes and intervals for every two of them; of several measures, a
        comparison for each.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    With fewer than six topics no sign-flip test can find a difference at .05: items are compared within the topics instead,
    which are then fixed. Error rates of each test are in docs/validity.md. The randomised Tukey HSD test is that of Sakai
    (2021), Sections 5.2 and 5.3.

    Examples
    --------
    >>> import metameasure as mm
    >>> gold, runs = [1, 2, 3] * 4, {"a": [1, 2, 3] * 4, "b": [1, 2, 2] * 4}
    >>> found = mm.compare(gold, runs, "accuracy", classes="1..3")
    >>> found.runs, found.p[0, 1].item()
    (('a', 'b'), 0.125)
    """
@overload
def compare(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    skip_broken: bool = False, correction: Correction | None = None, against: str | None = None, trials: int = 5000,
    alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False,
    draw_by: DrawBy | None = None, test: Test | MetricTest | None = None, units: SampleUnits | None = None,
    correction_across: Across | None = None, incomplete: Incomplete | None = None, baselines: bool = False,
    leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False, registry: Registry | None = None,
    weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["probabilities"], classes: Classes | None = None,
    kind: Kind | None = None, run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, normalise: bool = False,
    smooth: float | None = None, seed: int = 0, skip_broken: bool = False, correction: Correction | None = None,
    against: str | None = None, trials: int = 5000, alpha: float = 0.05, level: float = 0.95,
    interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["multilabel"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, skip_broken: bool = False, correction: Correction | None = None, against: str | None = None,
    trials: int = 5000, alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto',
    validity: bool = False, draw_by: DrawBy | None = None, test: Test | MetricTest | None = None,
    units: SampleUnits | None = None, correction_across: Across | None = None, incomplete: Incomplete | None = None,
    baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False,
    registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["entailment"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, skip_broken: bool = False,
    correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Comparison:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, correction: Correction | None = None, against: str | None = None,
    trials: int = 5000, alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto',
    validity: bool = False, draw_by: DrawBy | None = None, test: Test | MetricTest | None = None,
    units: SampleUnits | None = None, correction_across: Across | None = None, incomplete: Incomplete | None = None,
    baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False,
    registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, segment_column: str | None = None,
    judge_column: str | None = None, gold_item_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: Sequence[str | Measure], *, task: Literal["classification"] = "classification",
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0,
    skip_broken: bool = False, correction: Correction | None = None, against: str | None = None, trials: int = 5000,
    alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False,
    draw_by: DrawBy | None = None, test: Test | MetricTest | None = None, units: SampleUnits | None = None,
    correction_across: Across | None = None, incomplete: Incomplete | None = None, baselines: bool = False,
    leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False, registry: Registry | None = None,
    weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Comparisons:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: Sequence[str | Measure], *, task: Literal["quantification"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, counts: bool = False, normalise: bool = False, smooth: float | None = None,
    aspect: str | None = None, training: Any = None, seed: int = 0, skip_broken: bool = False,
    correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> Comparisons:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: Sequence[str | Measure], *, task: Literal["probabilities"],
    classes: Classes | None = None, kind: Kind | None = None, run_columns: Sequence[str] = (),
    missing: MissingProbabilities | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    normalise: bool = False, smooth: float | None = None, seed: int = 0, skip_broken: bool = False,
    correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Comparisons:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: Sequence[str | Measure], *, task: Literal["multilabel"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, skip_broken: bool = False, correction: Correction | None = None, against: str | None = None,
    trials: int = 5000, alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto',
    validity: bool = False, draw_by: DrawBy | None = None, test: Test | MetricTest | None = None,
    units: SampleUnits | None = None, correction_across: Across | None = None, incomplete: Incomplete | None = None,
    baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False,
    registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Comparisons:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: Sequence[str | Measure], *, task: Literal["entailment"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, skip_broken: bool = False,
    correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Comparisons:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: Sequence[str | Measure], *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, correction: Correction | None = None, against: str | None = None,
    trials: int = 5000, alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto',
    validity: bool = False, draw_by: DrawBy | None = None, test: Test | MetricTest | None = None,
    units: SampleUnits | None = None, correction_across: Across | None = None, incomplete: Incomplete | None = None,
    baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False,
    registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, segment_column: str | None = None,
    judge_column: str | None = None, gold_item_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Comparisons:
    ...
@overload
def compare(
    gold: Any, runs: Any, measure: Sequence[str | Measure], *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Comparisons:
    ...
@overload
def compare(
    scores: Any, /, measure: str | Measure | None = None, *, threads: int | None = None, better: Better | None = None,
    seed: int = 0, correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None,
) -> Comparison:
    ...
@overload
def compare(
    scores: Any, /, measure: Sequence[str | Measure] = ..., *, threads: int | None = None, better: Better | None = None,
    seed: int = 0, correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None,
) -> Comparisons:
    ...

@overload
def compare_micro(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["classification"] = "classification",
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0,
    skip_broken: bool = False, correction: Correction | None = None, against: str | None = None, trials: int = 5000,
    alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False,
    draw_by: DrawBy | None = None, test: Test | MetricTest | None = None, units: SampleUnits | None = None,
    correction_across: Across | None = None, incomplete: Incomplete | None = None, baselines: bool = False,
    leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False, registry: Registry | None = None,
    weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Comparison:
    """Compare runs by the micro average of a ranking measure.

    .. deprecated:: 0.3
        Use ``compare`` with ``task="ranking", average="pooled"``, which is the same.

    Parameters
    ----------
    gold, runs : path, data frame or dict
        As for ``compare``.
    measure : str or Measure
        A measure of rankings that has a micro average.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better, for a measure that metameasure does not know.
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    correction : {'none', 'holm', 'bh', 'maxt'}, optional
        For permutation and bootstrap tests of many pairs (default: holm; over items of several topics maxt).
    against : str, optional
        Compare all runs with this one only; over topics by sign-flip tests.
    trials : int, default 5000
        How many random trials.
    alpha : float, default 0.05
        The level of significance.
    level : float, default 0.95
        The level of the intervals.
    interval : {'auto', 'bootstrap'}, default 'auto'
        How to make the runs' intervals: as evaluate does, or as in 0.2.
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    draw_by : {'data', 'names'}, optional
        What random draws go by: ``data``, so that p-values depend neither on names nor on order, or ``names``, as in
        0.2. By default ``data``, and ``names`` where ``test`` names a test, which then gives the numbers of 0.2.
    test : {'stepwise', 'tukey', 'classical', 'permutation', 'bootstrap', 'perm-both', 'williams'}, optional
        The test: by default ``stepwise`` over topics, with ``against`` sign flips; ``permutation`` over items and of
        pooled rankings. ``tukey`` (or ``hsd``) is the randomised Tukey HSD test, ``classical`` that of a two-way
        analysis of variance. With fewer than six topics none.
    units : {'topics', 'items'}, optional
        What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: topics from six
        on).
    correction_across : {'measures'}, optional
        Correct p-values for the number of measures too (default: for the pairs of runs only).
    incomplete : {'drop-topics', 'drop-runs'}, optional
        What to do about missing or undefined scores.
    baselines : bool, optional
        Keep the baselines among scores (default: leave them out).
    leave_out : Sequence[str], optional
        Runs that are not compared.
    simultaneous : bool, optional
        Intervals of the differences that hold for all pairs at once.
    anova : bool, optional
        Add the two-way analysis of variance, topics by runs.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).
    weights : Sequence[float], optional
        Metrics over several data sets, of language pairs and measures: how much each counts, in that order.
    average : {'topics', 'pooled'}, default 'topics'
        Compare means over topics, or pool all topics: labels item by item, rankings by all pairs.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.

    Returns
    -------
    Comparison
        As from ``compare``.

    Raises
    ------
    UsageError
        If the measure has no micro average.

    Notes
    -----
    Two runs swap all that is counted from their outputs for a segment; intervals are bootstrapped over segments. Micro and macro
    averages are those of Avramidis (2013).

    Examples
    --------
    >>> import metameasure as mm
    >>> ranks = {"segment": [1, 1, 2, 2], "item": ["x", "y"] * 2, "gold": [1, 2, 1, 2], "a": [1, 2, 2, 1], "b": [1, 2, 1, 2]}
    >>> import pandas as pd
    >>> how = {"task": "ranking", "average": "pooled", "gold_are": "ranks", "runs_are": "ranks"}
    >>> found = mm.compare(pd.DataFrame(ranks), None, "tau@wmt14", **how)
    >>> found.runs
    ('b', 'a')
    """
@overload
def compare_micro(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    skip_broken: bool = False, correction: Correction | None = None, against: str | None = None, trials: int = 5000,
    alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False,
    draw_by: DrawBy | None = None, test: Test | MetricTest | None = None, units: SampleUnits | None = None,
    correction_across: Across | None = None, incomplete: Incomplete | None = None, baselines: bool = False,
    leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False, registry: Registry | None = None,
    weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare_micro(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["probabilities"], classes: Classes | None = None,
    kind: Kind | None = None, run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, normalise: bool = False,
    smooth: float | None = None, seed: int = 0, skip_broken: bool = False, correction: Correction | None = None,
    against: str | None = None, trials: int = 5000, alpha: float = 0.05, level: float = 0.95,
    interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare_micro(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["multilabel"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, skip_broken: bool = False, correction: Correction | None = None, against: str | None = None,
    trials: int = 5000, alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto',
    validity: bool = False, draw_by: DrawBy | None = None, test: Test | MetricTest | None = None,
    units: SampleUnits | None = None, correction_across: Across | None = None, incomplete: Incomplete | None = None,
    baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False,
    registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare_micro(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["entailment"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, skip_broken: bool = False,
    correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Comparison:
    ...
@overload
def compare_micro(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, correction: Correction | None = None, against: str | None = None,
    trials: int = 5000, alpha: float = 0.05, level: float = 0.95, interval: ComparedInterval = 'auto',
    validity: bool = False, draw_by: DrawBy | None = None, test: Test | MetricTest | None = None,
    units: SampleUnits | None = None, correction_across: Across | None = None, incomplete: Incomplete | None = None,
    baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False, anova: bool = False,
    registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, segment_column: str | None = None,
    judge_column: str | None = None, gold_item_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Comparison:
    ...
@overload
def compare_micro(
    gold: Any, runs: Any, measure: str | Measure, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    correction: Correction | None = None, against: str | None = None, trials: int = 5000, alpha: float = 0.05,
    level: float = 0.95, interval: ComparedInterval = 'auto', validity: bool = False, draw_by: DrawBy | None = None,
    test: Test | MetricTest | None = None, units: SampleUnits | None = None, correction_across: Across | None = None,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (), simultaneous: bool = False,
    anova: bool = False, registry: Registry | None = None, weights: Sequence[float] = (), average: Average = 'topics',
    distance: Any = None, item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Comparison:
    ...

def correct(
    ratings: Any, judges: Any = None, *, among: Sequence[str] = (), classes: Classes | None = None, kind: Kind | None = None,
    annotator_columns: Sequence[str] = (), columns: Mapping[str, str] = ..., format_in: str | None = None,
    threads: int | None = None, memory: str | None = None, sampled: Sampling | None = None, strata_column: str | None = None,
    level: float = 0.95, trials: int = 1000, seed: int = 0, validity: bool = False, item_column: str | None = None,
    annotator_column: str | None = None, label_column: str | None = None, topic_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None,
) -> Corrected:
    """Find the mean label and the share of each class from people's labels on a part of the items and a judge's on all.

    The estimates are right whatever errors the judge makes, and their intervals are shorter than those of people's labels
    alone, the more so the better the judge is.

    Parameters
    ----------
    ratings : path, data frame or dict
        People's labels of some items: item and label, or several people's ratings, as for ``agree``.
    judges : path, list of paths or dict, optional
        Files with the columns item and label, of all items; or ``among`` names the annotators that are judges.
    among : Sequence[str], optional
        Which of the annotators in the ratings are judges.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    annotator_columns : Sequence[str], optional
        Which columns hold ratings, one per annotator (default: all others).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``annotator``: who rated; ``label``: the ratings;
        ``topic``: topics, where ids are the same in each; ``cluster``: clusters of items that belong together, which
        are drawn whole; ``repeat``: the number of a rating, where somebody rated an item several times.
    item_column, annotator_column, label_column, topic_column, cluster_column, repeat_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: alt-test or lewidi.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    sampled : {'random', 'strata', 'unknown'}, optional
        How the items that people labelled were chosen: at random, at random within strata, or unknown; then nothing is
        corrected.
    strata_column : str, optional
        The column with strata, in the judge's file.
    level : float, default 0.95
        The level of the intervals.
    trials : int, default 1000
        How many samples to draw.
    seed : int, default 0
        The seed of the random numbers.
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.

    Returns
    -------
    Corrected
        For each judge the mean label and the shares, by people alone, by the judge alone with its bias, and corrected.

    Raises
    ------
    UsageError
        If nobody says how the items were chosen that people labelled, or an option makes no sense.
    DataError
        If people labelled fewer than 50 items, or the data are wrong.

    Notes
    -----
    After prediction-powered inference (Angelopoulos, Duchi and Zrnic, 2023). Where several people rated an item, its label is
    the mean of their ratings.

    Examples
    --------
    >>> import metameasure as mm
    >>> truth = dict(enumerate([1, 2, 3, 2, 1] * 60))
    >>> judge = {place: label if place % 5 else 2 for place, label in truth.items()}
    >>> people = {"ann": {place: label for place, label in truth.items() if place < 100}}
    >>> found = mm.correct(people, {"model": judge}, classes="1..3", sampled="random")
    >>> found.measures
    ['mean label', 'share of 1', 'share of 2', 'share of 3']
    """

@overload
def correct_scores(
    gold: Any, runs: Any, judge: Any, *, task: Literal["classification"] = "classification", classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0, sampled: Sampling | None = None,
    strata_column: str | None = None, measures: str | Measure | Sequence[str | Measure] | None = None, level: float = 0.95,
    trials: int = 1000, distance: Any = None, registry: Registry | None = None, validity: bool = False,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_cluster_column: str | None = None, label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None,
    score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Corrected:
    """Score runs by people's labels on a part of the items and a judge's on all of them.

    The estimates are right whatever errors the judge makes, and their intervals are shorter than those of people's labels
    alone, the more so the better the judge is.

    Parameters
    ----------
    gold : path, data frame or array
        People's labels: of some items. In an array the others are None.
    runs : path, list of paths, dict, data frame or array
        The outputs, of all items, as for ``evaluate``.
    judge : path, data frame or array
        The judge's labels, of all items.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    sampled : {'random', 'strata', 'unknown'}, optional
        How the items that people labelled were chosen: at random, at random within strata, or unknown; then nothing is
        corrected.
    strata_column : str, optional
        The column with strata, in the judge's file.
    measures : str or Measure or Sequence[str or Measure], optional
        Which measures of a table, the one to rank by first (default: a few for the scale).
    level : float, default 0.95
        The level of the intervals.
    trials : int, default 1000
        How many samples to draw.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.

    Returns
    -------
    Corrected
        For each measure and run the score by people alone, by the judge alone with its bias, and corrected; and the same of
        the differences between runs.

    Raises
    ------
    UsageError
        If nobody says how the items were chosen that people labelled, or an option makes no sense.
    DataError
        If people labelled fewer than 50 items, or the data are wrong.

    Notes
    -----
    After prediction-powered inference (Angelopoulos, Duchi and Zrnic, 2023), for any measure of a table: both parts are
    resampled, and lambda is what makes the variance smallest.

    Examples
    --------
    >>> import metameasure as mm
    >>> truth = [1, 2, 3, 2, 1] * 60
    >>> judge = [label if place % 5 else 2 for place, label in enumerate(truth)]
    >>> people = [label if place < 100 else None for place, label in enumerate(truth)]
    >>> run = [label if place % 4 else 1 for place, label in enumerate(truth)]
    >>> found = mm.correct_scores(people, {"a": run}, judge, classes="1..3", measures="accuracy", sampled="random")
    >>> round(found["a"].people.value, 2), found.labelled
    (0.85, 100)
    """
@overload
def correct_scores(
    gold: Any, runs: Any, judge: Any, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    sampled: Sampling | None = None, strata_column: str | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, validity: bool = False, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None,
) -> Corrected:
    ...
@overload
def correct_scores(
    gold: Any, runs: Any, judge: Any, *, task: Literal["probabilities"], classes: Classes | None = None,
    kind: Kind | None = None, run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, normalise: bool = False,
    smooth: float | None = None, seed: int = 0, sampled: Sampling | None = None, strata_column: str | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, validity: bool = False, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    cluster_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Corrected:
    ...
@overload
def correct_scores(
    gold: Any, runs: Any, judge: Any, *, task: Literal["multilabel"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, sampled: Sampling | None = None, strata_column: str | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, validity: bool = False, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_cluster_column: str | None = None,
) -> Corrected:
    ...
@overload
def correct_scores(
    gold: Any, runs: Any, judge: Any, *, task: Literal["entailment"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, sampled: Sampling | None = None,
    strata_column: str | None = None, measures: str | Measure | Sequence[str | Measure] | None = None, level: float = 0.95,
    trials: int = 1000, distance: Any = None, registry: Registry | None = None, validity: bool = False,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Corrected:
    ...
@overload
def correct_scores(
    gold: Any, runs: Any, judge: Any, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, sampled: Sampling | None = None, strata_column: str | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, validity: bool = False, item_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, rank_column: str | None = None,
    score_column: str | None = None, segment_column: str | None = None, judge_column: str | None = None,
    gold_item_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Corrected:
    ...
@overload
def correct_scores(
    gold: Any, runs: Any, judge: Any, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, sampled: Sampling | None = None,
    strata_column: str | None = None, measures: str | Measure | Sequence[str | Measure] | None = None, level: float = 0.95,
    trials: int = 1000, distance: Any = None, registry: Registry | None = None, validity: bool = False,
    item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Corrected:
    ...

@overload
def count(
    gold: Any, runs: Any = None, *, task: Literal["classification"] = "classification", classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0, skip_broken: bool = False,
    for_: Purpose | None = None, pairs: Any = None, resume: str | Path | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Evidence:
    """Read and check gold and runs, and reduce them to evidence: what measures need.

    ``count(...).save(path)`` writes it to a file, ``merge`` adds up parts, and ``evaluate`` and ``compare`` take it instead
    of gold and runs.

    Parameters
    ----------
    gold : path, data frame or array
        What is right, as for ``evaluate``.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    for_ : {'compare'}, optional
        What it is for: with ``compare`` it keeps how many items are alike, so that runs can be compared item by item.
    pairs : Any, optional
        With ``for_='compare'``: keep it of these pairs of runs only, as in ``a:b,a:c`` or ``[('a', 'b')]``.
    resume : str or Path, optional
        A folder in which each part is kept when it is counted, and from which an interrupted call goes on.

    Returns
    -------
    Evidence
        For labels the counts of gold and predicted classes by topic and run, for rankings those of pairs and ranks, and so
        on.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Measures are functions of evidence alone, as Amigó et al. (2020) and Sakai (2021) define theirs: of counts of gold and
    predicted classes, of distributions, of ranks. It is added up exactly, so that parts may be counted on different machines
    (docs/scale.md).

    Examples
    --------
    >>> import metameasure as mm
    >>> evidence = mm.count([1, 2, 2], {"first": [1, 2, 1]}, classes=[1, 2])
    >>> mm.evaluate(evidence, measures="accuracy")["first"]["accuracy"].__round__(3)
    0.667
    """
@overload
def count(
    gold: Any, runs: Any = None, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    skip_broken: bool = False, for_: Purpose | None = None, pairs: Any = None, resume: str | Path | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> Evidence:
    ...
@overload
def count(
    gold: Any, runs: Any = None, *, task: Literal["probabilities"], classes: Classes | None = None, kind: Kind | None = None,
    run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, normalise: bool = False, smooth: float | None = None, seed: int = 0,
    skip_broken: bool = False, for_: Purpose | None = None, pairs: Any = None, resume: str | Path | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Evidence:
    ...
@overload
def count(
    gold: Any, runs: Any = None, *, task: Literal["multilabel"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: MissingSets | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, seed: int = 0,
    skip_broken: bool = False, for_: Purpose | None = None, pairs: Any = None, resume: str | Path | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Evidence:
    ...
@overload
def count(
    gold: Any, runs: Any = None, *, task: Literal["entailment"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False,
    positive: str | None = None, neutral: str | None = None, negative: str | None = None, rank_weights: Any = 'linear',
    seed: int = 0, skip_broken: bool = False, for_: Purpose | None = None, pairs: Any = None,
    resume: str | Path | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, confidence_column: str | None = None, rank_column: str | None = None,
    score_column: str | None = None, score_rank_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_confidence_column: str | None = None,
    gold_rank_column: str | None = None, gold_score_column: str | None = None, gold_score_rank_column: str | None = None,
    gold_cluster_column: str | None = None, label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None,
    score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Evidence:
    ...
@overload
def count(
    gold: Any, runs: Any = None, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, for_: Purpose | None = None, pairs: Any = None,
    resume: str | Path | None = None, item_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    segment_column: str | None = None, judge_column: str | None = None, gold_item_column: str | None = None,
    gold_rank_column: str | None = None, gold_score_column: str | None = None, gold_segment_column: str | None = None,
    gold_judge_column: str | None = None,
) -> Evidence:
    ...
@overload
def count(
    gold: Any, runs: Any = None, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    for_: Purpose | None = None, pairs: Any = None, resume: str | Path | None = None, item_column: str | None = None,
    topic_column: str | None = None, run_column: str | None = None, score_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, measure_column: str | None = None,
    hash_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_score_column: str | None = None, gold_cluster_column: str | None = None, gold_measure_column: str | None = None,
    gold_hash_column: str | None = None,
) -> Evidence:
    ...

def design(
    scores: AnyScores, measures: str | Measure | Sequence[str | Measure] | None = None, *, difference: float | None = None,
    runs: int | None = None, power: float = 0.8, alpha: float = 0.05, width: float | None = None, unpaired: bool = False,
    incomplete: Incomplete | None = None, baselines: bool = False, validity: bool = False, trials: int = 5000, seed: int = 0,
    registry: Registry | None = None,
) -> Design:
    """How many topics it takes to detect a difference, and which difference the present topics can detect.

    Parameters
    ----------
    scores : Scores, path or data frame
        Scores of a pilot, from which the variance of each measure comes.
    measures : str, Measure or sequence of these, optional
        Which measures (default: all that score runs).
    difference : float, optional
        The smallest difference between two runs to be detected by the test that ``compare`` takes by default.
    runs : int, optional
        How many runs will be compared (default: as many as there are scores of). The more, the more topics it takes.
    power : float, default 0.8
        The probability of detecting it.
    alpha : float, default 0.05
        The level of significance.
    width : float, optional
        The full width that an interval of a difference should have.
    unpaired : bool, optional
        For runs on different topics: take the variance between topics too.
    incomplete : {'drop-topics', 'drop-runs'}, optional
        What to do about missing or undefined scores.
    baselines : bool, optional
        Keep the baselines among the runs (default: leave them out).
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    trials : int, default 5000
        How many data sets to simulate.
    seed : int, default 0
        The seed of the random numbers.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Design
        For each measure how many topics it takes, with a range and a number that is enough with a probability of 80%; beside
        it the number for two runs by themselves.

    Raises
    ------
    UsageError
        If power, alpha, the difference or the width make no sense.
    DataError
        If scores are missing and ``incomplete`` does not say what to do.

    Notes
    -----
    Topic set size design after Sakai (2016): the variance is the residual one of a two-way ANOVA, V_E2; ``unpaired`` takes
    that between topics too, V_E1.

    Examples
    --------
    >>> import metameasure as mm
    >>> import numpy as np
    >>> rows = [[0.1, 0.3], [0.4, 0.5], [0.2, 0.5], [0.6, 0.6], [0.3, 0.6], [0.5, 0.7], [0.2, 0.3], [0.4, 0.6]]
    >>> matrix = mm.ScoreMatrix("kappa", tuple("abcdefgh"), ("first", "second"), np.array(rows))
    >>> [one.id for one in mm.design(matrix, difference=0.1, trials=200).measures]
    ['kappa']
    """

@overload
def difference(
    gold: Any, runs: Any, measure: str | Measure, first: str, second: str, *,
    task: Literal["classification"] = "classification", classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0, distance: Any = None, level: float = 0.95,
    trials: int = 5000, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_cluster_column: str | None = None, label_matrix: Any = None,
    confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Difference:
    """The difference between two runs on the same items, all topics as one.

    Parameters
    ----------
    gold : path, data frame or array
        What is right, as for ``evaluate``.
    runs : path, list of paths, dict, data frame or array
        The outputs, as for ``evaluate``.
    measure : str or Measure
        A measure of labels.
    first, second : str
        The names of the two runs.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    level : float, default 0.95
        The level of the intervals.
    trials : int, default 5000
        How many random trials.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Difference
        The score of the first run less that of the second, a bootstrap interval over items (or clusters), and the p-value of
        the paired test, as in ``compare``.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Two runs swap their outputs for an item, or for a cluster, at random; the interval is over the same units
    (docs/comparisons.md).

    Examples
    --------
    >>> import metameasure as mm
    >>> gold, runs = [1, 2, 3] * 4, {"a": [1, 2, 3] * 4, "b": [1, 2, 2] * 4}
    >>> found = mm.difference(gold, runs, "accuracy", "a", "b", classes="1..3")
    >>> round(found.value, 3), found.p
    (0.333, 0.125)
    """
@overload
def difference(
    gold: Any, runs: Any, measure: str | Measure, first: str, second: str, *, task: Literal["quantification"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, counts: bool = False, normalise: bool = False, smooth: float | None = None,
    aspect: str | None = None, training: Any = None, seed: int = 0, distance: Any = None, level: float = 0.95,
    trials: int = 5000, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> Difference:
    ...
@overload
def difference(
    gold: Any, runs: Any, measure: str | Measure, first: str, second: str, *, task: Literal["probabilities"],
    classes: Classes | None = None, kind: Kind | None = None, run_columns: Sequence[str] = (),
    missing: MissingProbabilities | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    normalise: bool = False, smooth: float | None = None, seed: int = 0, distance: Any = None, level: float = 0.95,
    trials: int = 5000, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Difference:
    ...
@overload
def difference(
    gold: Any, runs: Any, measure: str | Measure, first: str, second: str, *, task: Literal["multilabel"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, distance: Any = None, level: float = 0.95, trials: int = 5000, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Difference:
    ...
@overload
def difference(
    gold: Any, runs: Any, measure: str | Measure, first: str, second: str, *, task: Literal["entailment"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, distance: Any = None, level: float = 0.95,
    trials: int = 5000, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, confidence_column: str | None = None, rank_column: str | None = None,
    score_column: str | None = None, score_rank_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_confidence_column: str | None = None,
    gold_rank_column: str | None = None, gold_score_column: str | None = None, gold_score_rank_column: str | None = None,
    gold_cluster_column: str | None = None, label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None,
    score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Difference:
    ...
@overload
def difference(
    gold: Any, runs: Any, measure: str | Measure, first: str, second: str, *, task: Literal["ranking"],
    run_columns: Sequence[str] = (), missing: MissingRanks | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, gold_are: Holds | None = None, runs_are: Holds | None = None,
    tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0, by_source: bool = False, gain: Gain | None = None,
    ties: PredictedTies | None = None, compat: Compat | None = None, chance_test: int = 0,
    language_pairs: Sequence[str] = (), human_scores: str | None = None, references: Sequence[str] = (),
    metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None, seed: int = 0,
    distance: Any = None, level: float = 0.95, trials: int = 5000, registry: Registry | None = None,
    item_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, segment_column: str | None = None,
    judge_column: str | None = None, gold_item_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Difference:
    ...
@overload
def difference(
    gold: Any, runs: Any, measure: str | Measure, first: str, second: str, *, task: Literal["outcomes"],
    run_columns: Sequence[str] = (), missing: MissingOutcomes | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, better: Better | None = None, filter: str | None = None, seed: int = 0,
    distance: Any = None, level: float = 0.95, trials: int = 5000, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Difference:
    ...

def distributions(
    gold: Any, runs: Any, *, classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None,
    bins: Sequence[float] = (), run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, seed: int = 0, counts: bool = False, normalise: bool = False,
    smooth: float | None = None, aspect: str | None = None, training: Any = None, baselines: bool = False,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    segment_column: str | None = None, judge_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, measure_column: str | None = None, hash_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
    gold_cluster_column: str | None = None, gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Distributions:
    """Read and check the distributions of gold and runs, to show them beside scores (``meta.deltas``).

    Parameters
    ----------
    gold : path or data frame
        Gold's distributions, as for ``evaluate`` with ``task="quantification"``.
    runs : path, list of paths, dict or data frame
        The estimates.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    seed : int, default 0
        The seed of the random numbers.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    baselines : bool, optional
        Add the distributions of baselines: constant and random ones.

    Returns
    -------
    Distributions
        The evidence, as ``count`` gives it; with ``baselines`` that of the baselines too.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Gold and estimates are distributions over ordered classes, as in Sakai (2021); what a file has to be like is in
    docs/formats.md.

    Examples
    --------
    >>> import metameasure as mm
    >>> gold, run = {"topic": ["t"], "x": [0.5], "y": [0.5]}, {"topic": ["t"], "x": [0.25], "y": [0.75]}
    >>> import pandas as pd
    >>> found = mm.distributions(pd.DataFrame(gold), {"a": pd.DataFrame(run)}, classes="x,y")
    >>> found.estimates[0].tolist()
    [[0.25, 0.75]]
    """

def draw_bags(
    labelled: Any, protocol: BagProtocol, *, classes: Classes | None = None, bag_size: int = 100, bag_count: int = 100,
    grid: int = 21, repeats: int = 1, columns: Mapping[str, str] = ..., format_in: str | None = None, seed: int = 0,
    item_column: str | None = None, label_column: str | None = None,
) -> Bags:
    """Draw test bags from labelled items, to evaluate quantifiers on.

    Parameters
    ----------
    labelled : path, data frame or array
        The items and their labels, as gold for ``evaluate``.
    protocol : {'app', 'npp', 'upp'}
        How prevalences are chosen: on a grid (``app``, artificial), as they are (``npp``, natural), or uniformly among all
        (``upp``).
    classes : Classes, optional
        The classes from lowest to highest, as in neg,neu,pos or -2..2.
    bag_size : int, default 100
        How many items a bag has.
    bag_count : int, default 100
        How many bags to draw by npp or upp.
    grid : int, default 21
        How many prevalences of a class app tries, from 0 to 1.
    repeats : int, default 1
        How many bags app draws of each prevalence.
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the ids of labelled items; ``label``: their labels.
    item_column, label_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    Bags
        The bags' prevalences and items. ``.save(folder)`` writes them as ordinary files.

    Raises
    ------
    UsageError
        If there is no such protocol, or a size makes no sense.
    DataError
        If the labels are wrong, or a class has no items.

    Notes
    -----
    A bag has size * p items of each class, rounded; what is lacking or too much is settled at random. Items are drawn with
    replacement within their class, and gold is what was drawn: its counts over the size.

    References
    ----------
    A. Moreo, A. Esuli and F. Sebastiani. QuaPy: A Python-Based Framework for Quantification. CIKM 2021.

    Examples
    --------
    >>> import metameasure as mm
    >>> bags = mm.draw_bags(["a", "a", "b", "c"], "app", bag_size=10, grid=3, classes="a,b,c")
    >>> bags
    <6 bags by app, seed 0>
    """

@overload
def evaluate(
    gold: Any, runs: Any = None, *, task: Literal["classification"] = "classification", classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0, skip_broken: bool = False,
    measures: str | Measure | Sequence[str | Measure] | None = None, primary: str | Measure | None = None,
    average: Average = 'topics', baselines: bool | None = None, undefined: Undefined = 'skip', groups: bool = False,
    ranks: bool = False, possible_ranks: bool = False, ci: bool | Literal['topics'] = False,
    interval: IntervalKind | None = None, units: SampleUnits | None = None, validity: bool = False, by: str | None = None,
    by_table: Any = None, level: float = 0.95, trials: int = 1000, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_cluster_column: str | None = None, label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None,
    score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Scores:
    """Score runs against gold.

    Parameters
    ----------
    gold : path, data frame, array or evidence
        What is right. Without ``runs`` it holds the runs too, side by side or stacked. Arrays, lists and the columns of one
        frame or file go by position and need no ids. Evidence is what ``count`` made of gold and runs.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs: files or patterns, ``{name: path, frame or array}``, one frame with a column ``run``, or one array.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    measures : str or Measure or Sequence[str or Measure], optional
        Which measures, the one to rank by first (default: a few for the task).
    primary : str or Measure, optional
        The measure that runs are ranked by (default: the first of the measures).
    average : {'topics', 'pooled'}, default 'topics'
        What the leaderboard shows.
    baselines : bool, optional
        Add the scores of constant and random outputs (entailment: always).
    undefined : {'skip', 'zero', 'worst', 'chance'}, default 'skip'
        What an undefined score counts as: 0 (``zero``), the worse end of the measure's range (``worst``) or its chance
        level (``chance``); ``skip`` leaves the topic out for all runs.
    groups : bool, optional
        Add letters for each measure, by the default test of ``compare``: runs that share one do not differ
        significantly.
    ranks : bool, optional
        Add each run's rank by every measure.
    possible_ranks : bool, optional
        Add the ranks that each run may truly have by the first measure, all at once with 95% confidence, as ``ranks``
        finds them.
    ci : bool or Literal['topics'], optional
        Add intervals. With several topics, JSON and CSV have intervals over items too; ``topics`` leaves those out,
        which is quicker.
    interval : {'auto', 'bootstrap', 'bayes'}, optional
        How to make intervals (default: auto, which hold with few topics, clusters or items too; bootstrap: those of
        0.2; bayes: credible intervals of one test set).
    units : {'topics', 'items'}, optional
        What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: topics from six
        on).
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    by : str, optional
        Add the scores of slices: of the items of each value of a column of the data.
    by_table : Any, optional
        A table with the items and the column that ``by`` names, where the data have none: a file or a frame.
    level : float, default 0.95
        The intervals' level.
    trials : int, default 1000
        The intervals' number of draws.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Scores
        A score for each measure, topic and run. It prints as a leaderboard, best run first.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Classes are declared, never inferred: labels that a sample happens not to contain, or an order that is alphabetical, change
    most measures. Undefined scores are NaN, and means are over the topics on which every run is defined. Each measure names its
    source: ``print(mm.measures["cem_ord"])`` has Amigó et al. (2020).

    Examples
    --------
    >>> import metameasure as mm
    >>> scores = mm.evaluate([1, 2, 3, 1], {"a": [1, 2, 3, 3], "b": [1, 3, 3, 1]}, classes=[1, 2, 3], measures="accuracy,mae")
    >>> scores["b"]
    {'accuracy': 0.75, 'mae': 0.25}
    """
@overload
def evaluate(
    gold: Any, runs: Any = None, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    skip_broken: bool = False, measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | Measure | None = None, average: Average = 'topics', baselines: bool | None = None,
    undefined: Undefined = 'skip', groups: bool = False, ranks: bool = False, possible_ranks: bool = False,
    ci: bool | Literal['topics'] = False, interval: IntervalKind | None = None, units: SampleUnits | None = None,
    validity: bool = False, by: str | None = None, by_table: Any = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> Scores:
    ...
@overload
def evaluate(
    gold: Any, runs: Any = None, *, task: Literal["probabilities"], classes: Classes | None = None, kind: Kind | None = None,
    run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, normalise: bool = False, smooth: float | None = None, seed: int = 0,
    skip_broken: bool = False, measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | Measure | None = None, average: Average = 'topics', baselines: bool | None = None,
    undefined: Undefined = 'skip', groups: bool = False, ranks: bool = False, possible_ranks: bool = False,
    ci: bool | Literal['topics'] = False, interval: IntervalKind | None = None, units: SampleUnits | None = None,
    validity: bool = False, by: str | None = None, by_table: Any = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Scores:
    ...
@overload
def evaluate(
    gold: Any, runs: Any = None, *, task: Literal["multilabel"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: MissingSets | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, seed: int = 0,
    skip_broken: bool = False, measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | Measure | None = None, average: Average = 'topics', baselines: bool | None = None,
    undefined: Undefined = 'skip', groups: bool = False, ranks: bool = False, possible_ranks: bool = False,
    ci: bool | Literal['topics'] = False, interval: IntervalKind | None = None, units: SampleUnits | None = None,
    validity: bool = False, by: str | None = None, by_table: Any = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    cluster_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_cluster_column: str | None = None,
) -> Scores:
    ...
@overload
def evaluate(
    gold: Any, runs: Any = None, *, task: Literal["entailment"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False,
    positive: str | None = None, neutral: str | None = None, negative: str | None = None, rank_weights: Any = 'linear',
    seed: int = 0, skip_broken: bool = False, measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | Measure | None = None, average: Average = 'topics', baselines: bool | None = None,
    undefined: Undefined = 'skip', groups: bool = False, ranks: bool = False, possible_ranks: bool = False,
    ci: bool | Literal['topics'] = False, interval: IntervalKind | None = None, units: SampleUnits | None = None,
    validity: bool = False, by: str | None = None, by_table: Any = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, confidence_column: str | None = None, rank_column: str | None = None,
    score_column: str | None = None, score_rank_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_confidence_column: str | None = None,
    gold_rank_column: str | None = None, gold_score_column: str | None = None, gold_score_rank_column: str | None = None,
    gold_cluster_column: str | None = None, label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None,
    score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Scores:
    ...
@overload
def evaluate(
    gold: Any, runs: Any = None, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | Measure | None = None, average: Average = 'topics', baselines: bool | None = None,
    undefined: Undefined = 'skip', groups: bool = False, ranks: bool = False, possible_ranks: bool = False,
    ci: bool | Literal['topics'] = False, interval: IntervalKind | None = None, units: SampleUnits | None = None,
    validity: bool = False, by: str | None = None, by_table: Any = None, level: float = 0.95, trials: int = 1000,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    segment_column: str | None = None, judge_column: str | None = None, gold_item_column: str | None = None,
    gold_rank_column: str | None = None, gold_score_column: str | None = None, gold_segment_column: str | None = None,
    gold_judge_column: str | None = None,
) -> Scores:
    ...
@overload
def evaluate(
    gold: Any, runs: Any = None, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    measures: str | Measure | Sequence[str | Measure] | None = None, primary: str | Measure | None = None,
    average: Average = 'topics', baselines: bool | None = None, undefined: Undefined = 'skip', groups: bool = False,
    ranks: bool = False, possible_ranks: bool = False, ci: bool | Literal['topics'] = False,
    interval: IntervalKind | None = None, units: SampleUnits | None = None, validity: bool = False, by: str | None = None,
    by_table: Any = None, level: float = 0.95, trials: int = 1000, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Scores:
    ...

@overload
def explain(
    gold: Any, first: Any = None, second: Any = None, *, task: Literal["classification"] = "classification",
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0,
    measure: str | Measure | None = None, average: Average = 'topics', texts: Any = None, most: int = 10,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_cluster_column: str | None = None, label_matrix: Any = None,
    confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Explanation:
    """Find the items that made the difference between two runs, those that moved a measure most first, by gold's class.

    The influence of an item is half of what the difference of the scores loses where the two runs swap their outputs for it. It
    is exact, for every measure of a table of labels, of sets of labels and of probabilities, and for means of outcomes; rankings
    and distributions of topics are explained by topics.

    Parameters
    ----------
    gold : path, data frame or array
        What is right, as for ``evaluate``. Outcomes have no gold: this is the first run then, or a table of both.
    first, second : path, data frame or array, optional
        The two runs, unless they stand beside gold.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    measure : str or Measure, optional
        The measure whose difference is explained (default: the task's first).
    average : {'topics', 'pooled'}, default 'topics'
        Explain the difference of means over topics, or of all items as one.
    texts : Any, optional
        A table with the items' texts, a file or a frame: ``item``, ``text``.
    most : int, default 10
        How many items of each class to show.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Explanation
        The items on which the runs differ. ``.difference`` is the first run's score minus the second's.

    Raises
    ------
    UsageError
        If an option makes no sense, there are not two runs, or the measure reads more than a table of labels.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    How much an item moves a measure, also one that is no mean over items, and how that adds up to the difference, is in
    docs/explain.md.

    Examples
    --------
    >>> import metameasure as mm
    >>> made = mm.explain(["a", "b", "b", "a"], ["a", "b", "b", "b"], ["a", "a", "a", "a"], classes="a,b", measure="accuracy")
    >>> made.difference
    0.25
    >>> [(row["item"], row["influence"], row["favours"]) for row in made.rows(1)]
    [('4', -0.25, 'second'), ('2', 0.25, 'first')]
    """
@overload
def explain(
    gold: Any, first: Any = None, second: Any = None, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    measure: str | Measure | None = None, average: Average = 'topics', texts: Any = None, most: int = 10,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> Explanation:
    ...
@overload
def explain(
    gold: Any, first: Any = None, second: Any = None, *, task: Literal["probabilities"], classes: Classes | None = None,
    kind: Kind | None = None, run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, normalise: bool = False,
    smooth: float | None = None, seed: int = 0, measure: str | Measure | None = None, average: Average = 'topics',
    texts: Any = None, most: int = 10, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Explanation:
    ...
@overload
def explain(
    gold: Any, first: Any = None, second: Any = None, *, task: Literal["multilabel"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, measure: str | Measure | None = None, average: Average = 'topics', texts: Any = None, most: int = 10,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    cluster_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_cluster_column: str | None = None,
) -> Explanation:
    ...
@overload
def explain(
    gold: Any, first: Any = None, second: Any = None, *, task: Literal["entailment"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, measure: str | Measure | None = None,
    average: Average = 'topics', texts: Any = None, most: int = 10, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Explanation:
    ...
@overload
def explain(
    gold: Any, first: Any = None, second: Any = None, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, measure: str | Measure | None = None, average: Average = 'topics', texts: Any = None, most: int = 10,
    distance: Any = None, registry: Registry | None = None, item_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    segment_column: str | None = None, judge_column: str | None = None, gold_item_column: str | None = None,
    gold_rank_column: str | None = None, gold_score_column: str | None = None, gold_segment_column: str | None = None,
    gold_judge_column: str | None = None,
) -> Explanation:
    ...
@overload
def explain(
    gold: Any, first: Any = None, second: Any = None, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, measure: str | Measure | None = None,
    average: Average = 'topics', texts: Any = None, most: int = 10, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Explanation:
    ...

@overload
def gate(
    old: Any, new: Any = None, *, task: Literal["classification"] = "classification", classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0, skip_broken: bool = False,
    margin: float | Mapping[str, float] | None = None, measures: str | Measure | Sequence[str | Measure] | None = None,
    baseline: str | None = None, candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None,
    alpha: float = 0.05, units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None,
    trials: int = 5000, validity: bool = False, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_cluster_column: str | None = None, label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None,
    score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Gate:
    """May we ship? Whether a new run is certainly no more than a margin worse than the old one.

    PASS where the lower bound of the difference is above -margin, FAIL where the upper bound is below it, otherwise UNDECIDED,
    with the number of items that would decide. Of a measure by which lower scores are better, a rise is what counts as worse.

    Parameters
    ----------
    gold : path, data frame or array, optional
        What is right, where outputs are to be scored; ``measures`` says how. It comes first, as in ``gate(gold, old, new)``, or
        in ``gate(gold, runs, baseline="a", candidate="b")``; ``gate(old, new)`` is of scores.
    old, new : path, data frame, array or scores
        The scores of each run: files as ``evaluate`` writes them, or a number for each item. With ``gold``, the outputs of each
        run, as for ``evaluate``. Without ``new``, ``old`` holds several runs, of which ``baseline`` and ``candidate`` are two.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better, for a measure that metameasure does not know.
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    margin : float or Mapping[str, float], optional
        By how much the new run may be worse, in units of the measure; a number, or one for each measure. There is no
        default.
    measures : str or Measure or Sequence[str or Measure], optional
        Which measures (default: all that the scores are of). All must pass.
    baseline : str, optional
        The old run, where a file holds several.
    candidate : str, optional
        The new run, where a file holds several.
    each_topic : bool, optional
        Every topic by itself, over its items: all must pass.
    undecided : {'pass', 'fail'}, optional
        What to do where the data do not decide (default: say so, exit status 4).
    alpha : float, default 0.05
        How often PASS, or FAIL, may be wrong where the truth is on the margin.
    units : {'topics', 'items'}, optional
        What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: topics from six
        on).
    average : {'topics', 'pooled'}, default 'topics'
        Compare means over topics, or pool all topics: labels item by item, rankings by all pairs.
    incomplete : {'drop-topics', 'drop-runs'}, optional
        What to do about missing or undefined scores.
    trials : int, default 5000
        How many random draws, for measures that need them.
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Gate
        The verdict by every measure, with the difference and its bounds; ``exit_status`` is that of the command.

    Raises
    ------
    UsageError
        If an option makes no sense, or it is not clear which run is the old one.
    DataError
        If a file is wrong; the message says in which line.

    Notes
    -----
    Bounds of scores that are 0 or 1 are Tango's (1998), of others t bounds; where clusters are declared, by leaving out
    clusters; of measures of a table, such as kappa, by leaving out items. "Not significantly worse" is no gate: docs/gate.md
    says why, with simulated error rates.

    Examples
    --------
    >>> import metameasure as mm
    >>> old, new = [1] * 90 + [0] * 10, [1] * 91 + [0] * 9
    >>> found = mm.gate(old, new, margin=.05, better="higher")
    >>> found.verdict, [round(end, 3) for end in found.parts[0].ends]
    ('pass', [-0.017, 0.044])
    """
@overload
def gate(
    old: Any, new: Any = None, *, task: Literal["quantification"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    old: Any, new: Any = None, *, task: Literal["probabilities"], classes: Classes | None = None, kind: Kind | None = None,
    run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, normalise: bool = False, smooth: float | None = None, seed: int = 0,
    skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    cluster_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    old: Any, new: Any = None, *, task: Literal["multilabel"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: MissingSets | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, seed: int = 0,
    skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_cluster_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    old: Any, new: Any = None, *, task: Literal["entailment"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False,
    positive: str | None = None, neutral: str | None = None, negative: str | None = None, rank_weights: Any = 'linear',
    seed: int = 0, skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, confidence_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, score_rank_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_confidence_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None, label_matrix: Any = None,
    confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None, score_rank_matrix: Any = None,
) -> Gate:
    ...
@overload
def gate(
    old: Any, new: Any = None, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, rank_column: str | None = None,
    score_column: str | None = None, segment_column: str | None = None, judge_column: str | None = None,
    gold_item_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    old: Any, new: Any = None, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    margin: float | Mapping[str, float] | None = None, measures: str | Measure | Sequence[str | Measure] | None = None,
    baseline: str | None = None, candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None,
    alpha: float = 0.05, units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None,
    trials: int = 5000, validity: bool = False, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    gold: Any, old: Any, new: Any = None, *, task: Literal["classification"] = "classification",
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0,
    skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Gate:
    ...
@overload
def gate(
    gold: Any, old: Any, new: Any = None, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    gold: Any, old: Any, new: Any = None, *, task: Literal["probabilities"], classes: Classes | None = None,
    kind: Kind | None = None, run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, normalise: bool = False,
    smooth: float | None = None, seed: int = 0, skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    cluster_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    gold: Any, old: Any, new: Any = None, *, task: Literal["multilabel"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_cluster_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    gold: Any, old: Any, new: Any = None, *, task: Literal["entailment"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, skip_broken: bool = False,
    margin: float | Mapping[str, float] | None = None, measures: str | Measure | Sequence[str | Measure] | None = None,
    baseline: str | None = None, candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None,
    alpha: float = 0.05, units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None,
    trials: int = 5000, validity: bool = False, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Gate:
    ...
@overload
def gate(
    gold: Any, old: Any, new: Any = None, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, margin: float | Mapping[str, float] | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None, baseline: str | None = None,
    candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None, alpha: float = 0.05,
    units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None, trials: int = 5000,
    validity: bool = False, distance: Any = None, registry: Registry | None = None, item_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, rank_column: str | None = None,
    score_column: str | None = None, segment_column: str | None = None, judge_column: str | None = None,
    gold_item_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    gold: Any, old: Any, new: Any = None, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    margin: float | Mapping[str, float] | None = None, measures: str | Measure | Sequence[str | Measure] | None = None,
    baseline: str | None = None, candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None,
    alpha: float = 0.05, units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None,
    trials: int = 5000, validity: bool = False, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> Gate:
    ...
@overload
def gate(
    old: Any, new: Any = None, *, format_in: str | None = None, better: Better | None = None, skip_broken: bool = False,
    margin: float | Mapping[str, float] | None = None, measures: str | Measure | Sequence[str | Measure] | None = None,
    baseline: str | None = None, candidate: str | None = None, each_topic: bool = False, undecided: Undecided | None = None,
    alpha: float = 0.05, units: SampleUnits | None = None, average: Average = 'topics', incomplete: Incomplete | None = None,
    trials: int = 5000, validity: bool = False, distance: Any = None, registry: Registry | None = None,
) -> Gate:
    ...

def judge(
    ratings: Any, judges: Any = None, *, among: Sequence[str] = (), classes: Classes | None = None, kind: Kind | None = None,
    annotator_columns: Sequence[str] = (), columns: Mapping[str, str] = ..., format_in: str | None = None,
    threads: int | None = None, memory: str | None = None, measures: str | Measure | Sequence[str | Measure] | None = None,
    gold: Gold = 'each', majority_ties: MajorityTies = 'lowest', margin: float = 0.1, epsilon: float = 0.2,
    alignment: Alignment | None = None, minimum: int = 30, alpha: float = 0.05, level: float = 0.95, trials: int = 1000,
    seed: int = 0, skip_broken: bool = False, validity: bool = False, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, annotator_column: str | None = None, label_column: str | None = None,
    topic_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
) -> Judgement:
    """May a judge stand in for one of the people, and which judge is better?

    Parameters
    ----------
    ratings : path, data frame or dict
        The people's ratings, as for ``agree``.
    judges : path, list of paths or dict, optional
        Files with the columns item and label, or ``{name: {item: label}}``; or ``among`` names the annotators that are
        judges. Labels under the names of several people are predictions of what each of them says.
    among : Sequence[str], optional
        Which of the annotators in the ratings are judges.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    annotator_columns : Sequence[str], optional
        Which columns hold ratings, one per annotator (default: all others).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``annotator``: who rated; ``label``: the ratings;
        ``topic``: topics, where ids are the same in each; ``cluster``: clusters of items that belong together, which
        are drawn whole; ``repeat``: the number of a rating, where somebody rated an item several times.
    item_column, annotator_column, label_column, topic_column, cluster_column, repeat_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: alt-test or lewidi.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    measures : str or Measure or Sequence[str or Measure], optional
        Which measures of a table (default: kappa_linear; nominal: kappa).
    gold : {'each', 'median', 'majority', 'mean', 'distribution'}, default 'each'
        What a judge is compared with: each person, or one label made of all.
    majority_ties : {'lowest', 'drop'}, default 'lowest'
        How to break a tied majority: take its lowest class, or no gold.
    margin : float, default 0.1
        By how much a judge may be worse than a person.
    epsilon : float, default 0.2
        The epsilon of the alt-test: .2 for experts, .15 for skilled workers, .1 for crowds.
    alignment : {'accuracy', 'rmse'}, optional
        How the alt-test compares labels (default: rmse; nominal: accuracy).
    minimum : int, default 30
        The fewest items that a person must share with others.
    alpha : float, default 0.05
        The level of significance.
    level : float, default 0.95
        The level of the intervals.
    trials : int, default 1000
        How many samples and swaps to draw.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out judges that are broken, and say which.
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Judgement
        Each judge and each person, scored against the same other people on the same items, with a verdict and the alt-test;
        of several measures, one for each.

    Raises
    ------
    UsageError
        If there is no judge, or an option makes no sense.
    DataError
        If the ratings are wrong, or nobody shares enough items with others.

    Notes
    -----
    The alternative annotator test (alt-test) is that of Calderon, Reichart and Dror (ACL 2025).

    Examples
    --------
    >>> import metameasure as mm
    >>> truth = [1, 2, 3, 2] * 10
    >>> people = {name: dict(enumerate(truth[shift:] + truth[:shift])) for name, shift in {"ann": 0, "bob": 0, "cyd": 4}.items()}
    >>> found = mm.judge(people, {"model": dict(enumerate(truth))}, classes="1..3", trials=100)
    >>> [one.judge for one in found.judges]
    ['model']
    """

def label_design(
    corrected: Corrected | str | Path, measures: str | Sequence[str] | None = None, *, width: float | None = None,
) -> LabelDesign:
    """How many labels by people an interval of a given width takes, where a judge labels everything.

    Parameters
    ----------
    corrected : Corrected or path
        Corrected numbers of a pilot, or the JSON of some.
    measures : str or sequence of str, optional
        Which measures (default: all).
    width : float, optional
        The full width that an interval should have.

    Returns
    -------
    LabelDesign
        For each number how many labels it takes with the judge, and without.

    Raises
    ------
    UsageError
        If there is no width, or it makes no sense.
    DataError
        If the file is not one of corrected numbers.

    Notes
    -----
    The interval is that of prediction-powered inference (Angelopoulos, Duchi and Zrnic, 2023), as ``correct`` makes it;
    docs/judges.md has how often it holds.

    Examples
    --------
    >>> import metameasure as mm
    >>> truth = [1, 2, 3, 2, 1] * 60
    >>> judge = [label if place % 5 else 2 for place, label in enumerate(truth)]
    >>> people = [label if place < 100 else None for place, label in enumerate(truth)]
    >>> run = [label if place % 4 else 1 for place, label in enumerate(truth)]
    >>> pilot = mm.correct_scores(people, {"a": run}, judge, classes="1..3", measures="accuracy", sampled="random")
    >>> [need.labels for need in mm.label_design(pilot, width=0.1).needs]
    [161]
    """
measures: Registry

@overload
def ranks(
    gold: Any, runs: Any = None, measure: Measures | None = None, *, task: Literal["classification"] = "classification",
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0,
    skip_broken: bool = False, test: Test | None = None, correction: Correction | None = None,
    units: SampleUnits | None = None, alpha: float = 0.05, trials: int = 5000, draw_by: DrawBy | None = None,
    validity: bool = False, incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (),
    across: AcrossTasks | None = None, registry: Registry | None = None, average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_cluster_column: str | None = None, label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None,
    score_matrix: Any = None, score_rank_matrix: Any = None,
) -> PossibleRanks:
    """Which ranks are real? Of each run the ranks that it may truly have, all at once with 95% confidence.

    A run's first rank is 1 + the number of runs that beat it, its last one the number of runs less those that it beats, by the
    p-values of ``compare``, which hold for all pairs together.

    Parameters
    ----------
    gold : path, data frame, array, evidence or scores
        What is right, as for ``evaluate``; or scores, as for ``compare``; or battles (``model_a``, ``model_b``, ``winner``).
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    measure : str, Measure or sequence of these, optional
        The measure. Scores of one measure need none. After scores it is the second argument. Several, one for each task, are for
        ``across``.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better, for a measure that metameasure does not know.
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    test : {'stepwise', 'tukey', 'classical', 'permutation', 'bootstrap'}, optional
        The test: by default ``stepwise`` over topics; ``permutation`` over items and of pooled rankings. ``tukey`` (or
        ``hsd``) is the randomised Tukey HSD test, ``classical`` that of a two-way analysis of variance. With fewer than
        six topics none.
    correction : {'holm', 'maxt'}, optional
        For permutation and bootstrap tests of many pairs (default: holm; over items of several topics maxt).
    units : {'topics', 'items'}, optional
        What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: both, topics
        first from six on).
    alpha : float, default 0.05
        All ranks hold at once with confidence 1 - alpha.
    trials : int, default 5000
        How many random trials.
    draw_by : {'data', 'names'}, optional
        What random draws go by: ``data``, so that p-values depend neither on names nor on order, or ``names``, as in
        0.2. By default ``data``, and ``names`` where ``test`` names a test, which then gives the numbers of 0.2.
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    incomplete : {'drop-topics', 'drop-runs'}, optional
        What to do about missing or undefined scores.
    baselines : bool, optional
        Keep the baselines among scores (default: leave them out).
    leave_out : Sequence[str], optional
        Runs not ranked.
    across : {'standardised', 'ranks'}, optional
        One decision over several tasks, each with its own measure: by the means of standardised scores, or of ranks.
        The tasks are scores in a list or by name, or the measures of one.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).
    average : {'topics', 'pooled'}, default 'topics'
        Compare means over topics, or pool all topics: labels item by item, rankings by all pairs.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.

    Returns
    -------
    PossibleRanks
        The runs from best to worst with their possible ranks, who may be first, and how many neighbours are told apart. Of labels
        in six topics or more, the same with items as a sample too.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Percentiles of bootstrapped ranks are not this: docs/ranks.md says why, and how often all ranks are held.

    Examples
    --------
    >>> import metameasure as mm
    >>> import pandas as pd
    >>> scores = {"a": [.8, .7, .6, .9, .6, .8], "b": [.6, .7, .4, .8, .5, .6], "c": [.3, .4, .2, .5, .3, .3]}
    >>> long = [("accuracy", f"t{place}", run, one) for run, each in scores.items() for place, one in enumerate(each)]
    >>> mm.ranks(pd.DataFrame(long, columns=["measure", "topic", "run", "score"])).possible_ranks()
    {'a': (1, 2), 'b': (1, 2), 'c': (3, 3)}
    """
@overload
def ranks(
    gold: Any, runs: Any = None, measure: Measures | None = None, *, task: Literal["quantification"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, counts: bool = False, normalise: bool = False, smooth: float | None = None,
    aspect: str | None = None, training: Any = None, seed: int = 0, skip_broken: bool = False, test: Test | None = None,
    correction: Correction | None = None, units: SampleUnits | None = None, alpha: float = 0.05, trials: int = 5000,
    draw_by: DrawBy | None = None, validity: bool = False, incomplete: Incomplete | None = None, baselines: bool = False,
    leave_out: Sequence[str] = (), across: AcrossTasks | None = None, registry: Registry | None = None,
    average: Average = 'topics', distance: Any = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> PossibleRanks:
    ...
@overload
def ranks(
    gold: Any, runs: Any = None, measure: Measures | None = None, *, task: Literal["probabilities"],
    classes: Classes | None = None, kind: Kind | None = None, run_columns: Sequence[str] = (),
    missing: MissingProbabilities | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    normalise: bool = False, smooth: float | None = None, seed: int = 0, skip_broken: bool = False, test: Test | None = None,
    correction: Correction | None = None, units: SampleUnits | None = None, alpha: float = 0.05, trials: int = 5000,
    draw_by: DrawBy | None = None, validity: bool = False, incomplete: Incomplete | None = None, baselines: bool = False,
    leave_out: Sequence[str] = (), across: AcrossTasks | None = None, registry: Registry | None = None,
    average: Average = 'topics', distance: Any = None, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> PossibleRanks:
    ...
@overload
def ranks(
    gold: Any, runs: Any = None, measure: Measures | None = None, *, task: Literal["multilabel"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, skip_broken: bool = False, test: Test | None = None, correction: Correction | None = None,
    units: SampleUnits | None = None, alpha: float = 0.05, trials: int = 5000, draw_by: DrawBy | None = None,
    validity: bool = False, incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (),
    across: AcrossTasks | None = None, registry: Registry | None = None, average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> PossibleRanks:
    ...
@overload
def ranks(
    gold: Any, runs: Any = None, measure: Measures | None = None, *, task: Literal["entailment"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, skip_broken: bool = False,
    test: Test | None = None, correction: Correction | None = None, units: SampleUnits | None = None, alpha: float = 0.05,
    trials: int = 5000, draw_by: DrawBy | None = None, validity: bool = False, incomplete: Incomplete | None = None,
    baselines: bool = False, leave_out: Sequence[str] = (), across: AcrossTasks | None = None,
    registry: Registry | None = None, average: Average = 'topics', distance: Any = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, confidence_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, score_rank_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_confidence_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None, label_matrix: Any = None,
    confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None, score_rank_matrix: Any = None,
) -> PossibleRanks:
    ...
@overload
def ranks(
    gold: Any, runs: Any = None, measure: Measures | None = None, *, task: Literal["ranking"],
    run_columns: Sequence[str] = (), missing: MissingRanks | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, gold_are: Holds | None = None, runs_are: Holds | None = None,
    tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0, by_source: bool = False, gain: Gain | None = None,
    ties: PredictedTies | None = None, compat: Compat | None = None, chance_test: int = 0,
    language_pairs: Sequence[str] = (), human_scores: str | None = None, references: Sequence[str] = (),
    metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None, seed: int = 0,
    skip_broken: bool = False, test: Test | None = None, correction: Correction | None = None,
    units: SampleUnits | None = None, alpha: float = 0.05, trials: int = 5000, draw_by: DrawBy | None = None,
    validity: bool = False, incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (),
    across: AcrossTasks | None = None, registry: Registry | None = None, average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, segment_column: str | None = None,
    judge_column: str | None = None, gold_item_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> PossibleRanks:
    ...
@overload
def ranks(
    gold: Any, runs: Any = None, measure: Measures | None = None, *, task: Literal["outcomes"],
    run_columns: Sequence[str] = (), missing: MissingOutcomes | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, better: Better | None = None, filter: str | None = None, seed: int = 0,
    skip_broken: bool = False, test: Test | None = None, correction: Correction | None = None,
    units: SampleUnits | None = None, alpha: float = 0.05, trials: int = 5000, draw_by: DrawBy | None = None,
    validity: bool = False, incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (),
    across: AcrossTasks | None = None, registry: Registry | None = None, average: Average = 'topics', distance: Any = None,
    item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> PossibleRanks:
    ...
@overload
def ranks(
    scores: Any, /, measure: str | Measure | None = None, *, threads: int | None = None, better: Better | None = None,
    seed: int = 0, test: Test | None = None, correction: Correction | None = None, units: SampleUnits | None = None,
    alpha: float = 0.05, trials: int = 5000, draw_by: DrawBy | None = None, validity: bool = False,
    incomplete: Incomplete | None = None, baselines: bool = False, leave_out: Sequence[str] = (),
    across: AcrossTasks | None = None, registry: Registry | None = None,
) -> PossibleRanks:
    ...

@overload
def report(
    gold: Any, runs: Any = None, path: str | Path | None = None, *, task: Literal["classification"] = "classification",
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0,
    skip_broken: bool = False, title: str = '', measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | None = None, average: Average = 'topics', baselines: bool | None = None, undefined: Undefined = 'skip',
    interval: IntervalKind | None = None, level: float = 0.95, trials: int = 5000, alpha: float = 0.05,
    units: SampleUnits | None = None, simultaneous: bool = False, validity: bool = False, by: str | None = None,
    by_table: Any = None, explain: Sequence[str] = (), texts: Any = None, properties: bool = False, distance: Any = None,
    registry: Registry | None = None, digits: int | None = None, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_weight_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Report:
    """Make one self-contained page about an evaluation.

    ``report(gold, runs, "page.html", classes=...)`` takes what ``evaluate`` takes. ``report(scores, "page.html")`` takes scores,
    and leaves out what needs gold.

    Parameters
    ----------
    gold : path, data frame, array, evidence, scores or another result
        Gold; or scores from ``evaluate``, matrices, a frame or a file of scores. Of the result of ``judge``, ``agree``,
        ``study`` or ``axioms`` the page has the answer, its tables and its chart.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    path : path, optional
        The page to write.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better, for measures that metameasure does not know.
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    title : str, default ''
        The title of the page.
    measures : str or Measure or Sequence[str or Measure], optional
        Which measures, the one to rank by first (default: a few for the task).
    primary : str, optional
        The measure that runs are ranked by (default: the first of the measures).
    average : {'topics', 'pooled'}, default 'topics'
        What the leaderboard of the page shows.
    baselines : bool, optional
        Add the scores of constant and random outputs.
    undefined : {'skip', 'zero', 'worst', 'chance'}, default 'skip'
        What an undefined score counts as: 0 (``zero``), the worse end of the measure's range (``worst``) or its chance
        level (``chance``); ``skip`` leaves the topic out for all runs.
    interval : {'auto', 'bootstrap', 'bayes'}, optional
        How to make intervals (default: auto, which hold with few topics, clusters or items too; bootstrap: those of
        0.2; bayes: credible intervals of one test set).
    level : float, default 0.95
        The level of the intervals.
    trials : int, default 5000
        How many random trials the tests make.
    alpha : float, default 0.05
        The level of significance.
    units : {'topics', 'items'}, optional
        What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: topics from six
        on).
    simultaneous : bool, optional
        Intervals of the differences that hold for all pairs at once.
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    by : str, optional
        Add the scores of slices: of the items of each value of a column of the data.
    by_table : Any, optional
        A table with the items and the column that ``by`` names, where the data have none: a file or a frame.
    explain : Sequence[str], optional
        Show the items that made the difference between two runs.
    texts : Any, optional
        A table with the items' texts, a file or a frame: ``item``, ``text``.
    properties : bool, optional
        Search for formal properties of the measures too: some seconds for each.
    distance : Any, optional
        Distances between the classes, a C x C array or nested lists, for measures that take them.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).
    digits : int, optional
        How many decimals numbers have.

    Returns
    -------
    Report
        The page, ``.html``, and what stands at its top. It prints as the answer.

    Raises
    ------
    UsageError
        If an option makes no sense, or the page cannot be written there.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Scores from ``evaluate`` have been made with ``average``, ``interval``, ``level`` and ``undefined`` already.

    Examples
    --------
    >>> import metameasure as mm
    >>> scores = mm.evaluate([1, 2, 1, 2], {"a": [1, 2, 1, 1], "b": [2, 2, 1, 1]}, classes=[1, 2], measures="accuracy")
    >>> print(mm.report(scores).answer[0])
    By accuracy, a is first of 2 runs (0.750; higher is better).
    """
@overload
def report(
    gold: Any, runs: Any = None, path: str | Path | None = None, *, task: Literal["quantification"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (),
    run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, counts: bool = False, normalise: bool = False, smooth: float | None = None,
    aspect: str | None = None, training: Any = None, seed: int = 0, skip_broken: bool = False, title: str = '',
    measures: str | Measure | Sequence[str | Measure] | None = None, primary: str | None = None, average: Average = 'topics',
    baselines: bool | None = None, undefined: Undefined = 'skip', interval: IntervalKind | None = None, level: float = 0.95,
    trials: int = 5000, alpha: float = 0.05, units: SampleUnits | None = None, simultaneous: bool = False,
    validity: bool = False, by: str | None = None, by_table: Any = None, explain: Sequence[str] = (), texts: Any = None,
    properties: bool = False, distance: Any = None, registry: Registry | None = None, digits: int | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> Report:
    ...
@overload
def report(
    gold: Any, runs: Any = None, path: str | Path | None = None, *, task: Literal["probabilities"],
    classes: Classes | None = None, kind: Kind | None = None, run_columns: Sequence[str] = (),
    missing: MissingProbabilities | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    normalise: bool = False, smooth: float | None = None, seed: int = 0, skip_broken: bool = False, title: str = '',
    measures: str | Measure | Sequence[str | Measure] | None = None, primary: str | None = None, average: Average = 'topics',
    baselines: bool | None = None, undefined: Undefined = 'skip', interval: IntervalKind | None = None, level: float = 0.95,
    trials: int = 5000, alpha: float = 0.05, units: SampleUnits | None = None, simultaneous: bool = False,
    validity: bool = False, by: str | None = None, by_table: Any = None, explain: Sequence[str] = (), texts: Any = None,
    properties: bool = False, distance: Any = None, registry: Registry | None = None, digits: int | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, class_column: str | None = None,
    probability_column: str | None = None, cluster_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> Report:
    ...
@overload
def report(
    gold: Any, runs: Any = None, path: str | Path | None = None, *, task: Literal["multilabel"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: MissingSets | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    seed: int = 0, skip_broken: bool = False, title: str = '',
    measures: str | Measure | Sequence[str | Measure] | None = None, primary: str | None = None, average: Average = 'topics',
    baselines: bool | None = None, undefined: Undefined = 'skip', interval: IntervalKind | None = None, level: float = 0.95,
    trials: int = 5000, alpha: float = 0.05, units: SampleUnits | None = None, simultaneous: bool = False,
    validity: bool = False, by: str | None = None, by_table: Any = None, explain: Sequence[str] = (), texts: Any = None,
    properties: bool = False, distance: Any = None, registry: Registry | None = None, digits: int | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_cluster_column: str | None = None,
) -> Report:
    ...
@overload
def report(
    gold: Any, runs: Any = None, path: str | Path | None = None, *, task: Literal["entailment"],
    classes: Classes | None = None, kind: Kind | None = None, partitions: int | None = None, run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, positive: str | None = None, neutral: str | None = None,
    negative: str | None = None, rank_weights: Any = 'linear', seed: int = 0, skip_broken: bool = False, title: str = '',
    measures: str | Measure | Sequence[str | Measure] | None = None, primary: str | None = None, average: Average = 'topics',
    baselines: bool | None = None, undefined: Undefined = 'skip', interval: IntervalKind | None = None, level: float = 0.95,
    trials: int = 5000, alpha: float = 0.05, units: SampleUnits | None = None, simultaneous: bool = False,
    validity: bool = False, by: str | None = None, by_table: Any = None, explain: Sequence[str] = (), texts: Any = None,
    properties: bool = False, distance: Any = None, registry: Registry | None = None, digits: int | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Report:
    ...
@overload
def report(
    gold: Any, runs: Any = None, path: str | Path | None = None, *, task: Literal["ranking"],
    run_columns: Sequence[str] = (), missing: MissingRanks | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, gold_are: Holds | None = None, runs_are: Holds | None = None,
    tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0, by_source: bool = False, gain: Gain | None = None,
    ties: PredictedTies | None = None, compat: Compat | None = None, chance_test: int = 0,
    language_pairs: Sequence[str] = (), human_scores: str | None = None, references: Sequence[str] = (),
    metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None, seed: int = 0,
    skip_broken: bool = False, title: str = '', measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | None = None, average: Average = 'topics', baselines: bool | None = None, undefined: Undefined = 'skip',
    interval: IntervalKind | None = None, level: float = 0.95, trials: int = 5000, alpha: float = 0.05,
    units: SampleUnits | None = None, simultaneous: bool = False, validity: bool = False, by: str | None = None,
    by_table: Any = None, explain: Sequence[str] = (), texts: Any = None, properties: bool = False, distance: Any = None,
    registry: Registry | None = None, digits: int | None = None, item_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, rank_column: str | None = None,
    score_column: str | None = None, segment_column: str | None = None, judge_column: str | None = None,
    gold_item_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> Report:
    ...
@overload
def report(
    gold: Any, runs: Any = None, path: str | Path | None = None, *, task: Literal["outcomes"],
    run_columns: Sequence[str] = (), missing: MissingOutcomes | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, better: Better | None = None, filter: str | None = None, seed: int = 0,
    skip_broken: bool = False, title: str = '', measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | None = None, average: Average = 'topics', baselines: bool | None = None, undefined: Undefined = 'skip',
    interval: IntervalKind | None = None, level: float = 0.95, trials: int = 5000, alpha: float = 0.05,
    units: SampleUnits | None = None, simultaneous: bool = False, validity: bool = False, by: str | None = None,
    by_table: Any = None, explain: Sequence[str] = (), texts: Any = None, properties: bool = False, distance: Any = None,
    registry: Registry | None = None, digits: int | None = None, item_column: str | None = None,
    topic_column: str | None = None, run_column: str | None = None, score_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, measure_column: str | None = None,
    hash_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_score_column: str | None = None, gold_cluster_column: str | None = None, gold_measure_column: str | None = None,
    gold_hash_column: str | None = None,
) -> Report:
    ...
@overload
def report(
    scores: Any, /, path: str | Path | None = None, *, task: str = 'classification', classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, counts: bool = False, normalise: bool = False,
    smooth: float | None = None, aspect: str | None = None, training: Any = None, positive: str | None = None,
    neutral: str | None = None, negative: str | None = None, rank_weights: Any = 'linear', gold_are: Holds | None = None,
    runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0, by_source: bool = False,
    gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None, chance_test: int = 0,
    language_pairs: Sequence[str] = (), human_scores: str | None = None, references: Sequence[str] = (),
    metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None, better: Better | None = None,
    filter: str | None = None, seed: int = 0, skip_broken: bool = False, title: str = '',
    measures: str | Measure | Sequence[str | Measure] | None = None, primary: str | None = None, average: Average = 'topics',
    baselines: bool | None = None, undefined: Undefined = 'skip', interval: IntervalKind | None = None, level: float = 0.95,
    trials: int = 5000, alpha: float = 0.05, units: SampleUnits | None = None, simultaneous: bool = False,
    validity: bool = False, by: str | None = None, by_table: Any = None, explain: Sequence[str] = (), texts: Any = None,
    properties: bool = False, distance: Any = None, registry: Registry | None = None, digits: int | None = None,
) -> Report:
    ...

def reproduce(
    signature: str | Signature, gold: Any = None, runs: Any = None, *, classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, counts: bool = False, normalise: bool = False,
    smooth: float | None = None, aspect: str | None = None, training: Any = None, positive: str | None = None,
    neutral: str | None = None, negative: str | None = None, rank_weights: Any = 'linear', gold_are: Holds | None = None,
    runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0, by_source: bool = False,
    gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None, chance_test: int = 0,
    language_pairs: Sequence[str] = (), human_scores: str | None = None, references: Sequence[str] = (),
    metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None, better: Better | None = None,
    filter: str | None = None, measures: str | Measure | Sequence[str | Measure] | None = None,
    primary: str | Measure | None = None, average: Average | None = None, baselines: bool | None = None,
    undefined: Undefined | None = None, groups: bool | None = None, ranks: bool | None = None,
    possible_ranks: bool | None = None, ci: bool | Literal['topics'] | None = None, interval: IntervalKind | None = None,
    units: SampleUnits | None = None, validity: bool | None = None, by: str | None = None, by_table: Any | None = None,
    level: float | None = None, trials: int | None = None, correction: Correction | None = None, against: str | None = None,
    alpha: float | None = None, draw_by: DrawBy | None = None, test: Test | None = None,
    correction_across: Across | None = None, incomplete: Incomplete | None = None, leave_out: Sequence[str] | None = None,
    simultaneous: bool | None = None, anova: bool | None = None, skip_broken: bool | None = None,
    weights: Sequence[float] | None = None, majority_ties: MajorityTies | None = None, margin: float | None = None,
    epsilon: float | None = None, alignment: Alignment | None = None, minimum: int | None = None,
    difference: float | None = None, power: float | None = None, width: float | None = None, unpaired: bool | None = None,
    splits: Any = None, size: Any = None, threshold: Any = None, correlation: Any = None,
    annotator_column: str | None = None, annotator_columns: Sequence[str] = (), task: str | None = None,
    seed: int | None = None, judge_labels: Any = None, distance: Any = None, registry: Registry | None = None,
    item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    confidence_column: str | None = None, rank_column: str | None = None, score_column: str | None = None,
    score_rank_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    segment_column: str | None = None, judge_column: str | None = None, cluster_column: str | None = None,
    repeat_column: str | None = None, measure_column: str | None = None, hash_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_confidence_column: str | None = None, gold_rank_column: str | None = None,
    gold_score_column: str | None = None, gold_score_rank_column: str | None = None, gold_class_column: str | None = None,
    gold_probability_column: str | None = None, gold_segment_column: str | None = None, gold_judge_column: str | None = None,
    gold_cluster_column: str | None = None, gold_measure_column: str | None = None, gold_hash_column: str | None = None,
    label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None,
    score_rank_matrix: Any = None,
) -> Reproduction:
    """Compute a result again from its signature and its data, and say what is the same and what differs.

    Measures, classes and settings come from the signature. Say only what it does not hold: the names of columns, a format,
    ``distance``, ``training``. An option that the signature has too replaces it, and is reported as another setting.

    Parameters
    ----------
    signature : str or Signature
        That of any result.
    gold, runs : path, data frame, array or dict, optional
        What the result was made of: gold and runs, ratings and judges, or scores.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    measures : str or Measure or Sequence[str or Measure], optional
        Which measures, the one to rank by first (default: a few for the task).
    primary : str or Measure, optional
        The measure that runs are ranked by (default: the first of the measures).
    average : {'topics', 'pooled'}, optional
        What the leaderboard shows.
    baselines : bool, optional
        Add the scores of constant and random outputs (entailment: always).
    undefined : {'skip', 'zero', 'worst', 'chance'}, optional
        What an undefined score counts as: 0 (``zero``), the worse end of the measure's range (``worst``) or its chance
        level (``chance``); ``skip`` leaves the topic out for all runs.
    groups : bool, optional
        Add letters for each measure, by the default test of ``compare``: runs that share one do not differ
        significantly.
    ranks : bool, optional
        Add each run's rank by every measure.
    possible_ranks : bool, optional
        Add the ranks that each run may truly have by the first measure, all at once with 95% confidence, as ``ranks``
        finds them.
    ci : bool or Literal['topics'], optional
        Add intervals. With several topics, JSON and CSV have intervals over items too; ``topics`` leaves those out,
        which is quicker.
    interval : {'auto', 'bootstrap', 'bayes'}, optional
        How to make intervals (default: auto, which hold with few topics, clusters or items too; bootstrap: those of
        0.2; bayes: credible intervals of one test set).
    units : {'topics', 'items'}, optional
        What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: topics from six
        on).
    validity : bool, optional
        Name the row of docs/validity.md behind each interval and p-value.
    by : str, optional
        Add the scores of slices: of the items of each value of a column of the data.
    by_table : Any, optional
        A table with the items and the column that ``by`` names, where the data have none: a file or a frame.
    level : float, optional
        The intervals' level.
    trials : int, optional
        The intervals' number of draws.
    correction : {'none', 'holm', 'bh', 'maxt'}, optional
        For permutation and bootstrap tests of many pairs (default: holm; over items of several topics maxt).
    against : str, optional
        Compare all runs with this one only; over topics by sign-flip tests.
    alpha : float, optional
        The level of significance.
    draw_by : {'data', 'names'}, optional
        What random draws go by: ``data``, so that p-values depend neither on names nor on order, or ``names``, as in
        0.2. By default ``data``, and ``names`` where ``test`` names a test, which then gives the numbers of 0.2.
    test : {'stepwise', 'tukey', 'classical', 'permutation', 'bootstrap'}, optional
        The test: by default ``stepwise`` over topics, with ``against`` sign flips; ``permutation`` over items and of
        pooled rankings. ``tukey`` (or ``hsd``) is the randomised Tukey HSD test, ``classical`` that of a two-way
        analysis of variance. With fewer than six topics none.
    correction_across : {'measures'}, optional
        Correct p-values for the number of measures too (default: for the pairs of runs only).
    incomplete : {'drop-topics', 'drop-runs'}, optional
        What to do about missing or undefined scores.
    leave_out : Sequence[str], optional
        Runs that are not compared.
    simultaneous : bool, optional
        Intervals of the differences that hold for all pairs at once.
    anova : bool, optional
        Add the two-way analysis of variance, topics by runs.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    weights : Sequence[float], optional
        Metrics over several data sets, of language pairs and measures: how much each counts, in that order.
    majority_ties : {'lowest', 'drop'}, optional
        How to break a tied majority: take its lowest class, or no gold.
    margin : float, optional
        By how much a judge may be worse than a person.
    epsilon : float, optional
        The epsilon of the alt-test: .2 for experts, .15 for skilled workers, .1 for crowds.
    alignment : {'accuracy', 'rmse'}, optional
        How the alt-test compares labels (default: rmse; nominal: accuracy).
    minimum : int, optional
        The fewest items that a person must share with others.
    difference : float, optional
        The smallest difference between two runs to be detected by the test that ``compare`` takes by default.
    power : float, optional
        The probability of detecting it.
    width : float, optional
        The full width that an interval of a difference should have.
    unpaired : bool, optional
        For runs on different topics: take the variance between topics too.
    splits : Any, optional
        As in meta.
    size : Any, optional
        As in meta.
    threshold : Any, optional
        As in meta.
    correlation : Any, optional
        As in meta.
    annotator_column : str, optional
        The column with who rated, in ratings.
    annotator_columns : Sequence[str], optional
        Which columns hold ratings, one per annotator.
    task : str, optional
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    seed : int, optional
        Another seed than the signature has.
    judge_labels : Any, optional
        The judge's labels, where scores were corrected by some.
    distance : Any, optional
        The distances between the classes, where it was made with some: an array, or a file.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Reproduction
        What is the same and what differs; ``.same`` is the short of it.

    Raises
    ------
    UsageError
        If the signature is not whole, or needs something that was not given.

    Notes
    -----
    A signature names the task, the settings and digests of the data; the idea is sacreBLEU's (Post, 2018). docs/reproduce.md says
    what it holds and what it cannot.

    Examples
    --------
    >>> import metameasure as mm
    >>> scores = mm.evaluate([1, 2, 2], {"a": [1, 2, 1]}, classes=[1, 2], measures="accuracy")
    >>> mm.reproduce(scores.signature, [1, 2, 2], {"a": [1, 2, 1]}).same
    True
    """

def simulate(
    like: str | None = None, *, task: str | None = None, kinds: str | Sequence[str] | None = None, runs: int | None = None,
    classes: Classes | None = None, topics: int | None = None, items: int | None = None, judges: int | None = None,
    centre: float | None = None, spread: float | tuple[float, float] | None = None, wander: float | None = None,
    shares: Sequence[float] | None = None, ties: float | None = None, seed: int = 0,
) -> Simulated:
    """Simulate a shared task: gold, and systems that err in known ways.

    Parameters
    ----------
    like : str, optional
        The shape to start from (default: ``amigo``, or the usual one of ``task``); every option changes a part of it.
    task : str, optional
        classification, quantification, probabilities, multilabel, entailment or ranking.
    kinds : str or Sequence[str], optional
        The kinds of systems, perhaps with how much each of their runs errs: ``["rand", "maj=.1,.5", "constant=1"]``.
        Without amounts a kind has its usual runs, or its share of ``runs``.
    runs : int, optional
        How many runs to share among the kinds without amounts.
    classes : Classes, optional
        The classes from lowest to highest, as in neg,neu,pos or -2..2.
    topics : int, optional
        How many topics (segments, in rankings).
    items : int, optional
        How many items a topic has.
    judges : int, optional
        How many judges gold is made from.
    centre : float, optional
        The most frequent class, counted from 1.
    spread : float or tuple[float, float], optional
        How far labels spread, from the first topic to the last.
    wander : float, optional
        How far the topics' centres differ.
    shares : Sequence[float], optional
        How frequent each class is, instead of ``centre`` and ``spread``.
    ties : float, optional
        How often neighbours in a human ranking tie.
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    Simulated
        Gold and runs. ``.save(folder)`` writes them as ordinary files, ``.how`` says how to read those.

    Raises
    ------
    UsageError
        If there is no such shape or kind of system, or an option is not of the task.

    Notes
    -----
    The same seed gives the same bytes. The shape ``amigo`` is the experiment of Amigó et al. (2020), Section 5.3.

    Examples
    --------
    >>> import metameasure as mm
    >>> made = mm.simulate("amigo", kinds=["rand=.1,.5"], topics=2, items=10)
    >>> len(made.runs)
    2
    """

@overload
def study(
    names: str, *, data: str | Path | None = None, seed: int = 0, resume: str | Path | None = None,
    registry: Registry | None = None,
) -> Compared:
    """Compute what a paper publishes, and compare.

    Parameters
    ----------
    names : str or sequence of str, optional
        The paper: ``amigo2020``, ``avramidis2013``, ``bergmair2009``, ``sakai2021`` or ``sakai2021lq``; several, or by
        default all.
    data : str or Path, optional
        A folder with real files of the tasks; tasks that it lacks are simulated.
    seed : int, default 0
        The seed of the random numbers.
    resume : str or Path, optional
        A file in which finished pieces of work are kept, and from which an interrupted call goes on.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    Compared or Studies
        The published values beside ours; of several papers, one for each.

    Raises
    ------
    UsageError
        If there is no such study.

    Notes
    -----
    The papers, their tables and figures, and what could not be made again are in docs/studies.md; what is wrong in a paper itself
    is said there too.

    Examples
    --------
    >>> import metameasure as mm
    >>> found = mm.study("bergmair2009")
    >>> found.failures
    ()
    """
@overload
def study(
    names: None = None, *, data: str | Path | None = None, seed: int = 0, resume: str | Path | None = None,
    registry: Registry | None = None,
) -> Studies:
    ...
@overload
def study(
    names: Sequence[str], *, data: str | Path | None = None, seed: int = 0, resume: str | Path | None = None,
    registry: Registry | None = None,
) -> Compared | Studies:
    ...

@overload
def table(
    gold: Any, runs: Any = None, *, task: Literal["classification"] = "classification", classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    matrices: Mapping[str, Any] = ..., balance: bool = False, seed: int = 0, skip_broken: bool = False,
    by_class: bool = False, item_column: str | None = None, topic_column: str | None = None, label_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, weight_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_cluster_column: str | None = None, label_matrix: Any = None, confidence_matrix: Any = None, rank_matrix: Any = None,
    score_matrix: Any = None, score_rank_matrix: Any = None,
) -> RunTables:
    """What each run's scores are made of, all topics as one.

    For labels, the confusion table with its margins, and precision, recall, F1 and support by class; for entailment, the
    two-way table too; for distributions, those of gold and run; for rankings, the pairs of items.

    Parameters
    ----------
    gold : path, data frame, array or evidence
        What is right, as for ``evaluate``.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs, as for ``evaluate``.
    task : str, default 'classification'
        What is compared: classification, quantification, probabilities, multilabel, entailment, ranking or outcomes.
    classes : Classes, optional
        The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such
        as ``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.
    kind : {'nominal', 'ordinal', 'interval'}, optional
        What the classes are (default: ordinal).
    partitions : int, optional
        Split items without topics into K partitions at random.
    bins : Sequence[float], optional
        Edges that cut numeric labels into the classes.
    run_columns : Sequence[str], optional
        Side by side: which columns are runs (default: all others).
    missing : str, optional
        What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels,
        ``worst`` counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth
        nothing; of sets of labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of
        outcomes, ``drop`` is the default, ``zero`` counts them as 0, and ``bounds`` says how far they could matter.
    extra : {'error', 'ignore'}, optional
        What to do with items that gold lacks (default: an error).
    columns : Mapping[str, str], optional
        The column with each role, by role. ``item``: the items' ids; ``topic``: topics; ``label``: labels; ``gold``:
        gold, side by side or stacked; ``run``: runs' names, stacked; ``weight``: items' weights, in gold;
        ``confidence``: how sure a run is of its label; ``rank``: ranks: 1 is the surest label, or the best item;
        ``score``: scores: belief in the positive class, or how good an item is; ``score_rank``: ranks of belief in the
        positive class: 1 is the strongest; ``category``: classes; ``probability``: probabilities of classes, or counts;
        ``segment``: segments, whose items are ranked; ``judge``: who ranked a segment; ``cluster``: clusters of items
        that belong together, in gold; ``repeat``: the number of an output, where a run has several for an item;
        ``measure``: the names of measures, in outcomes; ``hash``: what tells items of outcomes apart, whatever they are
        called.
    item_column, topic_column, label_column, gold_column, run_column, weight_column, confidence_column, rank_column, score_column, score_rank_column, class_column, probability_column, segment_column, judge_column, cluster_column, repeat_column, measure_column, hash_column, gold_item_column, gold_topic_column, gold_label_column, gold_weight_column, gold_confidence_column, gold_rank_column, gold_score_column, gold_score_rank_column, gold_class_column, gold_probability_column, gold_segment_column, gold_judge_column, gold_cluster_column, gold_measure_column, gold_hash_column : str, optional
        One key of ``columns`` by itself.
    format_in : str, optional
        The format, if it is not recognised: semeval, trec, wmt, ...
    name_by : {'file', 'tag'}, optional
        What to call runs: as their files are called, or by the tag in them (default: file).
    stacked : bool, optional
        Several files are parts of one table with a column of runs, not a file for each run.
    threads : int, optional
        How many threads the engine may use.
    memory : str, optional
        About how much memory to use.
    engine : {'duckdb', 'spark'}, optional
        The engine that reads and counts (default: duckdb, on this machine).
    master : str, optional
        With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.
    connect_timeout : float, optional
        How many seconds it may take to reach the cluster (default: 20).
    matrices : Mapping[str, Any], optional
        A file with each role, a column for each run, by role. ``label``: labels, where gold is apart; ``confidence``:
        how sure runs are of their labels; ``rank``: the same as ranks; ``score``: belief in the positive class;
        ``score_rank``: the same as ranks.
    label_matrix, confidence_matrix, rank_matrix, score_matrix, score_rank_matrix : str, optional
        One key of ``matrices`` by itself.
    balance : bool, optional
        Let every class of gold weigh the same, in each topic and in all as one.
    counts : bool, optional
        The files hold counts.
    normalise : bool, optional
        Divide distributions that do not add up to 1 by their sum.
    smooth : float, optional
        Add EPS to every probability, and divide by the sum.
    aspect : str, optional
        Which quality of an NTCIR file.
    training : Any, optional
        A file whose mean distribution becomes a baseline.
    positive : str, optional
        The label of entailment.
    neutral : str, optional
        The label of what is unknown.
    negative : str, optional
        The label of contradiction.
    rank_weights : Any, default 'linear'
        Linear (the default), reciprocal, logarithmic, or a file with a weight per rank.
    gold_are : {'ranks', 'scores'}, optional
        What gold's column holds.
    runs_are : {'ranks', 'scores'}, optional
        What the runs' columns hold.
    tie_epsilon : float, default 0.0
        Scores that differ by no more are tied.
    gold_tie_epsilon : float, default 0.0
        The same for gold's scores.
    by_source : bool, optional
        Average a source segment's rankings first.
    gain : {'exponential', 'linear'}, optional
        The gain of DCG, NDCG and ERR.
    ties : {'expected', 'worst'}, optional
        How predicted ties are read.
    compat : {'none', 'rankeval', 'trec_eval', 'mtme'}, optional
        Compute as another program does (default for TREC files: trec_eval).
    chance_test : int, default 0
        Test each run against chance by B permutations.
    language_pairs : Sequence[str], optional
        Of a folder of mt-metrics-eval, the language pairs to read (default: all).
    human_scores : str, optional
        Which of people's scores are gold, such as mqm (default: WMT's choice).
    references : Sequence[str], optional
        Which references metrics may read, such as refA (default: WMT's choice).
    metrics : Sequence[str], optional
        Which metrics to read (default: all).
    systems : {'wmt', 'machines', 'all'}, default 'wmt'
        The systems that metrics are judged by: without outliers (wmt), without other translations by people too
        (machines), or all but the reference (default: wmt).
    score_files : {'seg', 'sys'}, optional
        Read scores of segments or of systems (default: of systems for measures @system).
    better : {'higher', 'lower'}, optional
        Which scores are better (default: as the data say, or the names of measures).
    filter : str, optional
        Which of lm-eval's filters of answers counts, where a task has several.
    seed : int, default 0
        The seed of the random numbers.
    skip_broken : bool, optional
        Leave out runs that are broken, and say which.
    by_class : bool, optional
        Add CEM of each class: over the items that are given it (as precision), and over those that have it (as recall).

    Returns
    -------
    RunTables
        The tables of each run.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Of labels the confusion table with precision, recall and F1 of each class, as scikit-learn's classification_report has them;
    of other tasks what docs/commands.md lists.

    Examples
    --------
    >>> import metameasure as mm
    >>> made = mm.table(["a", "b", "b"], {"first": ["a", "b", "a"]}, classes="a,b")
    >>> made.to_dict()["runs"][0]["counts"]
    [[1, 0], [1, 1]]
    """
@overload
def table(
    gold: Any, runs: Any = None, *, task: Literal["quantification"], classes: Classes | None = None,
    kind: Kind | None = None, partitions: int | None = None, bins: Sequence[float] = (), run_columns: Sequence[str] = (),
    missing: str | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, counts: bool = False,
    normalise: bool = False, smooth: float | None = None, aspect: str | None = None, training: Any = None, seed: int = 0,
    skip_broken: bool = False, by_class: bool = False, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    weight_column: str | None = None, class_column: str | None = None, probability_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_weight_column: str | None = None, gold_class_column: str | None = None, gold_probability_column: str | None = None,
) -> RunTables:
    ...
@overload
def table(
    gold: Any, runs: Any = None, *, task: Literal["probabilities"], classes: Classes | None = None, kind: Kind | None = None,
    run_columns: Sequence[str] = (), missing: MissingProbabilities | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, normalise: bool = False, smooth: float | None = None, seed: int = 0,
    skip_broken: bool = False, by_class: bool = False, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    class_column: str | None = None, probability_column: str | None = None, cluster_column: str | None = None,
    gold_item_column: str | None = None, gold_topic_column: str | None = None, gold_label_column: str | None = None,
    gold_class_column: str | None = None, gold_probability_column: str | None = None, gold_cluster_column: str | None = None,
) -> RunTables:
    ...
@overload
def table(
    gold: Any, runs: Any = None, *, task: Literal["multilabel"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: MissingSets | None = None,
    extra: Extra | None = None, columns: Mapping[str, str] = ..., format_in: str | None = None,
    name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None, memory: str | None = None,
    engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None, seed: int = 0,
    skip_broken: bool = False, by_class: bool = False, item_column: str | None = None, topic_column: str | None = None,
    label_column: str | None = None, gold_column: str | None = None, run_column: str | None = None,
    cluster_column: str | None = None, gold_item_column: str | None = None, gold_topic_column: str | None = None,
    gold_label_column: str | None = None, gold_cluster_column: str | None = None,
) -> RunTables:
    ...
@overload
def table(
    gold: Any, runs: Any = None, *, task: Literal["entailment"], classes: Classes | None = None, kind: Kind | None = None,
    partitions: int | None = None, run_columns: Sequence[str] = (), missing: str | None = None, extra: Extra | None = None,
    columns: Mapping[str, str] = ..., format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False,
    threads: int | None = None, memory: str | None = None, engine: Engine | None = None, master: str | None = None,
    connect_timeout: float | None = None, matrices: Mapping[str, Any] = ..., balance: bool = False,
    positive: str | None = None, neutral: str | None = None, negative: str | None = None, rank_weights: Any = 'linear',
    seed: int = 0, skip_broken: bool = False, by_class: bool = False, item_column: str | None = None,
    topic_column: str | None = None, label_column: str | None = None, gold_column: str | None = None,
    run_column: str | None = None, weight_column: str | None = None, confidence_column: str | None = None,
    rank_column: str | None = None, score_column: str | None = None, score_rank_column: str | None = None,
    cluster_column: str | None = None, repeat_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_label_column: str | None = None, gold_weight_column: str | None = None,
    gold_confidence_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_score_rank_column: str | None = None, gold_cluster_column: str | None = None, label_matrix: Any = None,
    confidence_matrix: Any = None, rank_matrix: Any = None, score_matrix: Any = None, score_rank_matrix: Any = None,
) -> RunTables:
    ...
@overload
def table(
    gold: Any, runs: Any = None, *, task: Literal["ranking"], run_columns: Sequence[str] = (),
    missing: MissingRanks | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    gold_are: Holds | None = None, runs_are: Holds | None = None, tie_epsilon: float = 0.0, gold_tie_epsilon: float = 0.0,
    by_source: bool = False, gain: Gain | None = None, ties: PredictedTies | None = None, compat: Compat | None = None,
    chance_test: int = 0, language_pairs: Sequence[str] = (), human_scores: str | None = None,
    references: Sequence[str] = (), metrics: Sequence[str] = (), systems: Systems = 'wmt', score_files: Level | None = None,
    seed: int = 0, skip_broken: bool = False, by_class: bool = False, item_column: str | None = None,
    gold_column: str | None = None, run_column: str | None = None, rank_column: str | None = None,
    score_column: str | None = None, segment_column: str | None = None, judge_column: str | None = None,
    gold_item_column: str | None = None, gold_rank_column: str | None = None, gold_score_column: str | None = None,
    gold_segment_column: str | None = None, gold_judge_column: str | None = None,
) -> RunTables:
    ...
@overload
def table(
    gold: Any, runs: Any = None, *, task: Literal["outcomes"], run_columns: Sequence[str] = (),
    missing: MissingOutcomes | None = None, extra: Extra | None = None, columns: Mapping[str, str] = ...,
    format_in: str | None = None, name_by: NameBy | None = None, stacked: bool = False, threads: int | None = None,
    memory: str | None = None, engine: Engine | None = None, master: str | None = None, connect_timeout: float | None = None,
    better: Better | None = None, filter: str | None = None, seed: int = 0, skip_broken: bool = False,
    by_class: bool = False, item_column: str | None = None, topic_column: str | None = None, run_column: str | None = None,
    score_column: str | None = None, cluster_column: str | None = None, repeat_column: str | None = None,
    measure_column: str | None = None, hash_column: str | None = None, gold_item_column: str | None = None,
    gold_topic_column: str | None = None, gold_score_column: str | None = None, gold_cluster_column: str | None = None,
    gold_measure_column: str | None = None, gold_hash_column: str | None = None,
) -> RunTables:
    ...

def trial(
    measures: str | Measure | Sequence[str | Measure], *, task: str | None = None, quick: bool = False,
    data: str | Path | None = None, seed: int = 0, threads: int | None = None, resume: str | Path | None = None,
    registry: Registry | None = None,
) -> MeasureTrial:
    """Put measures to the test: formal properties, simulated tasks in which the truth is known, and the established measures.

    Parameters
    ----------
    measures : str, Measure or sequence of these
        What is tried: names, ids with parameters or measures, of one task.
    task : str, optional
        The task, where a measure is of several.
    quick : bool, optional
        Fewer topics and cases: under a minute.
    data : str or Path, optional
        A folder of data sets: gold, ``runs``, and ``data.toml`` with what ``evaluate`` has to be told.
    seed : int, default 0
        The seed of the random numbers.
    threads : int, optional
        How many threads to use.
    resume : str or Path, optional
        A file in which finished pieces of work are kept, and from which an interrupted call goes on.
    registry : Registry, optional
        The measures that names are looked up in (default: ``mm.measures``).

    Returns
    -------
    MeasureTrial
        A verdict for each measure, with the evidence. ``trial["my_measure"].faults()`` has what speaks against one.

    Raises
    ------
    UsageError
        If a measure cannot be tried: one that describes data, or of a task that is not simulated.

    Notes
    -----
    Systems are simulated that err in one way each, some more and some less; of two that err in the same way, the one that errs
    less is better. A measure is held against the established ones of its task on the same systems. The same seed gives the same
    bytes.

    Examples
    --------
    >>> import metameasure as mm
    >>> found = mm.trial("accuracy", quick=True)
    >>> [name for name, _ in found["accuracy"].faults()]
    ['blind to order', 'gameable by a constant']
    """
