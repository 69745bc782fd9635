"""Tasks by name: that of Amigó et al. (2020), Section 5.3, and others with as many topics, runs and classes as real ones."""

from __future__ import annotations

from typing import Any

from metameasure.catalogue.sources import AMIGO_2020, AVRAMIDIS_2013, BERGMAIR_2009, SAKAI_2021, SAKAI_LQ_2021
from metameasure.core.scale import Scale
from metameasure.simulation.model import Shape

_FIVE = Scale.of("-2..2")
_THREE = Scale.of("negative,neutral,positive")
_SENTIMENT = ("noisy=.25,.35,.45", "rand=.3,.45", "biased=.4", "prox=.4", "maj=.5", "odisp=.6", "tdisp=.35", "copy=.03")


def _tweets(name: str, about: str, topics: int, smallest: int, largest: int, kinds: tuple[str, ...], **facts: Any) -> Shape:
    """Tweets on five classes, most of them neutral or positive, as Sakai (2021) uses them: the topics differ in size (Section
    3.1). The paper does not print the sizes; that they add up to about 20,600 in 2016 and 12,400 in 2017 is from memory."""
    return Shape(
        name=name, about=about, task="classification", scale=_FIVE, topics=topics, items=largest, smallest=smallest,
        centre=3.4, wander=0.4,
        spread=(0.6, 1.1), kinds=kinds, source=SAKAI_2021.at("Table 1"), **facts,
    )  # fmt: skip


def _distributions(name: str, about: str, topics: int, judges: int, kinds: tuple[str, ...]) -> Shape:
    """Votes over five classes that mostly lie together, on topics that lean either way."""
    return Shape(
        name=name, about=about, task="quantification", scale=_FIVE, topics=topics, judges=judges, centre=3.6, wander=0.9,
        spread=(0.7, 1.4), kinds=kinds, source=SAKAI_LQ_2021.at("Table 2"),
    )  # fmt: skip


def _partitioned(name: str, about: str, items: int, kinds: tuple[str, ...]) -> Shape:
    """Three classes without topics, to be dealt into ten test cases."""
    return Shape(
        name=name, about=about, task="classification", scale=_THREE, topics=1, items=items, shares=(0.2, 0.35, 0.45),
        kinds=kinds, source=AMIGO_2020.at("Section 5.4"),
    )  # fmt: skip


def _rates(kind: str, number: int, least: float = 0.1, most: float = 0.7) -> str:
    """So many systems of a kind, whose rates lie evenly between two."""
    step = (most - least) / max(1, number - 1)
    return f"{kind}=" + ",".join(f"{least + place * step:.3f}" for place in range(number))


