"""What a question says about itself: the command, the documentation and the list of questions are made of it.

A question is a file in this folder with a ``QUESTION`` in it and a function named like its id, which takes scores and options
and returns a ``Finding``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, wraps
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from metameasure import meta
from metameasure.catalogue.sources import Citation
from metameasure.core.choices import Better
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.options import Option, as_declared, check_known, settled, type_in_words
from metameasure.core.shared_options import (
    ALPHA,
    BASELINES,
    BETTER,
    DRAW_BY,
    INCOMPLETE,
    LEVEL,
    MEASURES,
    PLUGIN,
    RESUME,
    SEED,
    THREADS,
    TRIALS,
    VALIDITY,
)
from metameasure.core.shared_options import (
    TEST as TEST_OF_RUNS,
)
from metameasure.meta.data import Names, Selection
from metameasure.meta.finding import USUAL_TEST


def directions(text: str) -> Any:
    """higher, lower, or bleu=higher,ter=lower."""
    if text in get_args(Better):
        return text
    by_measure = {name.strip(): better.strip() for name, _, better in (part.rpartition("=") for part in text.split(","))}
    if not all(name and better in get_args(Better) for name, better in by_measure.items()):
        raise UsageError(
            say("{--better} is '{text}'", text=text), hint="higher or lower; or one each, as in bleu=higher,ter=lower"
        )
    return by_measure


@dataclass(frozen=True)
class Question:
    """A question about measures: what it asks and why, how it is answered, where that comes from, how to read the answer."""

    module: str
    id: str
    title: str
    asks: str
    why: str
    formula: str
    read: str
    source: tuple[Citation, ...]
    several: str
    options: tuple[Option, ...] = ()
    place: int = 50
    """Its place where questions are listed."""
    taken: tuple[tuple[str, str], ...] = ()
    """What its function takes besides the scores and the options: the names with their type, and what it is."""
    call: str = ""
    """What its function is given besides the scores, as in ``, "run a", "run b"``."""
    name: str = ""
    """What the command line calls it, where that is not its id."""

    @property
    def command(self) -> str:
        """What the command line calls it."""
        return self.name or self.id

    @property
    def answer(self) -> Callable[..., Any]:
        """The function that answers it, with its whole signature and documentation."""
        return _answer(self, getattr(sys.modules[self.module], self.id))

    @cached_property
    def declared(self) -> dict[str, Option]:
        """The declarations of its options, by argument; a file that the answer writes is none."""
        return {option.passed_as: option for option in (LEVEL, *SELECTION, *self.options) if not option.writes}

    def documented(self, function: Callable[..., Any]) -> str:
        """The documentation of the function: its own sentences, and what the question says of itself."""
        known, taken = vars(sys.modules[self.module]), self.signature(function).parameters.values()
        asked = [one for one in taken if one.kind is one.KEYWORD_ONLY and one.name in self.declared]
        options = [
            f"{one.name} : {type_in_words(_written_out(one.annotation, known), one.default, declared)}\n"
            f"{_indented(declared.doc or declared.help)}"
            for one in asked
            for declared in [self.declared[one.name]]
        ]
        answer = inspect.signature(function).return_annotation
        return "\n".join([
            inspect.getdoc(function) or self.asks, "", f"{self.asks} {self.why}", "",
            "Parameters", "----------",
            "scores : Scores, path, list or dict",
            _indented("The scores of one data set, or of several in a list or by name."),
            *(f"{name}\n{_indented(what)}" for name, what in self.taken),
            *options, "",
            "Returns", "-------", str(answer), _indented(f"The answer. Of several data sets: {self.several}."), "",
            "Raises", "------",
            "UsageError", _indented("If an option makes no sense, or there are no such measures or runs."),
            "DataError", _indented("If scores are missing and ``incomplete`` does not say what to do."), "",
            "Notes", "-----", "::", "", textwrap.indent(self.formula, "    "), "", textwrap.fill(self.read, 118), "",
            "References", "----------", *map(str, self.source), "",
            "Examples", "--------",
            ">>> import numpy as np",
            ">>> import metameasure as mm",
            ">>> values = np.random.default_rng(0).random((2, 12, 3))",
            ">>> kappa, accuracy = (",
            '...     mm.ScoreMatrix(id, tuple("abcdefghijkl"), ("run a", "run b", "run c"), one)',
            '...     for id, one in zip(("kappa", "accuracy"), values, strict=True)',
            "... )",
            f">>> sorted(mm.meta.{self.id}([kappa, accuracy]{self.call}).measures)",
            "['accuracy', 'kappa']", "",
        ])  # fmt: skip

    def takes(self, name: str) -> bool:
        """Whether it takes an option that selects scores; those that not all questions have are among its own."""
        return name not in ONLY_OF_SOME or ONLY_OF_SOME[name] in self.options

    def signature(self, function: Callable[..., Any]) -> inspect.Signature:
        """What the function takes, every option that ``**selection`` stands for by its name."""
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        if len(own) == len(signature.parameters):
            return signature
        kind = inspect.Parameter.KEYWORD_ONLY
        usual = {"baselines": False, "validity": False}
        more = [
            inspect.Parameter(name, kind, default=usual.get(name), annotation=getattr(type, "__forward_arg__", type))
            for name, type in Selection.__annotations__.items()
            if name not in signature.parameters and self.takes(name)
        ]
        return signature.replace(parameters=[*own, *more])

    def default(self, option: Option) -> Any:
        """What an option is unless it is given."""
        known = inspect.signature(self.answer).parameters
        return known[option.passed_as].default if option.passed_as in known else None  # or it selects scores, or writes a file


@cache
def _answer(question: Question, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function that answers the question, given values that its options can have."""
    signature = question.signature(function)
    usual = {name: one.default for name, one in signature.parameters.items()}
    types = {name: str(one.annotation) for name, one in signature.parameters.items()}

    @wraps(function)
    def answer(*data: Any, **options: Any) -> Any:
        check_known(options, {**usual, **ONLY_OF_SOME})
        if options.get("validity") and not question.takes("validity"):
            raise UsageError(say("{--validity} is not for this question"), hint="leave it out")
        given = settled(question.declared, usual, options, types)
        signature.bind(*data, **{name: given[name] for name in usual.keys() & given})  # TypeError where there are no scores
        return function(*as_declared(signature.parameters.values(), data), **given)

    del answer.__wrapped__  # whose signature is not whole
    answer.__module__ = meta.__name__  # where it is found, as by a worker process that it is sent to
    answer.__doc__, answer.__signature__ = question.documented(function), signature  # type: ignore[attr-defined]
    return answer


