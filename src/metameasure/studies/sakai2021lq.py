"""Sakai (LQ 2021): its examples, what follows from its printed counts, and its protocol on real or simulated tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.catalogue.sources import SAKAI_LQ_2021
from metameasure.meta.discriminative_power import Discrimination, discrimination, pooled_power
from metameasure.meta.score_deltas import deltas
from metameasure.meta.significance_contradictions import contradictions
from metameasure.meta.significance_overlap import Shared, overlap, significance_overlap
from metameasure.scores.scores import Scores
from metameasure.show.table import Drawing
from metameasure.studies.data import task_of
from metameasure.studies.drawings.deltas import furthest_topics, score_deltas
from metameasure.studies.frozen import frozen
from metameasure.studies.study import Basis, Setting, Study, Value, claims_of, need_not, of_data, of_paper, printed, same
from metameasure.studies.tolerances import of_contradictions, of_overlap, of_pooled_power, of_significant_pairs

MEASURES = ("nmd", "rsnod", "rnod", "nvd", "rnss", "jsd")
TASKS = ("sem16t4e", "sem17t4e", "stc3", "dialeval1")
# Table 2: the data sets, and how many pairs of runs each has.
PAIRS = {
    "sem16t4e": 66,
    "sem17t4e": 91,
    "stc3 A": 171,
    "stc3 E": 171,
    "stc3 S": 171,
    "dialeval1 A": 231,
    "dialeval1 E": 231,
    "dialeval1 S": 231,
}
# Table 3: significant pairs in each of the eight data sets, their percentages and the pooled one.
TABLE_3 = {
    "nmd": ((38, 48, 71, 68, 65, 84, 116, 82), "57.6 52.7 41.5 39.8 38.0 36.4 50.2 35.5 42.0"),
    "rsnod": ((32, 40, 67, 72, 66, 119, 116, 115), "48.5 44.0 39.2 42.1 38.6 51.5 50.2 49.8 46.0"),
    "rnod": ((35, 35, 68, 66, 61, 133, 117, 125), "53.0 38.5 39.8 38.6 35.7 57.6 50.6 54.1 47.0"),
    "nvd": ((31, 40, 68, 66, 61, 138, 116, 120), "47.0 44.0 39.8 38.6 35.7 59.7 50.2 51.9 47.0"),
    "rnss": ((37, 37, 67, 65, 65, 113, 115, 129), "56.1 40.7 39.2 38.0 38.0 48.9 49.8 55.8 46.1"),
    "jsd": ((32, 35, 64, 64, 64, 135, 115, 127), "48.5 38.5 37.4 37.4 37.4 58.4 49.8 55.0 46.7"),
}
# Table 4: SSO in % and (a/b/c), row by row: nmd with the other five, rsnod with the next four, ...
TABLE_4 = """
70.7 9/29/3|65.9 9/29/6|76.9 8/30/1|59.6 10/28/9|79.5 7/31/1|86.1 1/31/4|85.3 3/29/2|76.9 2/30/7|73.0 5/27/5|78.4 6/29/2|89.5 1/34/3|67.5 8/27/5|70.0 3/28/9|85.3 2/29/3|60.5 11/26/6
76.0 10/38/2|66.0 15/33/2|76.0 10/38/2|63.5 15/33/4|72.9 13/35/0|87.5 5/35/0|90.5 2/38/2|79.1 6/34/3|87.5 5/35/0|87.5 0/35/5|89.5 1/34/3|84.2 3/32/3|83.3 5/35/2|87.5 5/35/0|75.6 6/31/4
91.7 5/66/1|95.8 3/68/0|95.8 3/68/0|94.4 4/67/0|90.1 7/64/0|90.1 3/64/4|90.1 3/64/4|88.7 4/63/4|84.5 7/60/4|100.0 0/68/0|98.5 1/67/0|94.1 4/64/0|98.5 1/67/0|94.1 4/64/0|95.5 3/64/0
94.4 0/68/4|97.1 2/66/0|97.1 2/66/0|95.6 3/65/0|94.1 4/64/0|91.7 6/66/0|91.7 6/66/0|90.3 7/65/0|88.9 8/64/0|100.0 0/66/0|98.5 1/65/0|97.0 2/64/0|98.5 1/65/0|97.0 2/64/0|98.5 1/64/0
98.5 0/65/1|93.8 4/61/0|93.8 4/61/0|100.0 0/65/0|98.5 1/64/0|92.4 5/61/0|92.4 5/61/0|98.5 1/65/0|97.0 2/64/0|100.0 0/61/0|93.8 0/61/4|92.3 1/60/4|93.8 0/61/4|92.3 1/60/4|98.5 1/64/0
65.0 4/80/39|55.0 7/77/56|56.3 4/80/58|39.7 28/56/57|62.2 0/84/51|81.3 6/113/20|82.3 3/116/22|65.7 27/92/21|77.6 8/111/24|92.2 3/130/8|83.6 21/112/1|90.1 6/127/8|76.8 29/109/4|92.3 7/131/4|74.6 7/106/29
77.1 15/101/15|80.6 12/104/13|82.7 11/105/11|81.9 12/104/11|81.9 12/104/11|94.2 3/113/4|93.3 4/112/4|92.5 5/111/4|92.5 5/111/4|97.5 2/115/1|98.3 2/115/0|98.3 2/115/0|99.1 1/115/0|99.1 1/115/0|100.0 0/115/0
60.2 8/74/41|52.2 11/71/54|48.5 16/66/54|50.7 11/71/58|56.0 7/75/52|77.8 10/105/20|75.4 14/101/19|80.7 6/109/20|80.6 7/108/19|92.9 7/118/2|91.0 4/121/8|90.9 5/120/7|91.0 4/121/8|90.9 5/120/7|91.0 7/122/5
"""  # noqa: E501 - one line a data set, as printed
_REPEATED = "NVD's cells with RNSS and JSD repeat those of RNOD: a + b is 125, but NVD has 120 (erratum)"
# Table 6: measures 1, measures 2, and the runs about which they contradict each other; {C,E} are two runs.
TABLE_6 = {
    "stc3 A": (("nmd", "rnod nvd rnss jsd", "popularity-{C,E} uniform-{C,E}"),),
    "stc3 S": (("nmd rsnod", "rnss jsd", "popularity-{C,E} uniform-{C,E}"),),
    "dialeval1 A": (
        (
            "nmd rsnod",
            "rnod rnss jsd",
            "popularity-{C,E} uniform-{C,E}, popularity-{C,E} NKUST-run0-C, popularity-{C,E} NKUST-run0-E",
        ),
        ("nmd rsnod", "nvd", "popularity-{C,E} uniform-{C,E}, popularity-{C,E} NKUST-run0-C"),
    ),
    "dialeval1 E": (("nmd", "rnod nvd rnss jsd", "popularity-{C,E} uniform-{C,E}"),),
    "dialeval1 S": (
        ("nmd rsnod", "rnod", "popularity-{C,E} NKUST-run0-C, popularity-{C,E} NKUST-run0-E"),
        ("nmd rsnod", "rnss jsd", "popularity-{C,E} uniform-{C,E}, popularity-{C,E} NKUST-run0-C, popularity-{C,E} NKUST-run0-E"),
    ),
}
# Table 5: the contradictions of every two measures, in the order of Table 4; 0 where nothing is printed.
TABLE_5 = {
    "stc3 A": "0 4 4 4 4 0 0 0 0 0 0 0 0 0 0",
    "stc3 S": "0 0 0 4 4 0 0 4 4 0 0 0 0 0 0",
    "dialeval1 A": "0 8 6 8 8 8 6 8 8 0 0 0 0 0 0",
    "dialeval1 E": "0 4 4 4 4 0 0 0 0 0 0 0 0 0 0",
    "dialeval1 S": "0 4 0 8 8 4 0 8 8 0 0 0 0 0 0",
}
# Table 7: topics on which Uniform, Popularity wins, by each measure.
TABLE_7 = {
    "stc3 A": "175 197 224 166 265 125 274 116 297 93 301 89",
    "stc3 E": "257 127 294 96 331 58 328 62 340 50 347 43",
    "stc3 S": "109 268 177 213 229 161 224 166 257 133 255 135",
    "dialeval1 A": "97 185 164 136 185 114 172 113 186 86 192 108",
    "dialeval1 E": "128 155 174 124 213 85 198 77 226 42 229 71",
    "dialeval1 S": "79 209 133 167 177 123 157 120 186 90 191 109",
}
TOTAL = "845 1141 1166 902 1400 666 1353 654 1492 494 1515 555"
ORDER = tuple(combinations(MEASURES, 2))


@dataclass(frozen=True)
class OverlapCell:
    """A cell of Table 4: the overlap in %, and what it is made of."""

    data: str
    first: str
    second: str
    percent: str
    counts: tuple[int, int, int]

    def sum_of(self, measure: str) -> int:
        """How many differences one of the two measures finds, by this cell."""
        return sum(self.counts[:2] if measure == self.first else self.counts[1:])


def table_4() -> Iterator[OverlapCell]:
    """Its cells, one by one."""
    for data, line in zip(PAIRS, TABLE_4.strip().splitlines(), strict=True):
        for (first, second), cell in zip(ORDER, line.split("|"), strict=True):
            percent, _, counts = cell.partition(" ")
            only_first, both, only_second = map(int, counts.split("/"))
            yield OverlapCell(data, first, second, percent, (only_first, both, only_second))


def values(setting: Setting) -> Iterator[Value]:
    """The examples, what follows from the printed counts, and the protocol."""
    yield from _examples()
    yield from frozen("dialogues", "discrimination", "overlap", "deltas")
    yield from map(of_paper, _from_counts())
    yield from claims_of(SAKAI_LQ_2021)
    yield from _protocol(setting)


def _examples() -> Iterator[Value]:
    """Section 3, with its footnote, and Appendix A."""
    measures = default_registry()
    uniform, a, b = np.full(4, 0.25), np.array([0.25, 0.35, 0.15, 0.25]), np.array([0.25, 0.25, 0.35, 0.15])
    for system, estimate, text in (("A", a, "0.020"), ("B", b, "0.025")):
        yield printed("Section 3: gold uniform over four", "od", f"system {system}", text, measures["od"](estimate, uniform))
    nmd = [float(measures["nmd"](estimate, uniform)) for estimate in (a, b)]
    yield Value("Section 3: gold uniform over four", "nmd", "A, B", "=", same(*nmd))
    point = np.array([1.0, 0, 0, 0])
    there, back = float(measures["od"](point, uniform)), float(measures["od"](uniform, point))
    value = Value("Footnote 2: gold uniform, estimate (1,0,0,0)", "od", "exchanged", "=", same(there, back))
    yield need_not(value, "1.0625 and .375: a gold without zeros does not suffice, but equal supports do (erratum)")
    gold, estimate = np.array([[0.3, 0.7], [1.0, 0.0], [0.0, 1.0]]), np.array([[0.6, 0.4], [0.2, 0.8], [0.5, 0.5]])
    for name, pair in (("rnod", (estimate, gold)), ("rnod, exchanged", (gold, estimate)), ("rsnod", (estimate, gold))):
        alike = np.allclose(measures[name.partition(",")[0]](*pair), measures["nmd"](estimate, gold), atol=1e-12)
        yield Value("Appendix A: two classes", name, "and nmd", "=", "=" if alike else "≠")


def _from_counts() -> Iterator[Value]:
    for measure, (counts, line) in TABLE_3.items():
        parts = [*((data, [count], [pairs]) for (data, pairs), count in zip(PAIRS.items(), counts, strict=True)),
                 ("pooled", list(counts), list(PAIRS.values()))]  # fmt: skip
        for (data, significant, pairs), text in zip(parts, line.split(), strict=True):
            yield printed("Table 3: % significant, from the counts", measure, data, text, 100 * pooled_power(significant, pairs))
    for cell in table_4():
        where = f"Table 4: {cell.data}, SSO in %, from the counts"
        yield printed(where, cell.first, cell.second, cell.percent, 100 * significance_overlap(*cell.counts))
    for place, data in enumerate(PAIRS):
        for measure, (counts, _) in TABLE_3.items():
            sums = [cell.sum_of(measure) for cell in table_4() if cell.data == data and measure in (cell.first, cell.second)]
            value = Value("Table 4: cells that add up to Table 3", measure, data, 5, sums.count(counts[place]))
            yield need_not(value, _REPEATED) if (data, measure) == ("dialeval1 S", "nvd") else value
    agreeing = Shared("nmd", "rnod", 3, 68, 0, contradicting=4)
    yield printed(
        "Section 5.2: STC-3 DQ-A, NMD and RNOD", "SSO in %", "contradictions left out", "95.5", 100 * agreeing.overlap_agreeing
    )
    for data, line in TABLE_5.items():
        for (first, second), text in zip(ORDER, line.split(), strict=True):
            yield Value(f"Table 5: {data}, from Table 6", first, second, int(text), contradictions_listed(data, first, second))
    totals = np.sum([[int(text) for text in line.split()] for line in TABLE_7.values()], axis=0)
    for place, text in enumerate(TOTAL.split()):
        winner = ("uniform", "popularity")[place % 2]
        yield Value("Table 7: the total of the rows", MEASURES[place // 2], winner, int(text), int(totals[place]))


def contradictions_listed(data: str, first: str, second: str) -> int:
    """How many pairs of runs Table 6 lists for two measures."""
    return sum(
        2 ** pair.count("{C,E}")
        for ones, others, runs in TABLE_6[data]
        for pair in runs.split(", ")
        if (first in ones.split() and second in others.split()) or (second in ones.split() and first in others.split())
    )


def _protocol(setting: Setting) -> Iterator[Value]:
    """Power, overlap, contradictions and the two baselines on the eight data sets."""
    scores = {data: one for task in TASKS for data, one in setting.scores(task, MEASURES).items()}
    tested = discrimination(scores, seed=setting.seed)
    each = {data: setting.basis({data: one}) for data, one in scores.items()}
    yield from _power(tested, each, setting.basis(scores))
    yield from _overlaps(tested, each)
    yield from _baselines(
        {data: one for data, one in scores.items() if data in TABLE_7 or task_of(data) in ("stc3", "dialeval1")}, each
    )


def _power(tested: Discrimination, each: dict[str, Basis], together: Basis) -> Iterator[Value]:
    for part in tested.data:
        place = list(PAIRS).index(part.name) if part.name in PAIRS else None
        for measure, count, p in zip(part.measures, part.counts.tolist(), part.p, strict=True):
            text, basis = None if place is None else str(TABLE_3[measure][0][place]), each[part.name]
            yield of_data("Table 3: significant pairs", measure, part.name, text, count, basis, **of_significant_pairs(p))
    for measure, share in zip(tested.measures, tested.power().tolist(), strict=True):
        yield of_data(
            "Table 3: significant pairs",
            measure,
            "pooled %",
            TABLE_3[measure][1].split()[-1],
            100 * share,
            together,
            **of_pooled_power(tested, measure),
        )


def with_plugins(setting: Setting, added: Sequence[Measure]) -> Iterator[Value]:
    """Measures of plugins in Tables 3 to 5, on the same runs."""
    scores = {data: one for task in TASKS for data, one in setting.scores(task, [*MEASURES, *added]).items()}
    tested = discrimination(scores, seed=setting.seed, incomplete="drop-topics")
    each = {data: setting.basis({data: one}) for data, one in scores.items()}
    own = {one.id for one in added}
    for part in tested.data:
        for measure, count in zip(part.measures, part.counts.tolist(), strict=True):
            if measure in own:
                yield of_data("Table 3: significant pairs", measure, part.name, None, count, each[part.name])
    for measure, share in zip(tested.measures, tested.power().tolist(), strict=True):
        if measure in own:
            yield of_data("Table 3: significant pairs", measure, "pooled %", None, 100 * share, setting.basis(scores))
    for shared in overlap(tested).data:
        for pair in (pair for pair in shared.pairs if own & {pair.first, pair.second}):
            where = f"Table 4: {shared.name}, SSO in %"
            yield of_data(where, pair.first, pair.second, None, 100 * pair.overlap, each[shared.name])
    for opposed in contradictions(tested).data:
        for two in (two for two in opposed.pairs if own & {two.first, two.second}):
            where = f"Table 5: {opposed.name}, contradictions"
            yield of_data(where, two.first, two.second, None, len(two.runs), each[opposed.name])


def _overlaps(tested: Discrimination, each: dict[str, Basis]) -> Iterator[Value]:
    by_name = {part.name: part for part in tested.parts()}
    printed_cells = {(cell.data, cell.first, cell.second): cell.percent for cell in table_4()}
    for part in overlap(tested).data:
        for pair in part.pairs:
            text = printed_cells.get((part.name, pair.first, pair.second))
            where, ours = f"Table 4: {part.name}, SSO in %", 100 * pair.overlap
            more = of_overlap(by_name[part.name], pair)
            yield of_data(where, pair.first, pair.second, text, ours, each[part.name], **more)
    for block in contradictions(tested).data:
        line = dict(zip(ORDER, TABLE_5.get(block.name, "0 " * len(ORDER)).split(), strict=True))
        for two in block.pairs:
            where, text = f"Table 5: {block.name}, contradictions", line[two.first, two.second]
            more = of_contradictions(by_name[block.name], two.first, two.second)
            yield of_data(where, two.first, two.second, text, len(two.runs), each[block.name], **more)


def _runs_called(scores: Scores, *names: str) -> list[str]:
    """The first run with each of these names in its own, where there is one."""
    found = (next((run for run in scores.runs if name in run.lower()), None) for name in names)
    return [run for run in found if run is not None]


def _baselines(scores: dict[str, Scores], each: dict[str, Basis]) -> Iterator[Value]:
    """Table 7, and the box of Figure 1 (d): on which topics Popularity and Uniform win."""
    for data, one in scores.items():
        names = _runs_called(one, "uniform", "popularity")
        if len(names) < 2:
            continue
        line = TABLE_7.get(data, "").split()
        finding = deltas(one, *names)
        for place, (measure, wins) in enumerate(zip(finding.measures, finding.wins().tolist(), strict=True)):
            for side, name in enumerate(("uniform", "popularity")):
                text = line[2 * place + side] if line else None
                yield of_data("Table 7: topics won", f"{measure}, {name}", data, text, wins[side], each[data])
        if data == "dialeval1 A":
            (pair,) = (pair for pair in finding.pairs if (pair.first, pair.second) == ("nmd", "rnod"))
            for name, text, ours in (
                ("disagree", "77", pair.disagree),
                ("NMD prefers popularity", "75", pair.first_prefers_b),
                ("NMD prefers uniform", "2", pair.first_prefers_a),
            ):
                yield of_data("Figure 1 (d): NMD and RNOD", data, name, text, ours, each[data])


# Figures 1 and 2: the measures across, and those up.
FIGURES = {"figure-1": ("nmd", ("nvd", "rnss", "jsd", "rnod")), "figure-2": ("rnod", ("nvd", "rnss", "jsd"))}
_FIGURE_1 = "Published, (d) NMD and RNOD: they disagree on 77 dialogues, on 75 of them NMD prefers Popularity, on 2 Uniform."
_FIGURE_3 = "Published: dialogue 181, d = -0.265, and dialogue 18, d = -0.263 (there positive differences are worse)."


def drawings(setting: Setting) -> Iterator[Drawing]:
    """Popularity less Uniform on DialEval-1 DQ-A: scatter plots of two measures' differences, and the topics that differ most."""
    data = "dialeval1 A"
    scores = setting.scores("dialeval1", MEASURES)[data]
    names = _runs_called(scores, "popularity", "uniform")
    why = setting.basis({data: scores}).why
    for name, (across, others) in FIGURES.items():
        finding = deltas(scores, *names, pairs=[(across, other) for other in others])
        yield score_deltas(name, finding, [why, _FIGURE_1 if name == "figure-1" else ""])
    evidence = setting.distributions("dialeval1", data)
    finding = deltas(scores, *names, pairs=[("nmd", "rnod")], distributions=evidence)
    yield furthest_topics("figure-3", finding, [why, _FIGURE_3])


STUDY = Study(
    "sakai2021lq",
    SAKAI_LQ_2021,
    runs=(
        "Section 3 and Appendix A: the worked example, symmetry, and NMD = RNOD of two classes.",
        "Every question of the protocol on a small frozen score matrix, against values that independent code has computed.",
        "Table 3: every percentage and the pooled ones; Table 4: every overlap; whether the two add up: from the printed counts.",
        "Table 5 from the runs that Table 6 lists; the totals of Table 7.",
        "The protocol (power, overlap, contradictions, Popularity against Uniform) on Table 2's data sets, real or simulated.",
    ),
    cannot=(
        (
            "the counts of Tables 3 to 5 and 7, and Figures 1 to 3",
            """they need the runs submitted to SemEval-2016 and 2017 Task 4 E and to NTCIR's STC-3 and DialEval-1, which are not
            in the package: ask their organisers for them. With the files at hand all of it is computed and compared
            (`--data`); counts of significant pairs may differ by one or two, for the test is randomised""",
        ),
    ),
    values=values,
    reads=TASKS,
    tasks=("quantification",),
    with_plugins=with_plugins,
    drawings=drawings,
)