SHAPES = {
    shape.name: shape
    for shape in (
        Shape(
            name="amigo",
            about="the synthetic experiment: 100 test cases of 200 items, 11 classes, 50 systems",
            task="classification",
            scale=Scale.of("1..11"),
            topics=100,
            items=200,
            centre=4.0,
            spread=(1.0, 3.0),
            kinds=("maj", "rand", "prox", "tdisp", "odisp"),
            source=AMIGO_2020.at("Section 5.3"),
        ),
        _tweets(
            "sem16t4c",
            "as SemEval-2016 Task 4 C: 100 topics of 100 to 313 tweets, 12 runs, one of them constant",
            100,
            100,
            313,
            (*_SENTIMENT, "constant=0"),
        ),
        _tweets(
            "sem17t4c",
            "as SemEval-2017 Task 4 C: 125 topics of 50 to 148 tweets, 20 runs, five of them constant",
            125,
            50,
            148,
            (*_SENTIMENT, "noisy=.55,.65", "rand=.6", "biased=.6", "constant=-2,-1,0,1,2"),
        ),
        _distributions(
            "sem16t4e",
            "as SemEval-2016 Task 4 E: 100 topics, 12 runs",
            100,
            0,
            ("noisy=.3,.4,.5,.6", "smoothed=.4,.6", "shifted=.4,.7", "biased=.5,.8,1", "constant=1"),
        ),
        _distributions(
            "sem17t4e",
            "as SemEval-2017 Task 4 E: 125 topics, 14 runs",
            125,
            0,
            ("noisy=.3,.4,.5,.6,.7", "smoothed=.4,.6", "shifted=.4,.7", "biased=.5,.7,.9,1", "constant=1"),
        ),
        _distributions(
            "stc3",
            "as STC-3's dialogue quality: 390 dialogues, 19 judges, 19 runs",
            390,
            19,
            (
                "noisy=.5,.6,.7,.8",
                "popularity=C,E",
                "uniform=C,E",
                "smoothed=.5,.7,.9",
                "shifted=.5,.8",
                "biased=.6,.8,.9,1",
                "copy=.02,.05",
            ),
        ),
        _distributions(
            "dialeval1",
            "as DialEval-1's dialogue quality: 300 dialogues, 20 judges, 22 runs",
            300,
            20,
            (
                "noisy=.5,.6,.7,.8,.9",
                "popularity=C,E",
                "uniform=C,E",
                "smoothed=.5,.7,.8,.9",
                "shifted=.5,.8",
                "biased=.6,.7,.8,.9,1",
                "copy=.02,.05",
            ),
        ),
        Shape(
            name="replab2013",
            about="as RepLab 2013: 61 companies with 1,500 tweets each, three classes; its 10 runs are our choice",
            task="classification",
            scale=_THREE,
            topics=61,
            items=1500,
            centre=2.3,
            wander=0.3,
            spread=(0.5, 0.9),
            kinds=("noisy=.3,.5", "rand=.3,.5", "maj=.3,.6", "biased=.5", "prox=.5", "constant=neutral,positive"),
            source=AMIGO_2020.at("Section 5.4"),
        ),
        _partitioned(
            "sem14t9a",
            "as SemEval-2014 Task 9 A: 2,392 items, 48 systems",
            2392,
            tuple(_rates(kind, 8) for kind in ("noisy", "rand", "maj", "biased", "prox", "odisp")),
        ),
        _partitioned(
            "sem14t9b",
            "as SemEval-2014 Task 9 B: 2,396 items, 7 systems",
            2396,
            ("noisy=.2,.4", "rand=.3", "maj=.3,.5", "biased=.3", "prox=.5"),
        ),
        _partitioned(
            "sem15t10a",
            "as SemEval-2015 Task 10 A: 1,680 items, 13 systems",
            1680,
            (*(_rates(kind, 3) for kind in ("noisy", "rand", "maj")), "biased=.2,.4", "prox=.3,.6"),
        ),
        _partitioned(
            "sem15t10b",
            "as SemEval-2015 Task 10 B: 8,985 items, 51 systems",
            8985,
            (
                *(_rates(kind, 10) for kind in ("noisy", "rand", "maj")),
                *(_rates(kind, 7) for kind in ("biased", "prox", "odisp")),
            ),
        ),
        _partitioned(
            "sem15t10c",
            "as SemEval-2015 Task 10 C: 3,097 items, 11 systems",
            3097,
            (*(_rates(kind, 3) for kind in ("noisy", "rand", "maj")), "biased=.3", "prox=.5"),
        ),
        Shape(
            name="probable",
            about="probabilities of three classes for 1,000 items, 12 systems: sure, unsure and too sure of themselves",
            task="probabilities",
            scale=_THREE,
            items=1000,
            shares=(0.2, 0.3, 0.5),
            kinds=(
                "calibrated=.5,.7,1",
                "overconfident=.5,.7,1",
                "underconfident=.5,.7",
                "biased=.7",
                "rand=.3",
                "shares",
                "uniform",
            ),
        ),
        Shape(
            name="tagged",
            about="some of eight labels, frequent and rare, for 1,000 items, 12 systems",
            task="multilabel",
            scale=Scale.of("a,b,c,d,e,f,g,h", kind="nominal"),
            items=1000,
            kinds=("noisy=.03,.06,.1", "missing=.2,.4", "extra=.05,.1", "blind=.5", "single=1", "rand=.3,.6", "nothing"),
        ),
        Shape(
            name="rte4",
            about="as RTE-4: 1,000 pairs, exactly half of them entailments, 35% unknown, 15% contradictions",
            task="entailment",
            scale=Scale.of("YES,UNKNOWN,NO", kind="nominal"),
            items=1000,
            shares=(0.5, 0.35, 0.15),
            kinds=("calibrated=.3,.4,.5", "uncalibrated=.3,.4,.5", "overconfident=.4", "unsound=.4", "constant=YES", "rand"),
            source=BERGMAIR_2009.at("Section 3.1"),
        ),
        Shape(
            name="qe78",
            about="78 experiments on rankings of five translations",
            task="ranking",
            topics=300,
            items=5,
            judges=1,
            ties=0.25,
            kinds=(
                _rates("noisy", 40, 0.3, 4),
                _rates("tied", 16, 0.05, 0.8),
                _rates("rand", 18, 0.05, 0.95),
                _rates("top", 4, 0.2, 0.95),
            ),
            source=AVRAMIDIS_2013.at("Figure 1"),
        ),
    )
}
OF_TASK = {
    "classification": "amigo",
    "quantification": "dialeval1",
    "probabilities": "probable",
    "multilabel": "tagged",
    "entailment": "rte4",
    "ranking": "qe78",
}
"""The shape that stands for its task."""
