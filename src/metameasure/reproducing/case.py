"""What the call was that made a result, by its signature: which function, of which data, with which arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.core.options import Option, declared_in, numbers
from metameasure.core.signature import Signature, unquoted
from metameasure.reading.numbers import distances_between
from metameasure.reproducing.result import command_of
from metameasure.tasks.declaration import declaration
from metameasure.tasks.gold_or_scores import what_is
from metameasure.tasks.option_groups import CorrectScoresOptions, GateOptions, RankOptions, ReproduceOptions
from metameasure.tasks.rating_options import AgreeOptions

# What a signature says of how a task reads and counts; of what kind each is, its declaration says.
_READ = (
    *("missing", "extra", "kind", "compat", "gain", "ties", "rank_weights", "human_scores", "systems", "score_files"),
    *("language_pairs", "references", "metrics", "smooth", "tie_epsilon", "gold_tie_epsilon", "counts", "normalise", "balance"),
)
# The same of the other arguments of the functions.
_ARGUMENTS = frozenset({
    "average", "undefined", "units", "correction_across", "baselines", "interval", "level", "seed", "possible_ranks",
    "draw_by", "undecided", "baseline", "candidate", "each_topic", "across", "groups", "skip_broken", "test", "correction",
    "trials", "alpha", "against", "incomplete", "simultaneous", "difference", "power", "width", "unpaired", "margin",
    "epsilon", "alignment", "minimum", "majority_ties", "task", "splits", "sampled", "aggregate", "strata_column", "size",
    "threshold", "correlation",
})  # fmt: skip
_SAMPLED = {"topics": "topics", "items": "items", "clusters": "items"}
"""What is asked for where a test resampled these."""
_EVALUATED = ("average", "undefined", "units", "baselines", "seed", "groups", "possible_ranks", "skip_broken", "level")
_TESTED = (
    "correction",
    "correction_across",
    "against",
    "trials",
    "seed",
    "draw_by",
    "alpha",
    "level",
    "incomplete",
    "simultaneous",
    "baselines",
    "test",
)
_RANKED = ("correction", "trials", "seed", "draw_by", "alpha", "incomplete", "baselines", "test")
_GATED = ("alpha", "undecided", "baseline", "candidate", "each_topic", "units", "incomplete", "trials", "seed")
_DESIGNED = ("difference", "power", "alpha", "width", "unpaired", "incomplete", "baselines", "trials", "seed")
_OF_DATA = ("average", "skip_broken")
"""What is said of data, and not of scores, besides how they are read."""
_JUDGED = ("skip_broken", "majority_ties", "margin", "epsilon", "alignment", "minimum", "alpha", "level", "trials", "seed")
_REPORTED = ("average", "undefined", "baselines", "interval", "level", "trials", "alpha", "seed", "skip_broken", "simultaneous")


@dataclass(frozen=True)
class Case:
    """A signature, the data, and what else a user says of them."""

    given: Signature
    gold: Any
    runs: Any
    registry: Any
    distances: Any
    how: Mapping[str, Any]

    def again(self) -> Signature:
        """The signature of the result made again."""
        command = command_of(self.given)
        if command not in ("axioms", "study") and self.gold is None:
            raise UsageError("there are no data to make it again from", hint="name gold and the runs, or the scores")
        made = self._asked(command) if command.startswith("meta.") else AGAIN[command](self)
        signature: Signature = made.signature
        return signature

    @property
    def task(self) -> str:
        """Signatures of 0.2 and of scores may lack it."""
        return str(self.how.get("task") or self.given.of("task") or "classification")

    @property
    def better(self) -> Any:
        """Which scores are better, where the signature says so."""
        return self.given.of("better") or None

    def reading(self) -> dict[str, Any]:
        """How gold and runs are read and counted: as the signature says, and as the user does."""
        declared = declaration(self.task)
        settings = {name: as_argument(_declared()[name].type, self.given[name]) for name in _READ if name in self.given}
        settings = {name: value for name, value in settings.items() if declared.knows(name) and value != "error"}
        settings |= self._classes()
        if bins := self.given.of("bins"):
            settings["bins"] = tuple(as_argument(float, one) for one in bins)
        if partitions := self.given.get("partitions"):
            number, _, seed = partitions.partition("/seed:")
            settings |= {"partitions": as_argument(int, number), "seed": as_argument(int, seed or "0")}
        if self.given.of("averaged") == "by source":
            settings["by_source"] = True
        if what_is(self.gold, self.runs) == "evidence":  # it has been read
            settings = {name: value for name, value in settings.items() if name in declared.names_of_scoring()}
        return {**settings, **{name: value for name, value in self.how.items() if name not in _ARGUMENTS}}

    def _classes(self) -> dict[str, Any]:
        """The classes; their roles, where those are what declares them."""
        classes = self.given.of("classes")
        if not classes or (len(classes) == 1 and "classes" in self.how):  # 0.1 said how many there are
            return {}
        if isinstance(classes, dict):
            return {"classes": {name: as_argument(float, value) for name, value in classes.items()}, "kind": None}
        return {"classes": list(classes), **declaration(self.task).options.declaring(classes)}

    def arguments(self, names: Sequence[str], own: Iterable[Option] = ()) -> dict[str, Any]:
        """Arguments of a function, as the signature has them, or the user; ``own`` are declared by a question about measures."""
        known = _declared() | {one.passed_as: one for one in own}
        held = {name: as_argument(known[name].type, self.given[name]) for name in names if name in self.given}
        return {**held, **{name: self.how[name] for name in names if name in self.how}}

    def measures(self) -> list[str] | None:
        """The measures; None where the signature says nothing of them."""
        chosen = self.how.get("measures") or self.given.of("measures")
        return list(chosen) if chosen and not isinstance(chosen, str) else chosen or None

    def distance(self) -> Any:
        """The distances, from a file or as they are given."""
        if not isinstance(self.distances, str | Path):
            return self.distances
        classes = self._classes().get("classes") or self.how.get("classes")
        return distances_between(self.distances, classes, self.given.of("kind"))

    def scores(self) -> Any:
        """What a question about scores is asked of: the scores named, or those of gold and runs."""
        if "task" not in self.given:
            if self.runs and "data" not in self.given:
                raise UsageError("it was made of scores, not of gold and runs", hint="name the file of scores alone")
            return [self.gold, *self.runs] if self.runs and isinstance(self.runs, list | tuple) else self.gold
        return self.evaluated()

    def evaluated(self) -> Any:
        """The scores of gold and runs."""
        from metameasure.evaluating.evaluate import evaluate  # noqa: PLC0415 - engines load when there is something to do

        interval = {"ci": True, "interval": self.given["interval"]} if "interval" in self.given else {}
        chosen: dict[str, Any] = {**self.arguments(_EVALUATED), **interval, **self._draws(), "measures": self.measures()}
        chosen |= {"task": self.task, "registry": self.registry, "distance": self.distance()}
        return evaluate(self.gold, self.runs, **{**self.reading(), **chosen})

    def compared(self) -> Any:
        """A comparison: of scores, or of gold and runs."""
        from metameasure.comparing.compare import compare  # noqa: PLC0415

        return self._tested(compare, _TESTED)

    def ranked(self) -> Any:
        """Possible ranks."""
        from metameasure.comparing.ranks import ranks  # noqa: PLC0415

        if self.given.get("format_in") == "battles":
            judge: dict[str, Any] = {"columns": {"judge": self.given.of("judge")}} if "judge" in self.given else {}
            return ranks(self.gold, format_in="battles", **judge, **self.arguments(["alpha", "trials", "seed"]))
        if "across" in self.given:
            asked: dict[str, Any] = self.arguments(["across", "alpha", "trials", "seed", "incomplete"])
            asked |= {"better": self.better, "registry": self.registry}
            return ranks(self.gold, self.runs or None, self.measures() if any(self.measures() or ()) else None, **asked)
        # Where both units were taken, neither was chosen; then test and correction follow from them.
        names = _RANKED if "units" in self.given else [name for name in _RANKED if name not in ("test", "correction")]
        return self._tested(ranks, names)

    def gated(self) -> Any:
        """A gate: of scores, or of gold and runs."""
        from metameasure.comparing.gate import gate  # noqa: PLC0415

        asked: dict[str, Any] = {**self.arguments(_GATED), "registry": self.registry, "measures": self.measures()}
        held = self.given.of("margin")
        asked["margin"] = (
            {name: as_argument(float, one) for name, one in held.items()} if isinstance(held, dict) else as_argument(float, held)
        )
        if "task" in self.given:
            asked = {"task": self.task, "distance": self.distance(), **self.arguments(_OF_DATA), **self.reading(), **asked}
        lone = isinstance(self.runs, list | tuple) and len(self.runs) <= 1
        return gate(self.gold, next(iter(self.runs), None) if lone else self.runs, **{"better": self.better, **asked})

    def _tested(self, call: Callable[..., Any], names: Sequence[str]) -> Any:
        """What a function that tests finds in scores, or in gold and runs."""
        tests: dict[str, Any] = {**self.arguments(names), "registry": self.registry, "better": self.better}
        tests |= {"leave_out": list(self.given.of("leave_out") or ())}
        if self.given.get("units") in _SAMPLED:
            tests["units"] = _SAMPLED[self.given["units"]]
        if weights := self.given.of("weights"):
            tests["weights"] = numbers(weights)
        measures = self.measures()
        wanted = measures[0] if measures and len(measures) == 1 else measures
        if "task" not in self.given or "undefined" in self.given:
            scores = self.scores()
            return call(_read_scores(scores), wanted, **tests)
        more: dict[str, Any] = {"task": self.task, "distance": self.distance(), **self.arguments(_OF_DATA)}
        return call(self.gold, self.runs, wanted, **{**self.reading(), **tests, **more})

    def _asked(self, command: str) -> Any:
        """The answer to a question about measures."""
        from metameasure.meta.question import questions  # noqa: PLC0415

        known = {question.id: question for question in questions()}
        id = command.removeprefix("meta.")
        if id not in known:
            raise UsageError(f"there is no question '{id}'", hint=did_you_mean(id, known) or f"there are {listed([*known])}")
        names = [option.passed_as for option in known[id].options if option.passed_as in _ARGUMENTS]
        options = self.arguments([*names, "incomplete", "baselines"], known[id].options)
        lists = {"selected": "runs", "leave_out": "leave_out", "reference": "reference"}
        options |= {lists[name]: list(self.given.of(name)) for name in lists if name in self.given}
        options |= {"pairs": ",".join(self.given.of("pairs"))} if "pairs" in self.given else {}
        options |= {"better": self.better, "measures": self.measures(), "registry": self.registry}
        return known[id].answer(self.scores(), **{name: value for name, value in options.items() if value is not None})

    def tabled(self) -> Any:
        """Tables of runs."""
        from metameasure.evaluating.tables import table  # noqa: PLC0415

        return table(self.gold, self.runs, task=self.task, **self.reading(), **self.arguments(["skip_broken"]))

    def explained(self) -> Any:
        """The items behind a difference."""
        from metameasure.evaluating.explain import explain  # noqa: PLC0415
        from metameasure.reading.inputs import listed as listed_runs  # noqa: PLC0415

        measure, *_ = self.given.of("measures") or (None,)
        chosen = {"measure": measure, "average": self.given.get("average"), "registry": self.registry, "distance": self.distances}
        return explain(self.gold, *listed_runs(self.runs), task=self.task, **{**self.reading(), **chosen})

    def checked(self) -> Any:
        """A check of the data."""
        from metameasure.evaluating.check import check  # noqa: PLC0415

        return check(self.gold, self.runs, task=self.task, **self.reading())

    def advised(self) -> Any:
        """Advice on measures."""
        from metameasure.advice.advising import advise  # noqa: PLC0415

        chosen: dict[str, Any] = {"registry": self.registry, **self.arguments(["seed"])}
        if "task" not in self.given or "undefined" in self.given:
            return advise(_read_scores(self.scores()), **chosen)
        chosen |= {"no_distances": "no_distances" in self.given, **self.arguments(["skip_broken"])}
        return advise(self.gold, self.runs, task=self.task, **{**self.reading(), **chosen})

    def designed(self) -> Any:
        """A plan of topics."""
        from metameasure.advice.design import design  # noqa: PLC0415

        field: dict[str, Any] = {"runs": as_argument(int, self.given["field"])} if "field" in self.given else {}
        return design(self.scores(), self.measures(), registry=self.registry, **self.arguments(_DESIGNED), **field)

    def agreed(self) -> Any:
        """The agreement of annotators."""
        from metameasure.judging.agree import agree  # noqa: PLC0415

        asked = self.arguments(["interval", "level", "seed", "aggregate"])
        chosen: dict[str, Any] = {**asked, **self._draws(), "measures": self.measures()}
        return agree(self.gold, **{**self._ratings(), **chosen}, distance=self.distance(), registry=self.registry)

    def judged(self) -> Any:
        """A trial of judges."""
        from metameasure.judging.call import judge  # noqa: PLC0415

        chosen: dict[str, Any] = {**self.arguments(_JUDGED), "measures": self.measures()}
        chosen |= {"gold": self.given.of("gold_from") or "each", "among": self.given.of("judges") or ()}
        return judge(self.gold, self.runs, **{**self._ratings(), **chosen}, distance=self.distance(), registry=self.registry)

    def labels_designed(self) -> Any:
        """A plan of labels."""
        from metameasure.advice.labels import label_design  # noqa: PLC0415

        return label_design(self.gold, **self.arguments(["width"]))

    def corrected(self) -> Any:
        """Labels of people and of judges."""
        from metameasure.judging.correcting import correct  # noqa: PLC0415

        return correct(self.gold, self.runs, **{**self._ratings(), **self._correction()}, among=self.given.of("judges") or ())

    def corrected_scores(self) -> Any:
        """Scores of runs by people's labels and a judge's."""
        from metameasure.judging.correcting import correct_scores  # noqa: PLC0415

        reading = self.reading()
        judge = reading.pop("judge_labels", None)
        if judge is None:
            raise UsageError("it was made with a judge's labels", hint=say("add {--judge-labels FILE}"))
        chosen: dict[str, Any] = {**self._correction(), "measures": self.measures(), "registry": self.registry}
        return correct_scores(self.gold, self.runs, judge, **{**reading, **chosen}, distance=self.distance())

    def _correction(self) -> dict[str, Any]:
        """How the items were chosen that people labelled, and what is drawn."""
        return {**self.arguments(["sampled", "strata_column", "level", "seed"]), **self._draws()}

    def _draws(self) -> dict[str, Any]:
        """How many draws intervals are made of, where the signature says so."""
        return {"trials": as_argument(int, self.given["draws"])} if "draws" in self.given else {}

    def _ratings(self) -> dict[str, Any]:
        """How ratings are read."""
        classes = {"kind": self.given.of("kind"), **self._classes()}
        shape = {name: True for name in ("counts", "table") if self.given.get(name) == "yes"}
        return {**classes, **shape, **{name: value for name, value in self.how.items() if name not in _ARGUMENTS}}

    def searched(self) -> Any:
        """A search for properties of measures."""
        from metameasure.properties.search import axioms  # noqa: PLC0415

        chosen: dict[str, Any] = {**self.arguments(["task", "trials", "seed"]), "registry": self.registry}
        chosen["classes"] = self._classes().get("classes")  # without roles or a kind, which properties know nothing of
        properties = list(self.given.of("properties") or ()) or None
        return axioms(self.measures(), properties=properties, distance=self.distance(), **chosen)

    def differed(self) -> Any:
        """The difference between two runs."""
        from metameasure.comparing.compare import difference  # noqa: PLC0415

        chosen: dict[str, Any] = {**self.arguments(["level", "trials", "seed"]), "registry": self.registry, "task": self.task}
        runs = (unquoted(self.given["first"]), unquoted(self.given["second"]))
        (measure,) = self.measures() or [""]
        again: Any = difference
        return again(self.gold, self.runs, measure, *runs, distance=self.distance(), **{**self.reading(), **chosen})

    def studied(self) -> Any:
        """Published values, and ours."""
        from metameasure.studies.study import study  # noqa: PLC0415

        return study(list(self.given.of("studies") or ()), data=self.gold, **self.arguments(["seed"]))

    def reported(self) -> Any:
        """A page."""
        from metameasure.page.report import report  # noqa: PLC0415

        chosen: dict[str, Any] = {"better": self.better, "registry": self.registry}
        if "task" not in self.given or "interval" not in self.given:
            return report(self.scores(), **self.arguments(["trials", "alpha", "seed"]), **chosen)
        chosen |= {"task": self.task, "measures": self.measures(), "distance": self.distance(), **self.arguments(_REPORTED)}
        return report(self.gold, self.runs, None, **{**self.reading(), **chosen})


AGAIN: dict[str, Callable[[Case], Any]] = {
    "evaluate": Case.evaluated,
    "compare": Case.compared,
    "ranks": Case.ranked,
    "gate": Case.gated,
    "table": Case.tabled,
    "explain": Case.explained,
    "check": Case.checked,
    "advise": Case.advised,
    "design": Case.designed,
    "agree": Case.agreed,
    "judge": Case.judged,
    "correct": Case.corrected,
    "label_design": Case.labels_designed,
    "correct_scores": Case.corrected_scores,
    "axioms": Case.searched,
    "report": Case.reported,
    "difference": Case.differed,
    "study": Case.studied,
}


@cache
def _declared() -> dict[str, Option]:
    """The options of all functions whose results are made again."""
    groups = (CorrectScoresOptions, AgreeOptions, GateOptions, RankOptions, ReproduceOptions)
    return {name: one for group in groups for name, one in declared_in(group).items()}


def as_argument(read: Callable[[str], Any], text: str) -> Any:
    """A part as an argument. UsageError where it is none, as in a signature that somebody has changed."""
    try:
        return text == "yes" if read is bool else read(unquoted(text))
    except ValueError:
        raise UsageError(f"'{text}' in the signature is not a number", hint="copy the signature as it was printed") from None


def _read_scores(scores: Any) -> Any:
    from metameasure.scores.files import read_scores  # noqa: PLC0415

    return read_scores(scores) if isinstance(scores, str | Path) else scores
