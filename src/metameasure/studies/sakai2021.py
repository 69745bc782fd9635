"""Sakai (ACL 2021): what follows from its printed tables, its claims by search, and its protocol on real or simulated tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.sources import SAKAI_2021
from metameasure.comparing.comparison import count_beaten
from metameasure.meta.discriminative_power import Discrimination, discrimination
from metameasure.meta.ranking_similarity import similarity
from metameasure.meta.split_consistency import Consistency, Size, consistency
from metameasure.meta.verdict import ratings
from metameasure.scores.scores import Scores
from metameasure.show.table import Drawing
from metameasure.simulation.shapes import SHAPES
from metameasure.statistics.groups import complete_linkage
from metameasure.statistics.studentised_range import studentised_range_sf
from metameasure.studies.drawings.curves import power_curves
from metameasure.studies.frozen import frozen
from metameasure.studies.study import Basis, Setting, Study, Value, claims_of, need_not, of_data, of_paper, printed
from metameasure.studies.tolerances import of_beaten, of_mean_tau, of_significant_pairs

CLASSIFICATION = (
    "alpha_ordinal",
    "alpha_interval",
    "hmpr",
    "f1_macro",
    "mae_macro",
    "kappa_linear",
    "cem_ord",
    "accuracy",
    "mae",
)
QUANTIFICATION = ("rnss", "rsnod", "rnod", "nvd", "jsd", "nmd")
RUNS = {"sem16t4c": 12, "sem17t4c": 20, "sem16t4e": 12, "sem17t4e": 14, "dialeval1 A": 22, "dialeval1 E": 22, "dialeval1 S": 22}
"""Table 1."""
TABLES = {
    "sem16t4c": "Table 2 (I)", "sem17t4c": "Table 2 (II)", "dialeval1 A": "Table 5 (I)", "dialeval1 E": "Table 5 (II)",
    "dialeval1 S": "Table 5 (III)", "sem16t4e": "Table 8 (I)", "sem17t4e": "Table 8 (II)",
}  # fmt: skip
# Tables 2, 5 and 8: tau between every two measures, row by row, in the order of the measures above.
SIMILARITY = {
    "sem16t4c": "1.000 0.818 0.879 0.818 0.879 0.606 -0.030 -0.152 0.818 0.879 0.818 0.879 0.606 -0.030 -0.152 0.818 0.879 0.939 "
    "0.606 -0.030 -0.152 0.818 0.879 0.727 0.091 -0.030 0.879 0.727 0.091 -0.030 0.667 0.030 -0.091 0.364 0.242 0.879",
    "sem17t4c": "0.989 0.821 0.821 0.789 0.758 0.695 0.453 0.337 0.811 0.811 0.800 0.768 0.684 0.442 0.326 0.895 0.926 0.832 "
    "0.789 0.526 0.432 0.863 0.768 0.789 0.526 0.453 0.842 0.842 0.579 0.484 0.747 0.463 0.368 0.716 0.600 0.863",
    "dialeval1 A": "0.835 0.913 0.939 0.905 0.636 0.870 0.861 0.827 0.766 0.939 0.939 0.723 0.931 0.680 0.714",
    "dialeval1 E": "0.931 0.922 0.913 0.913 0.688 0.957 0.948 0.948 0.758 0.957 0.991 0.749 0.948 0.758 0.758",
    "dialeval1 S": "0.861 0.974 0.957 0.922 0.558 0.887 0.887 0.853 0.662 0.983 0.948 0.584 0.965 0.584 0.619",
    "sem16t4e": "0.848 0.909 0.818 0.788 0.818 0.939 0.909 0.879 0.848 0.909 0.879 0.909 0.970 0.939 0.909",
    "sem17t4e": "0.912 0.912 0.890 0.868 0.780 1.000 0.978 0.956 0.868 0.978 0.956 0.868 0.978 0.890 0.912",
}


@dataclass(frozen=True)
class TablePart:
    """A part of Table 3, 6 or 9: measures from best to worst by their mean tau over splits, with symbols for how many of the
    worst each beats, and the residual variance."""

    table: str
    data: str
    size: str
    variance: float
    rows: Mapping[str, str]

    @property
    def means(self) -> list[str]:
        """The mean taus as printed."""
        return [text[:5] for text in self.rows.values()]

    @property
    def beaten(self) -> list[int]:
        """How many of the worst measures each beats, by its symbol."""
        return [WORTH[text[5:]] for text in self.rows.values()]


WORTH = dict(zip(("♯", "♭", "♠", "♣", "♡", "◇", "‡", "†", ""), (8, 7, 6, 5, 4, 3, 2, 1, 0), strict=True))
_SHORT = {
    "α-ORD": "alpha_ordinal", "α-INT": "alpha_interval", "κ": "kappa_linear", "MAE^μ": "mae", "MAE^M": "mae_macro",
    "HMPR": "hmpr", "F1": "f1_macro", "CEM": "cem_ord", "Acc": "accuracy",
}  # fmt: skip


def _part(table: str, data: str, size: str, variance: str, text: str) -> TablePart:
    cells = [cell.rpartition(" ") for cell in text.split(", ")]
    return TablePart(table, data, size, float(variance), {_SHORT.get(name, name.lower()): value for name, _, value in cells})


# The symbols are decoded: the order of WORTH is that of the captions; in Table 6 the last row but one has a dagger.
_PARTS = """
Table 3 (a) | sem16t4c | half | 0.00211 | κ 0.976♯, α-ORD 0.962♭, α-INT 0.935♣, MAE^μ 0.929♣, HMPR 0.904◇, MAE^M 0.901◇, F1 0.884‡, CEM 0.806, Acc 0.799
Table 3 (b) | sem16t4c | 10 | 0.00730 | α-ORD 0.872♠, κ 0.868♠, α-INT 0.863♠, HMPR 0.799♣, MAE^M 0.780♡, F1 0.758‡, MAE^μ 0.753‡, Acc 0.625†, CEM 0.595
Table 3 (c) | sem17t4c | half | 0.00114 | α-ORD 0.910♠, F1 0.908♠, α-INT 0.907♠, HMPR 0.901♣, CEM 0.871‡, MAE^μ 0.869‡, κ 0.866‡, MAE^M 0.850†, Acc 0.818
Table 3 (d) | sem17t4c | 10 | 0.00503 | HMPR 0.768♠, α-INT 0.761♣, F1 0.760♣, κ 0.751♡, α-ORD 0.742♡, CEM 0.729◇, MAE^μ 0.700†, MAE^M 0.697†, Acc 0.663
Table 6 (a) | dialeval1 A | half | 0.00130 | RNOD 0.909♣, RNSS 0.885‡, NVD 0.882‡, JSD 0.879‡, RSNOD 0.820†, NMD 0.717
Table 6 (b) | dialeval1 A | 10 | 0.00871 | JSD 0.558♣, RNOD 0.507◇, NVD 0.497◇, RNSS 0.456‡, NMD 0.424†, RSNOD 0.404
Table 6 (c) | dialeval1 E | half | 0.000519 | NMD 0.865♣, JSD 0.842♡, RNSS 0.835◇, NVD 0.819‡, RNOD 0.813, RSNOD 0.811
Table 6 (d) | dialeval1 E | 10 | 0.00403 | JSD 0.624♣, RNOD 0.610♡, RNSS 0.594‡, NVD 0.592‡, RSNOD 0.563†, NMD 0.502
Table 6 (e) | dialeval1 S | half | 0.00105 | RNSS 0.906♡, JSD 0.901◇, RNOD 0.897◇, NVD 0.870‡, RSNOD 0.861†, NMD 0.745
Table 6 (f) | dialeval1 S | 10 | 0.00656 | JSD 0.580♣, RNOD 0.547♡, NVD 0.523‡, RNSS 0.514‡, RSNOD 0.448†, NMD 0.421
Table 9 (I) | sem16t4e | half | 0.00175 | JSD 0.934♣, RNOD 0.847♡, NVD 0.831◇, RNSS 0.815‡, NMD 0.788†, RSNOD 0.767
Table 9 (I) | sem16t4e | 10 | 0.00368 | JSD 0.771♣, RNOD 0.708◇, NVD 0.705◇, RNSS 0.690‡, NMD 0.674, RSNOD 0.673
Table 9 (II) | sem17t4e | half | 0.00107 | NMD 0.905♣, NVD 0.878♡, JSD 0.867◇, RSNOD 0.859‡, RNOD 0.826†, RNSS 0.765
Table 9 (II) | sem17t4e | 10 | 0.00342 | NMD 0.705♣, JSD 0.672♡, NVD 0.601◇, RNOD 0.588†, RSNOD 0.583†, RNSS 0.557
"""  # noqa: E501 - a line for each part, as printed
PARTS = tuple(_part(*line.split(" | ")) for line in _PARTS.strip().splitlines())
# The captions of Tables 3, 6 and 9: two measures of a part, and the effect size of their difference.
EFFECTS = (
    (PARTS[0], "alpha_ordinal", "cem_ord", "3.40"),
    (PARTS[4], "rnod", "nmd", "5.33"),
    (PARTS[10], "jsd", "rnod", "2.08"),
)
SIGNIFICANT = {"rnod": 117, "rsnod": 116, "nmd": 116, "nvd": 116, "rnss": 115, "jsd": 115}
"""Section 6.3: pairs of runs of 231 that DQ-E's measures tell apart."""
_ROUNDED = ".907 - .901 needs to be .0064, which means of three digits do not tell from .006"
_SPLITS = 1000


