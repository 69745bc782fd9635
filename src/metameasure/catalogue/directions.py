"""Which scores are better by measures of other programs, as far as their names tell. No other file guesses from a name.

A name is taken apart into words: ``prompt_level_strict_acc`` is an accuracy, ``word_perplexity`` a perplexity. Words that say
opposite things, and counts of something (``num_perplexity_tokens``), tell nothing."""

from __future__ import annotations

import re

from metameasure.core.choices import Better


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_HIGHER = _words("""
    acc accuracy agreement answer auc auprc auroc bertscore bleu bleurt chrf comet correct correctness credit em exact f1 f2
    fscore gain gleu grade hit hits includes iou kappa likelihood ll loglikelihood logprob map mark match matches matthews
    mcc mean meteor mrr ndcg pass passed passes pearson points precision preference quality rating recall resolved reward
    right rouge sacrebleu sari score similarity solved spearman success successes win wins winrate
    """)
_LOWER = _words("""
    bpb brier cer cost distance ece edits entropy err error errors failure failures hallucination hallucinations latency loss
    losses mae mer mistakes mse nll perplexity ppl regret rmse runtime seconds ter toxicity violations wer
    """)
_COUNTED = _words("batch bytes count length n num number size tokens total train words")
_WORD = re.compile(r"[a-z]+[0-9]*|[0-9]+")


def usual_direction(name: str) -> Better | None:
    """Which scores are usually better by a measure of that name; None where the name does not tell.

    >>> usual_direction("exact_match"), usual_direction("word_perplexity"), usual_direction("sentiment")
    ('higher', 'lower', None)
    """
    written = f"{name} {re.sub(r'(?<=[a-z])(?=[A-Z])', ' ', name)}".lower()
    words = {word for part in _WORD.findall(written) for word in (part, _stem(part))}
    if words & _COUNTED or "bits" in words:
        return "lower" if {"bits", "per"} <= words else None
    higher, lower = bool(words & _HIGHER), bool(words & _LOWER)
    return None if higher == lower else "higher" if higher else "lower"


def _stem(word: str) -> str:
    """A word without the number that it ends in, as of ``rouge2``, and without the letter of ROUGE's kinds."""
    return "rouge" if word.startswith("rouge") else word.rstrip("0123456789") or word
