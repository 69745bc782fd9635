"""``metameasure axioms``: the cases that are searched, against plain loops; results, formats and the command."""

import csv
import io
import json
from itertools import combinations_with_replacement, permutations, product
from math import prod

import numpy as np
import pytest

import metameasure as mm
from metameasure.properties import rendering
from metameasure.properties.cases import labels_of
from metameasure.properties.comparing import apart, distribution, listed
from metameasure.properties.constant_runs import PROPERTIES as BASELINES
from metameasure.properties.monotonicity import closer_moves
from metameasure.properties.property import properties
from metameasure.properties.spaces import gold_sizes, most_items, random_tables, table_block, weak_orders

IDS = [
    "ordinal_invariance",
    "ordinal_monotonicity",
    "imbalance",
    "order_aware",
    "constant_runs",
    "imbalance_aware",
    "symmetric",
    "perfect_only",
    "bounded",
    "chance_level",
    "degradation",
    "logical_symmetry",
    "identity",
    "non_negative",
    "monotonic",
    "maximum",
    "impartial",
    "relative",
    "absolute",
    "independent",
    "swap_monotone",
    "ties_in_expectation",
    "top_weighted",
]


def test_all_properties_are_there():
    found = [one.id for one in properties()]
    assert set(IDS) <= set(found)
    assert set(found) - set(IDS) == {"accuracy_agrees", "swap_monotone_tied"}


class TestCases:
    def test_so_many_tables(self):
        assert sum(len(table_block(4, items).tables) for items in range(1, 7)) == 74_612

    def test_tables_in_lexicographic_order_of_gold_then_output(self):
        """As sequences of labels, item by item."""
        items = list(product(range(1, 4), repeat=2))
        for number in (1, 2, 3):
            every = [tuple(zip(*chosen, strict=True)) for chosen in combinations_with_replacement(items, number)]
            found = [tuple(map(tuple, labels_of(table))) for table in table_block(3, number).tables]
            assert found == sorted(every)

    def test_a_table_is_found_where_it_stands(self):
        for classes, items in ((4, 5), (5, 3)):
            block = table_block(classes, items)
            assert np.array_equal(block.place(block.tables[::-1]), np.arange(len(block.tables))[::-1])

    def test_more_classes_fewer_items(self):
        assert [most_items(classes) for classes in (2, 4, 5, 6, 7)] == [6, 6, 6, 5, 4]

    @pytest.mark.parametrize(("classes", "items"), [(2, 3), (3, 3), (3, 4)])
    def test_all_moves_closer_and_no_other(self, classes, items):
        """Item by item: each output stays or goes to a class between it and its gold class."""
        block = table_block(classes, items)
        expected = set()
        for place, table in enumerate(block.tables):
            if not table.sum(axis=1).all():
                continue
            gold, output = labels_of(table)
            nearer = [range(o, g + 1) if o <= g else range(g, o + 1) for g, o in zip(gold, output, strict=True)]
            for moved in product(*nearer):
                after = np.zeros_like(table)
                np.add.at(after, (np.array(gold) - 1, np.array(moved) - 1), 1)
                if not np.array_equal(after, table):
                    expected.add((place, int(block.place(after[None])[0])))
        found = list(zip(*(side.tolist() for side in closer_moves(classes, items)), strict=True))
        assert found == sorted(expected)

    def test_gold_sizes(self):
        assert gold_sizes(2, 3, empty=True).tolist() == [[3, 0], [2, 1], [1, 2], [0, 3]]
        assert gold_sizes(2, 3, empty=False).tolist() == [[2, 1], [1, 2]]
        assert gold_sizes(3, 2, empty=False).tolist() == []

    def test_random_tables_reach_far_and_stay_the_same(self):
        drawn = random_tables(600, 0, empty=True)
        assert [tables.shape[-1] for tables in drawn] == [2, 3, 4, 5, 6, 7]
        sizes = np.concatenate([tables.sum(axis=(1, 2)) for tables in drawn])
        assert sizes.min() <= 6
        assert 150 < sizes.max() <= 200
        random_tables.cache_clear()
        assert all(np.array_equal(one, other) for one, other in zip(drawn, random_tables(600, 0, empty=True), strict=True))

    def test_weak_orders(self):
        assert [len(weak_orders(items)) for items in (1, 2, 3, 4, 5)] == [1, 3, 13, 75, 541]

    def test_chance_by_drawing_every_labelling(self):
        """Accuracy of labels drawn from q, over all 2^3 outputs: different for each q; kappa: 0 for each."""
        gold, classes = (0, 0, 1), 2
        for measure, same in (("accuracy", False), ("kappa_linear", True)):
            expected = []
            for q in ((1.0, 0.0), (0.5, 0.5), (0.2, 0.8)):
                total = weight = 0.0
                for output in product(range(classes), repeat=3):
                    counts = np.zeros((classes, classes))
                    np.add.at(counts, (list(gold), list(output)), 1)
                    score, chance = float(mm.measures[measure](counts)), prod(q[label] for label in output)
                    if not np.isnan(score):
                        total, weight = total + chance * score, weight + chance
                expected.append(total / weight)
            assert (np.ptp(expected) < 1e-9) == same
            assert mm.axioms(measure, properties="chance_level")[measure, "chance_level"].holds == same