def values(setting: Setting) -> Iterator[Value]:
    """What follows from the printed numbers, the claims, and the protocol."""
    yield from frozen("tweets", "similarity", "consistency, half", "consistency, 3", "consistency, by topics", "discrimination")
    yield from frozen("dialogues", "similarity", "discrimination", "discrimination, by topics")
    yield from map(of_paper, _lattice())
    yield from map(of_paper, _effects())
    yield from _symbols()
    yield from map(of_paper, _averages())
    yield from _summaries()
    yield from claims_of(SAKAI_2021)
    yield from _protocol(setting)


def measures_of(data: str) -> tuple[str, ...]:
    """The measures that are compared on a data set."""
    return CLASSIFICATION if data.endswith("c") else QUANTIFICATION


def _lattice() -> Iterator[Value]:
    """tau-a of m runs is a multiple of 1 / (m (m - 1) / 2), whatever ties: the nearest of these values."""
    for data, line in SIMILARITY.items():
        pairs = RUNS[data] * (RUNS[data] - 1) / 2
        for (first, second), text in zip(combinations(measures_of(data), 2), line.split(), strict=True):
            nearest = round(float(text) * pairs) / pairs
            yield printed(f"{TABLES[data]}: {data}, nearest tau-a", first, second, text, nearest)


