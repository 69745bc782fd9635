"""What measures are asked: the list of all of them is grouped by these. What a kind of data is usually asked stands with its
inputs, and what a measure is asked instead with the measure (``asks=``)."""

from __future__ import annotations

# Of labels
MOST_RIGHT = "Which system labels most items right?"
EACH_CLASS = "Which system finds each class, rare ones too?"
CLOSEST = "Whose labels are closest to gold's, where classes have an order?"
BEYOND_CHANCE = "Which system agrees with gold more than chance would?"
SAME_ORDER = "Which system puts items in the order of gold?"
INFORMATION = "How much do a system's labels tell of gold?"
TOGETHER = "Which system puts together what belongs together?"
SUREST = "Which system is surest where it is right?"

# Of sets of labels
CLOSEST_SETS = "Whose sets of labels are closest to gold's?"

# Of shares of classes
SHARES = "Whose shares of the classes are closest to the true ones?"
SHARES_IN_ORDER = "Whose shares are closest, where classes have an order?"

# Of probabilities
PROBABLE = "Which system gives the class that is right a high probability?"
IN_ORDER_OF_PROBABILITY = "Which system gives items of a class a higher probability than others?"
CALIBRATED = "Can probabilities be taken at their word?"

# Of rankings
RELEVANT_FIRST = "Which system ranks relevant documents first?"
HOW_COMPLETE = "How much is judged, and how far can scores be trusted?"
AS_PEOPLE = "Which system ranks a segment's items as people do?"

# Of people, and of scores that somebody else computed
ANNOTATORS = "How well do annotators agree?"
AS_ANNOTATORS = "Which judge is closest to the annotators?"
HIGHER = "Which system scores higher?"

OTHERS = "What else can be measured?"