def smallest_by_plain_loops(measure, relation, most=3):
    """The first pair of outputs for one gold that breaks the relation: fewest items, then classes, then lexicographic."""
    for items, classes in product(range(1, most + 1), range(2, 5)):
        for gold in combinations_with_replacement(range(1, classes + 1), items):
            for output in product(range(1, classes + 1), repeat=items):
                if list(zip(gold, output, strict=True)) != sorted(zip(gold, output, strict=True)):
                    continue
                for other in relation(gold, output, classes):
                    scores = []
                    for labels in (output, other):
                        counts = np.zeros((classes, classes))
                        np.add.at(counts, (np.array(gold) - 1, np.array(labels) - 1), 1)
                        scores.append(float(mm.measures[measure](counts)))
                    if scores[1] > scores[0] + 1e-9:
                        return list(gold), list(output)
    return None


def merges(_, output, classes):
    for label, into in permutations(range(1, classes + 1), 2):
        if label in output:
            yield tuple(into if one == label else one for one in output)


@pytest.mark.parametrize("measure", ["accuracy", "kappa", "alpha_ordinal", "conditional_entropy@1", "kendall_b"])
def test_the_smallest_degradation_by_plain_loops(measure):
    found = mm.axioms(measure, properties="degradation", classes=None, trials=0)[measure, "degradation"].counterexample
    if "@" in measure:  # names a class: not for the loops
        assert found.items == 3
        return
    assert (found.cases[0].parts["gold"], found.cases[0].parts["output"]) == smallest_by_plain_loops(measure, merges)


@pytest.fixture(scope="module")
def found():
    return mm.axioms("accuracy,mae,cem_ord,kappa_linear,nmd,tau@wmt12", trials=600)