def beaten_by_closed_form(variance: float, means: Sequence[float], splits: int = _SPLITS) -> list[int]:
    """How many of the worst measures each beats, from the printed means and V_E2: the limit of the randomised Tukey HSD test for
    many splits, p ~ P(Q > difference · n / sqrt(sum of the unbiased variances of rows)) with infinite freedom.

    Orders are permuted as the rows stand, so that a row's variance contains the differences between the measures' means. Summed
    over rows it is (n - 1) V_E2 + n · (variance of the means).
    """
    at = np.asarray(means, dtype=float)
    total = (splits - 1) * variance + splits * at.var(ddof=1)
    gaps = np.abs(at[:, None] - at[None, :])
    significant = studentised_range_sf(gaps * splits / np.sqrt(total), len(at)) < 0.05
    return [count_beaten(row, place) for place, row in enumerate(significant)]


def _effects() -> Iterator[Value]:
    for part, first, second, text in EFFECTS:
        gap = float(part.rows[first][:5]) - float(part.rows[second][:5])
        yield printed(
            "Captions of Tables 3, 6 and 9: effect sizes", f"{first}, {second}", part.table, text, gap / part.variance**0.5
        )


def _symbols() -> Iterator[Value]:
    """The program's studentised range, on what is printed."""
    for part in PARTS:
        ours = beaten_by_closed_form(part.variance, [float(text) for text in part.means])
        for measure, symbol, beats in zip(part.rows, part.beaten, ours, strict=True):
            value = Value(f"{part.table}: {part.data}, size {part.size}, beats", measure, "closed form", symbol, beats)
            not_told = (part.table, measure) == ("Table 3 (c)", "alpha_interval")
            yield need_not(value, _ROUNDED) if not_told else value


