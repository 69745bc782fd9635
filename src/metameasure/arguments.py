"""Messages for two readers. They are written for the command line; in Python the options in them are arguments.

choose --missing drop            ->  choose missing='drop'
set --item-column pair_ID        ->  set columns={'item': 'pair_ID'}
"""

from __future__ import annotations

import re

# What may follow an option as its value: something in quotes, a placeholder, a range, numbers, a list, a measure, or a word that
# some option offers as a choice. Any other word goes on with the sentence.
_CHOICES = (
    "worst|chance|drop-topics|drop-runs|drop|zero|last|ignore|pooled|topics|bootstrap|bayes|stepwise|tukey|classical|permutation|holm|bh|"
    "maxt|none|higher|lower|ordinal|nominal|interval|trec_eval|rankeval|classification|quantification|entailment|ranking|linear|"
    "exponential|expected|ranks|scores|skip|json|csv|tsv|latex|markdown|html|half|tag|semeval|evall|[A-Z]"
)
_VALUE = (
    rf"'[^']*'|\"[^\"]*\"|-?\d+\.\.-?\d+|\.?\d[\d.]*(?:,[\d.]+)*|[\w.-]+(?:[,:@=|][\w.@-]+)+|\w+_\w+|[A-Z]{{2,}}|(?:{_CHOICES})\b"
)
_OPTION = re.compile(rf"(?<![\w-])(?P<written>evaluate )?--(?P<name>[a-z][a-z-]*[a-z])(?: (?P<value>{_VALUE})(?![\w'-]))?")
_NUMBER = re.compile(r"\d*\.?\d+")
_PLACEHOLDERS = ("FILE", "A", "D", "K", "N", "X")
# Options that go by another name in Python, are yes or no, or are a method there.
_NAMES = {"plugin": "registry"}
_FLAGS = ("baselines", "by-source", "ci", "counts", "groups", "normalise", "ranks", "skip-broken", "unpaired")
_METHODS = {"format": "render", "scores": "save", "chart": "chart"}
_COLUMN = "-column"
_ROLES = {"class": "category"}


def as_arguments(text: str) -> str:
    """The text with every option of the command line in it as the argument, or the method, that it is in Python."""
    return _OPTION.sub(_argument, text)


def _argument(match: re.Match[str]) -> str:
    name, value = match["name"], match["value"]
    if name in _METHODS:
        return f".{_METHODS[name]}({_literal(value) if value else '...'})"
    before = match["written"] or ""
    if name.endswith(_COLUMN):
        role = name.removesuffix(_COLUMN).replace("-", "_")
        return f"{before}columns={{'{_ROLES.get(role, role)}': {_literal(value) if value else '...'}}}"
    if name in _FLAGS or name.removeprefix("no-") in _FLAGS:
        return f"{before}{name.removeprefix('no-').replace('-', '_')}={name in _FLAGS}" + (f" {value}" if value else "")
    argument = _NAMES.get(name, name).replace("-", "_")
    return before + (f"{argument}={_literal(value)}" if value else argument)


def _literal(value: str) -> str:
    """Numbers and placeholders as they are, a list of numbers in brackets, anything else as text."""
    if value[0] in "'\"" or value in _PLACEHOLDERS or _NUMBER.fullmatch(value):
        return value
    if all(_NUMBER.fullmatch(part) for part in value.split(",")):
        return f"[{value.replace(',', ', ')}]"
    return f"'{value}'"
