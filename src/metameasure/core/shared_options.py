"""The options that several commands share, such as ``--trials``, ``--seed`` and ``--measures``, each declared once.

What differs between commands, the default most of all, stands in the group of options that a command has.
"""

from __future__ import annotations

import dataclasses
from typing import get_args

from metameasure.core.choices import (
    Average,
    Better,
    Correction,
    DrawBy,
    Incomplete,
    IntervalKind,
    MetricTest,
    SampleUnits,
    Test,
    Undefined,
)
from metameasure.core.options import Option, names

ALPHA = Option("alpha", "The level of significance.", float, between=(0, 1), shown=True)
LEVEL = Option("level", "The level of the intervals.", float, between=(0, 1), shown=True)
SEED = Option("seed", "The seed of the random numbers.", int, least=0, shown=True)
THREADS = Option("threads", "How many threads to use.", int, least=1)
ENGINE_THREADS = dataclasses.replace(THREADS, help="How many threads the engine may use.")
TRIALS = Option("trials", "How many random trials.", int, least=1, shown=True)
SAMPLES = dataclasses.replace(TRIALS, help="How many samples to draw.")
MEASURES = Option("measures", "Which measures (default: all).", metavar="M,...", also="measure")
PRIMARY = Option("primary", "The measure that runs are ranked by (default: the first of the measures).", metavar="M")
AVERAGE = Option("average", "What the leaderboard shows.", choices=get_args(Average), shown=True)
BASELINES = Option("baselines", "Add the scores of constant and random outputs.", bool, negated=True)
SKIP_BROKEN = Option("skip-broken", "Leave out runs that are broken, and say which.", bool)
UNDEFINED = Option(
    "undefined",
    "What a score that is undefined counts as; skip leaves the topic out for all runs.",
    choices=get_args(Undefined),
    shown=True,
    doc="What an undefined score counts as: 0 (``zero``), the worse end of the measure's range (``worst``) or its chance level "
    "(``chance``); ``skip`` leaves the topic out for all runs.",
)
UNITS = Option(
    "units",
    "What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: topics from six on).",
    choices=get_args(SampleUnits),
)
VALIDITY = Option("validity", "Name the row of docs/validity.md behind each interval and p-value.", bool)
INTERVAL = Option(
    "interval",
    "How to make intervals (default: auto, which hold with few topics, clusters or items too; bootstrap: those of 0.2; "
    "bayes: credible intervals of one test set).",
    choices=get_args(IntervalKind),
)
BETTER = Option("better", "Which scores are better, for a measure that metameasure does not know.", choices=get_args(Better))
INCOMPLETE = Option("incomplete", "What to do about missing or undefined scores.", choices=get_args(Incomplete))
DRAW_BY = Option(
    "draw-by",
    "What random draws go by: data, so that names and order change nothing, or names, as in 0.2 (default: data; names where "
    "--test names a test).",
    choices=get_args(DrawBy),
    doc="What random draws go by: ``data``, so that p-values depend neither on names nor on order, or ``names``, as in 0.2. By "
    "default ``data``, and ``names`` where ``test`` names a test, which then gives the numbers of 0.2.",
)
CORRECTION = Option(
    "correction",
    "For permutation and bootstrap tests of many pairs (default: holm; over items of several topics maxt).",
    choices=get_args(Correction),
)
TEST = Option(
    "test",
    "The test (default: stepwise over topics, with --against sign flips; permutation over items and of pooled rankings; "
    "tukey, or hsd, is the randomised Tukey HSD, classical that of a two-way analysis of variance).",
    choices=get_args(Test),
    synonyms=(("hsd", "tukey"),),
    doc="The test: by default ``stepwise`` over topics, with ``against`` sign flips; ``permutation`` over items and of "
    "pooled rankings. ``tukey`` (or ``hsd``) is the randomised Tukey HSD test, ``classical`` that of a two-way analysis of "
    "variance. With fewer than six topics none.",
)
TEST_OF_COMPARE = dataclasses.replace(TEST, choices=(*get_args(Test), *get_args(MetricTest)))
KEPT_BASELINES = dataclasses.replace(BASELINES, help="Keep the baselines among scores (default: leave them out).", negated=False)
LEAVE_OUT = Option(
    "leave-out",
    "A run that is not compared. May be repeated.",
    names,
    metavar="RUN",
    repeated=True,
    doc="Runs that are not compared.",
)
SIMULTANEOUS = Option("simultaneous", "Intervals of the differences that hold for all pairs at once.", bool)
POOLED = dataclasses.replace(
    AVERAGE, help="Compare means over topics, or pool all topics: labels item by item, rankings by all pairs."
)
DISTANCE = Option(
    "distance",
    "Distances between the classes, C x C, for measures that take them.",
    metavar="FILE",
    is_file=True,
    doc="Distances between the classes, a C x C array or nested lists, for measures that take them.",
)
PLUGIN = Option(
    "plugin",
    "A Python file with measures of your own, which is run. May be repeated.",
    metavar="FILE",
    repeated=True,
    argument="plugins",
    is_file=True,
    doc="The measures that names are looked up in (default: ``mm.measures``).",
)
RESUME = Option(
    "resume",
    "Keep finished pieces of work in FILE; an interrupted run goes on from there.",
    metavar="FILE",
    doc="A file in which finished pieces of work are kept, and from which an interrupted call goes on.",
)
BY = Option("by", "Add the scores of slices: of the items of each value of a column of the data.", metavar="COLUMN")
BY_TABLE = Option(
    "by-table",
    "A table with the items and the column that --by names, where the data have none.",
    metavar="FILE",
    is_file=True,
    doc="A table with the items and the column that ``by`` names, where the data have none: a file or a frame.",
)