def _averages() -> Iterator[Value]:
    """Sections 5.2 and 6.2: which measures are best and worst on average over data sets, from the printed means."""
    for tables, size, best, worst in (
        ("Table 3", "half", "alpha_interval, alpha_ordinal, kappa_linear", "accuracy, cem_ord"),
        ("Table 3", "10", "alpha_interval, alpha_ordinal, kappa_linear", "accuracy, cem_ord"),
        ("Table 6", "half", "", "nmd, rsnod"),
        ("Table 6", "10", "", "nmd, rsnod"),
    ):
        order = list(_mean_taus([part for part in PARTS if part.table.startswith(tables) and part.size == size]))
        where = f"Sections 5.2 and 6.2: {tables}, size {size}"
        if best:
            yield Value(where, "the best three", "on average", best, ", ".join(sorted(order[:3])))
        yield Value(where, "the worst two", "on average", worst, ", ".join(sorted(order[-2:])))


# Tables 4 (IV and V) and 7 (III and IV): groups that rank alike, and how consistently each measure ranks.
GROUPS = {
    "Table 4 (IV)": ("sem16t4c sem17t4c", ("alpha_interval alpha_ordinal f1_macro hmpr kappa_linear mae_macro", "accuracy mae")),
    "Table 7 (III)": ("dialeval1 A|dialeval1 E|dialeval1 S", ("jsd nvd rnod rnss rsnod",)),
}
RATED = {
    "Table 4 (V)": (
        "Table 3",
        {
            **dict.fromkeys(("kappa_linear", "alpha_ordinal", "alpha_interval"), "good"),
            **dict.fromkeys(("mae_macro", "f1_macro", "hmpr", "mae"), "fair"),
            **dict.fromkeys(("cem_ord", "accuracy"), "poor"),
        },
    ),
    "Table 7 (IV)": (
        "Table 6",
        {**dict.fromkeys(("nmd", "rsnod"), "poor"), **dict.fromkeys(("rnod", "nvd", "rnss", "jsd"), "good")},
    ),
}
BEST = {"Table 4 (V)": 3, "Table 7 (IV)": 4}
"""How many are good: Section 5.2 names the best three and the worst two; in Table 7 all but the worst two are good."""
WORST = 2
BY_PLACE = ("hmpr", "f1_macro")
"""The measures of Table 4 that are good by thirds of the range, and fair by their place behind the best three."""
_BY_PLACE = (
    "the paper rates by places (the best three of nine are good, Section 5.2), the program by thirds of the range of mean taus, "
    ".726 to .872: .843 and .828 lie in the upper third"
)