class TestResult:
    def test_what_is_asked_of_which_measure(self, found):
        assert list(found.of("nmd")) == [
            "ordinal_invariance",
            "order_aware",
            "symmetric",
            "bounded",
            "identity",
            "non_negative",
            "monotonic",
            "impartial",
            "maximum",
            "relative",
            "absolute",
            "independent",
        ]
        assert "swap_monotone" in found.of("tau@wmt12")
        assert "identity" not in found.of("accuracy")
        entailment = mm.axioms("a2", trials=0).of("a2")
        assert {"degradation", "logical_symmetry"} <= set(entailment)
        assert not {"ordinal_invariance", "ordinal_monotonicity", "imbalance", "order_aware"} & set(entailment)
        described = mm.axioms("gold_entropy", trials=0).of("gold_entropy")
        assert not {"ordinal_monotonicity", "perfect_only", "degradation"} & set(described)

    def test_json(self, found):
        told = json.loads(found.render("json"))
        assert [measure["id"] for measure in told["measures"]] == list(found.measures)
        for measure in told["measures"]:
            for verdict in measure["axioms"].values():
                assert {"holds", "trials", "counterexample", "claimed"} <= set(verdict)
                assert isinstance(verdict["trials"], int)
        linear = told["measures"][3]["axioms"]
        assert linear["imbalance"]["holds"] is False
        assert linear["imbalance"]["claimed"] is True
        assert linear["imbalance"]["differs"] is True
        assert linear["imbalance"]["counterexample"]["items"] == 5
        assert linear["imbalance"]["counterexample"]["cases"][0]["gold"] == [1, 1, 2, 3, 4]
        assert linear["symmetric"] | {"holds": True, "counterexample": None, "claimed": None} == linear["symmetric"]

    def test_one_that_holds_says_over_how_many_cases(self, found):
        verdict = found["cem_ord", "ordinal_monotonicity"]
        assert verdict.exhaustive == 1_406_682
        assert verdict.over() == (
            f"1,406,682 cases (no empty gold class), exhaustively up to N = 6, C = 4, and {verdict.random} at random"
        )
        assert found["kappa_linear", "bounded"].undefined > 0
        assert "; undefined in " in found["kappa_linear", "bounded"].over()

    def test_the_table(self, found):
        counts, pairs, ranks = found.render("table").split("\n\nmeasure")[0], *found.render("table").split("measure  ")[2:4]
        assert "\nkappa_linear        ✗ 2" in counts
        families = [line for line in counts.splitlines() if line.startswith("(")]
        assert families[:2] == ["(Classification)", "(Value prediction)"]
        assert families[-1] == "(CEM)"
        assert "nmd" in pairs + ranks
        text = found.render("table")
        assert "✗ 5*" in text
        assert "*: a paper says otherwise." in text
        assert "kappa_linear, imbalance fails: gold 1 1 2 3 4, output 1 2 2 3 4" in text.replace("\n  ", " ")
        assert max(map(len, text.splitlines())) < 180

    def test_a_measure_by_itself_has_every_case_in_words(self):
        text = str(mm.axioms("cosine", trials=0))
        assert "gold 1 2 2, output 1 1 1 scores 0.962; the closer output 1 1 2 scores 0.953" in text
        assert "✓ Amigó et al. (2020), Table 2" in text

    def test_latex_as_in_amigo_table_2(self, found):
        three = mm.axioms(
            "accuracy,mae,cem_ord", properties="ordinal_invariance,ordinal_monotonicity,imbalance", trials=0
        ).render("latex")
        assert r"measure & Ord. Inv. & Ord. Mon. & Imb. \\" in three
        assert r"$\mathrm{CEM}^{\mathrm{ORD}}$ & $\checkmark$ & $\checkmark$ & $\checkmark$ \\" in three
        assert r"Accuracy & $\checkmark$ & - & - \\" in three

    def test_latex_as_in_sakai_tables_4_and_7(self):
        four = mm.axioms("kappa_linear,accuracy,mae", properties="order_aware,constant_runs,imbalance_aware", trials=100)
        assert r"measure & (I) & (II) & (III) \\" in four.render("latex")
        assert r"$\kappa_{\mathrm{lin}}$ & $\checkmark$ &  & $\checkmark$ \\" in four.render("latex")
        seven = mm.axioms("nmd,rnod,nvd", properties="order_aware,symmetric", trials=100)
        assert r"RNOD & $\checkmark$ &  \\" in seven.render("latex")

    @pytest.mark.parametrize("format", ["csv", "tsv"])
    def test_the_long_table(self, found, format):
        rows = list(csv.DictReader(io.StringIO(found.render(format)), delimiter="," if format == "csv" else "\t"))
        assert len(rows) == len(found.verdicts)
        assert rows[0] | {"measure": "accuracy", "property": "ordinal_invariance", "holds": "true", "claimed": "true"} == rows[0]

    @pytest.mark.parametrize("format", ["markdown", "html", "terminal"])
    def test_other_formats(self, found, format):
        assert "kappa_linear" in found.render(format)

    def test_no_other_format(self, found):
        with pytest.raises(mm.UsageError, match="there is no format 'yaml'"):
            found.render("yaml")

    def test_frame_and_chart(self, found, tmp_path):
        assert len(found.to_frame("pandas")) == len(found.verdicts)
        found.chart(tmp_path / "axioms.svg")
        assert (tmp_path / "axioms.svg").read_text().startswith("<?xml")
        cases = rendering._smallest(found)
        assert {one.title.partition(":")[0] for one in cases} >= {"invariance", "monotonicity", "imbalance"}
        assert len(found.chart().axes) == 3 + 2 * len(cases), "three matrices, and two bins for each property"

    def test_neither_threads_nor_other_measures_change_anything(self, found):
        alone = mm.axioms("cem_ord", trials=600, threads=1)
        assert alone.to_dict()["measures"][0] == found.to_dict()["measures"][2]

    def test_another_seed_draws_other_cases(self):
        def drawn(seed):
            return mm.axioms("kendall_b", properties="bounded", trials=900, seed=seed)["kendall_b", "bounded"].undefined

        assert drawn(0) == drawn(0)
        assert len({drawn(seed) for seed in range(4)}) > 1

    def test_undefined_everywhere_is_not_holding(self):
        verdict = mm.axioms("relative_absolute_error", properties="ordinal_invariance", trials=100).verdicts[0]
        assert verdict.holds is None
        assert verdict.sentence().startswith("not tried: undefined in all ")

    def test_words(self):
        assert apart(1.0, 0.976) == ["1.000", "0.976"]
        assert apart(0.5, 0.50004) == ["0.50000", "0.50004"]
        assert apart(0.5, 0.5 + 1e-12) == ["0.500", "0.500"]
        assert listed([1] * 20 + [2]) == "1×20 2×1"
        assert distribution([1 / 6, 1 / 3, 1 / 6, 1 / 3]) == "(1, 2, 1, 2)/6"
        assert distribution([1.0, 0.0]) == "(1, 0)"


