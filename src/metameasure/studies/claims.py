"""What a paper claims about properties of measures, beside what the search finds."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from metameasure.catalogue.registry import default_registry
from metameasure.catalogue.sources import Citation
from metameasure.properties.property import properties
from metameasure.properties.search import axioms
from metameasure.studies.study import Value, need_not

TRIALS = 3000
"""How many larger cases are drawn at random where the small ones do not decide."""


def claims_of(paper: Citation, also_refuted: Collection[tuple[str, str]] = ()) -> Iterator[Value]:
    """Every claim of the paper. Those that are known to be wrong need not agree: by the erratum beside the claim, or because the
    search refutes them (measure and property in ``also_refuted``)."""
    asked = [one for one in properties() if any(claim.source.short == paper.short for claim in one.claims.values())]
    for one in asked:
        named = [measure for measure, claim in one.claims.items() if claim.source.short == paper.short]
        # Weighted kappa has no weights of its own: it is tried as linear and quadratic.
        known = [measure for measure in map(default_registry().__getitem__, named) if not measure.needs_distance]
        tried = axioms([measure.example if measure.open else measure.id for measure in known], properties=one.id, trials=TRIALS)
        for verdict in tried.verdicts:
            if verdict.claim is None or verdict.claim.source.short != paper.short:
                continue
            where = f"{verdict.claim.source.where}: claims, by search"
            value = Value(where, verdict.measure.id, verdict.asked.id, verdict.claim.holds, verdict.holds)
            refuted = bool(verdict.claim.erratum) or (verdict.measure.id, verdict.asked.id) in also_refuted
            told = f"{verdict.measure.id}, {verdict.asked.id}: {verdict.sentence()}"
            yield need_not(value, told) if refuted and verdict.differs else value