def _written_out(annotation: Any, known: Mapping[str, Any]) -> str:
    """A type without names that stand for others. Where annotations are not postponed they are types; there may be none."""
    if annotation is inspect.Parameter.empty:
        return "Any"
    if not isinstance(annotation, str):
        return _meaning(annotation, inspect.formatannotation(annotation))
    names = {"Names": Names, "Better": Better, **known}
    return re.sub(r"\w+", lambda word: _meaning(names.get(word.group()), word.group()), annotation)


def _meaning(type: Any, word: str) -> str:
    """What a type is, where its name is another's."""
    parts = get_args(type)
    if get_origin(type) is Literal:
        return f"{{{', '.join(map(repr, parts))}}}"
    if get_origin(type) in (Union, UnionType):
        return " | ".join(_meaning(one, inspect.formatannotation(one)) for one in parts if one is not NoneType)
    return word.removeprefix("collections.abc.")


def _indented(text: str) -> str:
    return textwrap.fill(text, 118, initial_indent="    ", subsequent_indent="    ")


def questions() -> list[Question]:
    """All questions, in the order of reading."""
    names = [module_info.name for module_info in pkgutil.iter_modules(meta.__path__, f"{meta.__name__}.")]
    modules = [sys.modules.get(name) or importlib.import_module(name) for name in names]
    return sorted((module.QUESTION for module in modules if hasattr(module, "QUESTION")), key=lambda one: (one.place, one.id))


# The options that every question has: which scores it is about.
SELECTION = (
    replace(MEASURES, help="Which measures (default: all that every data set has)."),
    Option("runs", "Which runs; patterns such as 'BL-*' too (default: all).", metavar="A,B"),
    replace(BASELINES, help="Keep the baselines among the runs (default: leave them out).", negated=False),
    INCOMPLETE,
    replace(
        BETTER,
        help="Which scores are better, for unknown measures; for several, as in bleu=higher,ter=lower.",
        choices=(),
        metavar="higher|lower",
        type=directions,
        doc="Which scores are better, for unknown measures: ``higher`` or ``lower``, or a word for each measure.",
    ),
    replace(PLUGIN, argument="registry"),
    RESUME,
)
TEST = replace(
    TEST_OF_RUNS,
    help=f"The test of differences between runs (default: {USUAL_TEST}).",
    doc="",
)
LEAVE_OUT = Option(
    "leave-out",
    "Answer once more without these runs, as in 'maj*'. May be repeated.",
    metavar="PATTERN",
    repeated=True,
    doc="Answer once more without the runs of this name or pattern, as in ``'maj*'``; of several, without those of each in turn.",
)
ONLY_OF_SOME = {"leave_out": LEAVE_OUT, "validity": VALIDITY}
"""Those that select scores, and that not all questions have."""
TEST_OPTIONS = (ALPHA, TRIALS, SEED, THREADS)
RUN_TEST_OPTIONS = (*TEST_OPTIONS, TEST, DRAW_BY)