class TestParameters:
    def test_a_parameter(self):
        assert mm.axioms("accuracy@2", properties="perfect_only", trials=0)["accuracy@2", "perfect_only"].holds is False
        assert mm.axioms("accuracy@n", properties="bounded", trials=0).measures == ("accuracy@1",)

    def test_a_class_by_its_name(self):
        found = mm.axioms("f1@pos+neg", classes="neg,neu,pos", properties="order_aware,symmetric", trials=300)
        assert found["f1@pos+neg", "order_aware"].holds is False
        assert found["f1@pos+neg", "symmetric"].holds
        assert "C = 3" in found["f1@pos+neg", "symmetric"].over()
        with pytest.raises(mm.UsageError, match="recall@pos names a class"):
            mm.axioms("recall@pos")

    def test_classes_of_a_measure_that_needs_no_names(self):
        """Only the number of classes is fixed; class values of the user's own are kept when an empty class comes in between."""
        found = mm.axioms("mae", classes="a,b,c", trials=50).of("mae")
        assert found["ordinal_invariance"].counterexample.classes == 3
        valued = mm.axioms("mae", classes="low=1,mid=2,high=5", trials=50).of("mae")
        assert "class values" in valued["ordinal_invariance"].counterexample.words
        assert valued["ordinal_monotonicity"].holds
        assert mm.axioms("nmd", classes="a,b,c", trials=50).of("nmd")["independent"].holds

    def test_many_classes_are_tried_with_fewer_items(self):
        """Tables of six items and seven classes are 25 million."""
        verdicts = mm.axioms("accuracy", classes="1..7", properties="logical_symmetry,symmetric", trials=0).of("accuracy")
        assert {verdict.reach for verdict in verdicts.values()} == {"N = 4, C = 7"}

    def test_classes_that_are_renamed_are_not_an_order(self):
        """recall of a class goes where the class goes."""
        assert mm.axioms("recall@1", properties="order_aware", trials=100)["recall@1", "order_aware"].holds is False

    def test_distances(self):
        """|i - j| is linear kappa; 0 and 1 is plain kappa, which no order changes."""
        steps = np.abs(np.subtract.outer(range(3), range(3)))
        asked = "order_aware,symmetric,imbalance,ordinal_monotonicity"
        weighted = mm.axioms("kappa_weighted", distance=steps, properties=asked, trials=300).of("kappa_weighted")
        linear = mm.axioms("kappa_linear", classes="1..3", properties=asked, trials=300).of("kappa_linear")
        assert {name: one.holds for name, one in weighted.items()} == {name: one.holds for name, one in linear.items()}
        nominal = mm.axioms("kappa_weighted", distance=steps > 0, properties="order_aware", trials=0)
        assert nominal["kappa_weighted", "order_aware"].holds is False
        with pytest.raises(mm.UsageError, match="needs distances"):
            mm.axioms("kappa_weighted")

    def test_distances_of_five_classes(self):
        steps = np.abs(np.subtract.outer(range(5), range(5)))
        verdict = mm.axioms("kappa_weighted", distance=steps, properties="symmetric", trials=0).verdicts[0]
        assert verdict.holds
        assert "N = 6, C = 5" in verdict.over()

    def test_without_names_all_are_tried_and_some_cannot_be(self):
        found = mm.axioms(task="classification", properties="bounded", trials=0)
        assert found["kappa_weighted", "bounded"].holds is None
        assert "needs distances" in found["kappa_weighted", "bounded"].reason
        assert {"recall@1", "accuracy@1", "mutual_information"} <= set(found.measures)

    def test_wrong_names(self):
        with pytest.raises(mm.UsageError, match="there is no property 'imbalanced'; did you mean 'imbalance'"):
            mm.axioms("accuracy", properties="imbalanced")
        with pytest.raises(mm.UsageError, match="there is no task"):
            mm.axioms(task="regression")
        with pytest.raises(mm.UsageError, match="none of these measures is for ranking"):
            mm.axioms("accuracy", task="ranking")
        with pytest.raises(mm.UsageError, match="none of these properties applies to"):
            mm.axioms("nmd", properties="degradation")
        with pytest.raises(mm.UsageError, match="trials cannot be -1"):
            mm.axioms("accuracy", trials=-1)