def _summaries() -> Iterator[Value]:
    """The groups and ratings of the summaries, by the program's rules from the printed taus and mean taus."""
    for where, (data, groups) in GROUPS.items():
        tables = [SIMILARITY[name].split() for name in data.split("|" if "|" in data else " ")]
        measures = measures_of(data.partition("|")[0].split()[0])
        mean = np.mean([[float(text) for text in line] for line in tables], axis=0)
        table = np.eye(len(measures))
        for (i, j), tau in zip(combinations(range(len(measures)), 2), mean, strict=True):
            table[i, j] = table[j, i] = tau
        found = {" ".join(sorted(measures[place] for place in group)) for group in complete_linkage(table, 0.8)}
        for group in groups:
            yield Value(
                f"{where}: groups, from the printed taus", group, "mean tau >= .8", "yes", "yes" if group in found else "no"
            )
    for where, (table_name, rated) in RATED.items():
        parts = [part for part in PARTS if part.table.startswith(table_name)]
        means = _mean_taus(parts)
        for measure, ours in zip(rated, ratings([means[measure] for measure in rated]), strict=True):
            value = Value(f"{where}: ratings, from the printed means", measure, "by thirds", rated[measure], ours)
            yield need_not(value, _BY_PLACE) if measure in BY_PLACE else value
        for size in ("half", "10"):
            placed = _by_places([part for part in parts if part.size == size], BEST[where])
            for measure, published in rated.items():
                where_by_places = f"{where}: ratings, by the paper's places"
                yield of_paper(Value(where_by_places, measure, f"size {size}", published, placed[measure]))


def _mean_taus(parts: Sequence[TablePart]) -> dict[str, float]:
    """The printed means of each measure, averaged over data sets, the highest first."""
    mean = {measure: float(np.mean([float(part.rows[measure][:5]) for part in parts])) for measure in parts[0].rows}
    return dict(sorted(mean.items(), key=lambda one: -one[1]))


def _by_places(parts: Sequence[TablePart], best: int) -> dict[str, str]:
    """The ratings by place among the printed means, averaged over data sets: so many are good, the last two poor."""
    order = _mean_taus(parts)
    words = ["good"] * best + ["fair"] * (len(order) - best - WORST) + ["poor"] * WORST
    return dict(zip(order, words, strict=True))


def _protocol(setting: Setting) -> Iterator[Value]:
    """Similarity, consistency and discrimination on every data set of Table 1."""
    for task in ("sem16t4c", "sem17t4c", "sem16t4e", "sem17t4e", "dialeval1"):
        for data, scores in setting.scores(task, measures_of(task)).items():
            basis = setting.basis({data: scores})
            yield from _similarity(data, scores, basis)
            yield from _consistency(data, scores, setting.seed, basis)
            yield from _discrimination(data, tested(setting, data, scores), basis)


def _similarity(data: str, scores: Scores, basis: Basis) -> Iterator[Value]:
    finding = similarity(scores, incomplete="drop-topics", trials=1)
    places = combinations(range(len(finding.measures)), 2)
    for (i, j), text in zip(places, SIMILARITY[data].split(), strict=True):
        where = f"{TABLES[data]}: {data}, similarity"
        yield of_data(where, finding.measures[i], finding.measures[j], text, finding.tau[i, j], basis)


def _consistency(data: str, scores: Scores, seed: int, basis: Basis) -> Iterator[Value]:
    for part in PARTS:
        if part.data != data:
            continue
        finding = _split(scores, part.size, seed)
        for measure, mean, beats in zip(finding.measures, finding.mean_tau, finding.beats(), strict=True):
            where = f"{part.table}: {data}, consistency"
            text, symbol = part.rows[measure][:5], WORTH[part.rows[measure][5:]]
            place = finding.measures.index(measure)
            yield of_data(
                where, measure, f"mean tau, size {part.size}", text, mean, basis, **of_mean_tau(finding.taus[:, place], text)
            )
            yield of_data(where, measure, f"beats, size {part.size}", str(symbol), beats, basis, **of_beaten(finding, place))


def _split(scores: Scores, size: str, seed: int) -> Consistency:
    """Consistency over random splits, as the paper has it."""
    half_or_ten: Size = 10 if size == "10" else "half"
    return consistency(scores, size=half_or_ten, splits=_SPLITS, seed=seed, test="splits", incomplete="drop-topics")


def tested(setting: Setting, data: str, scores: Scores) -> Discrimination:
    """The p-values of a data set, which are drawn too."""
    return setting.once(
        ("tested", data, *(one.id for one in scores.measures)),
        lambda: replace(discrimination(scores, seed=setting.seed, incomplete="drop-topics"), name=data),
    )


