"""The call: a result made again from its signature and its data, beside what its signature says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import hexdigits
from typing import Any

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.core.options import with_options
from metameasure.core.signature import DATA, PAIRS, USUAL, Signature
from metameasure.reproducing.case import AGAIN, Case, as_argument
from metameasure.reproducing.result import Compared, Reproduction, Verdict, command_of
from metameasure.tasks.base import task_on_evidence
from metameasure.tasks.gold_or_scores import what_is
from metameasure.tasks.option_groups import ReproduceOptions

_CHECKSUMS = ("counts", "distributions", "rankings")
"""What signatures of 0.2 call the checksum of all data."""


@with_options(ReproduceOptions)
def reproduce(asked: ReproduceOptions, signature: str | Signature, gold: Any = None, runs: Any = None) -> Reproduction:
    """Compute a result again from its signature and its data, and say what is the same and what differs.

    Measures, classes and settings come from the signature. Say only what it does not hold: the names of columns, a format,
    ``distance``, ``training``. An option that the signature has too replaces it, and is reported as another setting.

    Parameters
    ----------
    signature : str or Signature
        That of any result.
    gold, runs : path, data frame, array or dict, optional
        What the result was made of: gold and runs, ratings and judges, or scores.

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
    given = signature if isinstance(signature, Signature) else Signature.parse(signature)
    how = asked.how()
    _check(given, asked.registry, asked.distance, how)
    case = Case(given, gold, runs, asked.registry, asked.distance, how)
    here = case.again()
    return Reproduction(given, here, tuple(_data(given, here, case)), tuple(_settings(given, here)), tuple(_numbers(given, here)))


def _check(given: Signature, registry: Any, distance: Any, how: Mapping[str, Any]) -> None:
    """UsageError for a signature that nothing can be compared with, or that needs what was not given."""
    if not given.get("version"):
        raise UsageError("the signature is not whole: it ends before the version", hint="copy all of it")
    compared = [name for name in (*DATA, "digest", "numbers") if given.get(name)]
    compared += [name for name, value in given.items() if _is_checksum(name, value)]
    if not compared:
        raise UsageError(
            "the signature holds no digest of data or numbers, so that nothing can be compared", hint="copy all of it"
        )
    command = command_of(given)
    if command not in AGAIN and not command.startswith("meta."):
        raise UsageError(f"there is no result '{command}' to make again", hint=did_you_mean(command, AGAIN) or "check it")
    if "plugin" in given and registry is None:
        raise UsageError(f"it was made with measures of {listed([*given.of('plugin')], 'and')}", hint=say("add {--plugin FILE}"))
    if "distance" in given and distance is None:
        raise UsageError("it was made with distances between the classes", hint=say("add {--distance FILE}"))
    for name, hint in (("training", "add {--training FILE}"), ("rank_weights", "add {--rank-weights FILE}")):
        named = given.get(name, "")
        if named and not how.get(name) and (name == "training" or ":" in named or named == "given"):
            raise UsageError(f"it was made with {name.replace('_', ' ')} of a file", hint=say(hint))


def _data(given: Signature, here: Signature, case: Case) -> list[Compared]:
    """Digests then and now. A run that differs where gold does may be the same: it is counted against gold."""
    found = [_compared(name, "", given[name], here.get(name)) for name in ("gold", "judge", "items", "topics") if name in given]
    unlike_gold = any(one.what == "gold" and one.verdict == "differs" for one in found)
    for name in (name for name in DATA if name in PAIRS and name in given):
        then, now = given.of(name), here.of(name) or {}
        for one in [*then, *(key for key in now if key not in then)]:
            compared = _compared(name, one, then.get(one), now.get(one))
            unknown = unlike_gold and compared.verdict == "differs"
            found.append(replace(compared, verdict="unknown") if unknown else compared)
    if any(one.verdict != "same" for one in found if one.what in ("gold", "runs")):
        found = [replace(one, verdict="unknown") if one.what == "items" else one for one in found]
    if "digest" in given:
        found.append(_compared("digest", "", given["digest"], here.short().get("digest")))
    found += [_compared(name, "", value, case_checksum(case)) for name, value in given.items() if _is_checksum(name, value)]
    return [one for one in found if one.what != "topics" or one.verdict != "same"] if len(found) > 1 else found


def _is_checksum(name: str, value: str) -> bool:
    """Whether a part is the checksum of all evidence, as in signatures of 0.2."""
    return name in _CHECKSUMS and len(value) == 12 and {*value} <= {*hexdigits}


def case_checksum(case: Case) -> str:
    """The checksum of the evidence, which signatures of 0.2 have."""
    seed = {"seed": as_argument(int, case.given.get("seed", "0"))} if what_is(case.gold, case.runs) != "evidence" else {}
    return str(task_on_evidence(case.task, case.gold, case.runs, {**seed, **case.reading()}).evidence().checksum())


def _settings(given: Signature, here: Signature) -> list[Compared]:
    """Settings then and now. What an older or a short signature leaves out is what is usual."""
    others = (*DATA, "digest", "numbers", "version", "topics")
    whole = "numbers" in given
    names = [name for name in given if name not in others and not _is_checksum(name, given[name])]
    added = [name for name in here if name not in (*names, *others)]
    names += [name for name in added if whole or USUAL.get(name, here[name]) != here[name]]
    return [_compared(name, "", *(_held(one, name) for one in (given, here))) for name in names]


def _held(signature: Signature, name: str) -> str | None:
    """A setting in the words of JSON, however it is written."""
    held = signature.of(name)
    if isinstance(held, dict) and name == "classes":
        return ", ".join(f"{key}={as_argument(float, value):g}" for key, value in held.items())
    if isinstance(held, dict):
        return ", ".join(f"{key}={value}" for key, value in held.items())
    return ", ".join(held) if isinstance(held, tuple) else held


def _numbers(given: Signature, here: Signature) -> list[Compared]:
    """Digests of numbers then and now; those that a later version has besides are not compared."""
    now = here.of("numbers") or {}
    return [_compared("numbers", name, digest, now.get(name)) for name, digest in (given.of("numbers") or {}).items()]


def _compared(what: str, name: str, then: str | None, now: str | None) -> Compared:
    verdict: Verdict = "same" if then == now else "added" if then is None else "missing" if now is None else "differs"
    return Compared(what, name, then, now, verdict)