PLUGIN = """
from metameasure.catalogue.arrays import namespace, ratio
from metameasure.catalogue.classification.tables import TABLES, hits, total
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import Citation


@measure(
    id="error_rate", title="Error rate", symbol="Err", tasks=("classification",), inputs=TABLES, better="lower", range=(0, 1),
    perfect=0, scale="nominal", formula="Err = 1 - sum of c_gg / N", use="When errors are what you count.",
    source=(Citation("Nobody (2026)", "Nobody. Nothing. 2026."),), undefined=(),
)
def error_rate(counts):
    return 1 - ratio(namespace(counts).sum(hits(counts), axis=-1), total(counts))
"""


class TestCommand:
    def test_one_measure(self, run):
        status, out, err = run("axioms", "cem_ord", "--trials", 100)
        assert (status, err) == (0, "")
        assert "ordinal_monotonicity  ✓" in out

    def test_several_as_json(self, run):
        status, out, _ = run("axioms", "mae", "accuracy", "--trials", 0, "--format", "json")
        assert status == 0
        assert [measure["id"] for measure in json.loads(out)["measures"]] == ["mae", "accuracy"]

    def test_a_plugin_is_put_to_the_same_trial(self, run, tmp_path):
        file = tmp_path / "mine.py"
        file.write_text(PLUGIN)
        status, out, _ = run("axioms", "--plugin", file, "--trials", 0, "--format", "json")
        assert status == 0
        (mine,) = json.loads(out)["measures"]
        accuracy = mm.axioms("accuracy", trials=0).of("accuracy")
        assert mine["id"] == "error_rate"
        assert {name: one["holds"] for name, one in mine["axioms"].items()} == {name: one.holds for name, one in accuracy.items()}
        assert all(one["claimed"] is None for one in mine["axioms"].values())

    def test_a_distance_file(self, run, tmp_path):
        file = tmp_path / "distance.csv"
        file.write_text("class,neg,neu,pos\nneg,0,1,3\nneu,1,0,1\npos,3,1,0\n")
        arguments = ("axioms", "kappa_weighted", "--distance", file, "--classes", "neg,neu,pos", "--properties", "symmetric")
        status, out, err = run(*arguments, "--trials", 0)
        assert (status, err) == (0, "")
        assert "symmetric       ✓" in out

    def test_a_chart(self, run, tmp_path):
        assert run("axioms", "mae", "--trials", 0, "--chart", tmp_path / "mae.png")[0] == 0
        assert (tmp_path / "mae.png").read_bytes().startswith(b"\x89PNG")
        assert run("axioms", "mae", "--trials", 0, "--chart", tmp_path / "mae.doc")[0] == 2

    def test_what_is_wrong_with_the_call(self, run):
        status, _, err = run("axioms", "recall@pos")
        assert status == 2
        assert "recall@pos names a class, but not which classes there are; give them by --classes" in err
        assert run("axioms", "cem_odr")[0] == 2


def test_constant_runs_says_that_two_papers_want_opposite_things():
    assert "Two papers want opposite things" in BASELINES[0].note