def _discrimination(data: str, finding: Discrimination, basis: Basis) -> Iterator[Value]:
    for measure, count, p in zip(finding.measures, finding.counts.tolist(), finding.p, strict=True):
        text = str(SIGNIFICANT[measure]) if data == "dialeval1 E" else None
        yield of_data("Figures 1 to 3: significant pairs", measure, data, text, count, basis, **of_significant_pairs(p))


def with_plugins(setting: Setting, added: Sequence[Measure]) -> Iterator[Value]:
    """Measures of plugins in Tables 2, 3, 5, 6, 8 and 9 and in the numbers of Figures 1 to 3, on the same runs."""
    for task in STUDY.reads:
        own = [one for one in added if SHAPES[task].task in one.tasks]
        if not own:
            continue
        for data, scores in setting.scores(task, [*measures_of(task), *own]).items():
            basis = setting.basis({data: scores})
            alike = similarity(scores, incomplete="drop-topics", trials=1)
            found = tested(setting, data, scores)
            steady = {size: _split(scores, size, setting.seed) for size in ("half", "10")}
            for one in own:
                place = alike.measures.index(one.id)
                for other, tau in zip(alike.measures, alike.tau[place], strict=True):
                    if other != one.id:
                        yield of_data(f"{TABLES[data]}: {data}, similarity", one.id, other, None, tau, basis)
                for part in (part for part in PARTS if part.data == data):
                    mean = steady[part.size].mean_tau[steady[part.size].measures.index(one.id)]
                    where = f"{part.table}: {data}, consistency"
                    yield of_data(where, one.id, f"mean tau, size {part.size}", None, mean, basis)
                count = found.counts[found.measures.index(one.id)]
                yield of_data("Figures 1 to 3: significant pairs", one.id, data, None, count, basis)


# The data sets of each figure: Figure 1 has Subtask C, Figure 2 NTCIR's qualities, Figure 3 Subtask E.
FIGURES = {"figure-1": ("sem16t4c", "sem17t4c"), "figure-2": ("dialeval1",), "figure-3": ("sem16t4e", "sem17t4e")}


def drawings(setting: Setting) -> Iterator[Drawing]:
    """The discriminative power curves, a panel for each data set."""
    for name, tasks in FIGURES.items():
        scores = {data: one for task in tasks for data, one in setting.scores(task, measures_of(task)).items()}
        blocks = [tested(setting, data, one) for data, one in scores.items()]
        counted = ", ".join(f"{measure} {count}" for measure, count in SIGNIFICANT.items()) if name == "figure-2" else ""
        yield power_curves(name, blocks, setting.basis(scores).why, counted)


STUDY = Study(
    "sakai2021",
    SAKAI_2021,
    runs=(
        "Every question of the protocol on small frozen score matrices, against values that independent code has computed.",
        "Tables 2, 5 and 8: each of the 147 taus is one that tau-a can have with so many runs.",
        "Tables 3, 6 and 9: the effect sizes of the captions, and the best and the worst measures on average.",
        "The same: every symbol, from the printed means and V_E2 by the closed form of the randomised Tukey HSD test.",
        "Tables 4 and 7: groups that rank alike and ratings of consistency, by the program's rules and by the paper's.",
        "Tables 4 and 7, columns I to III, and Section 7: every claim, put to the search of `metameasure axioms`.",
        "The whole protocol (similarity, both consistencies, discrimination) on the data sets of Table 1, real or simulated.",
    ),
    cannot=(
        (
            "the taus of Tables 2, 5 and 8, the means of Tables 3, 6 and 9, Figures 1 to 3, the other columns of Tables 4 and 7",
            """they need the runs submitted to SemEval-2016 and 2017 Task 4 and to NTCIR-15 DialEval-1, which are not in the
            package: ask their organisers for them. With the files at hand all of it is computed and compared
            (`--data`)""",
        ),
    ),
    values=values,
    reads=("sem16t4c", "sem17t4c", "sem16t4e", "sem17t4e", "dialeval1"),
    tasks=("classification", "quantification"),
    with_plugins=with_plugins,
    drawings=drawings,
)
