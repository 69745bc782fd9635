"""The words that options take, each list once: for types, messages and the command line. Nothing else is imported for them."""

from __future__ import annotations

from typing import Literal

Average = Literal["topics", "pooled"]
Better = Literal["higher", "lower"]
Incomplete = Literal["drop-topics", "drop-runs"]
Undefined = Literal["skip", "zero", "worst", "chance"]

Extra = Literal["error", "ignore"]
"""What becomes of items that gold lacks."""
MissingSets = Literal["drop", "empty"]
"""What becomes of items that a run lacks, by task; for labels that may be a class too, which makes it any text."""
MissingProbabilities = Literal["drop"]
MissingRanks = Literal["drop", "last"]
MissingOutcomes = Literal["drop", "zero", "bounds"]
Engine = Literal["duckdb", "spark"]
NameBy = Literal["file", "tag"]
Purpose = Literal["compare"]
"""What evidence is counted for."""
Gain = Literal["exponential", "linear"]
PredictedTies = Literal["expected", "worst"]
Compat = Literal["none", "rankeval", "trec_eval", "mtme"]
"""Programs that rankings can be scored like."""

IntervalKind = Literal["auto", "bootstrap", "bayes"]
ComparedInterval = Literal["auto", "bootstrap"]
AgreementInterval = Literal["auto", "bootstrap", "gwet"]
RatingShape = Literal["ratings", "counts", "table"]
"""What a row is: a rating, or an item with a column for each annotator; an item with how many chose each class; or, of the table
of two annotators, a class of the first."""

SampleUnits = Literal["topics", "items"]
"""What is a sample of more: topics, or the items within topics that are fixed."""
Test = Literal["stepwise", "tukey", "classical", "permutation", "bootstrap"]
MetricTest = Literal["perm-both", "williams"]
"""Between metrics that judge systems beside people."""
Correction = Literal["none", "holm", "bh", "maxt"]
Across = Literal["measures"]
BagProtocol = Literal["app", "npp", "upp"]
RankCorrelation = Literal["tau", "tau_ap", "rbo", "spearman"]
AcrossTasks = Literal["standardised", "ranks"]
DrawBy = Literal["data", "names"]
"""What decides which random number a topic, an item or a run gets: its data, or the order of names."""
Undecided = Literal["pass", "fail"]

Gold = Literal["each", "median", "majority", "mean", "distribution"]
MajorityTies = Literal["lowest", "drop"]
Alignment = Literal["accuracy", "rmse"]
Aggregate = Literal["majority", "median", "dawid-skene", "one-coin", "glad", "mmsr"]
"""How gold is made of a crowd's ratings; ``one-coin``, ``glad`` and ``mmsr`` are crowd-kit's."""
Sampling = Literal["random", "strata", "unknown"]
"""How the items were chosen that people labelled."""
