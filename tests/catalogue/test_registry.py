"""Names: they parse and print the same, aliases lead to one measure, typos are caught."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metameasure as mm
from conftest import ROOT, recorded_measures
from metameasure.catalogue.explain import _narrower, explanation_markdown, explanation_text, names_elsewhere, page_name
from metameasure.catalogue.facts import Reads, Recommendation
from metameasure.catalogue.foreign import are_called_alike, known_or_foreign
from metameasure.catalogue.parameters import split_unescaped
from metameasure.catalogue.registry import Registry, place_of
from metameasure.catalogue.sources import SAKAI_2021
from metameasure.testing.cases import trial

# The ids of the interface, task by task, and dw@LABEL, for looking closer; nothing else.
CLASSIFICATION = """
accuracy accuracy@n precision@LABEL recall@LABEL f1@LABEL macro_recall macro_precision f1_macro hmpr mae mae_macro mse mse_macro
mcc rmse f1_weighted
kappa kappa_linear kappa_quadratic kappa_weighted alpha_weighted alpha_nominal alpha_ordinal alpha_interval alpha_ratio
cem_ord cem_nom cem_int cem_flat pearson spearman kendall_a kendall_b gamma cosine mutual_information mutual_information@corrected
conditional_entropy conditional_entropy@LABEL gold_entropy purity inverse_purity reliability sensitivity
reliability_sensitivity_f oci threshold_loss
""".split()  # noqa: SIM905 - a list of forty strings reads worse
ENTAILMENT = """
a3 a2 a3_macro a2_macro a3_given@LABEL a2_given@LABEL a3_of@LABEL a2_of@LABEL average_precision confidence_weighted_score
""".split()  # noqa: SIM905
QUANTIFICATION = """
nmd emd dw@LABEL od sod nod snod rnod rsnod adw rnadw rnod_gold rnadw_gold nvd rnss kld jsd absolute_error squared_error
relative_absolute_error normalised_kld manhattan wasserstein rps rps_normalised rps_spread
""".split()  # noqa: SIM905
RANKING = """
tau@wmt08 tau@wmt12 tau@wmt13 tau@wmt14 tau@xties tau@a tau@b tau@eq tau@darr pairwise_accuracy mrr dcg ndcg err best_vs_human@r
average_predicted_rank average_precision
""".split()  # noqa: SIM905
AGREEMENT = """
percent_agreement fleiss ac1 ac2 brennan_prediger conger icc1 icc1k icc2 icc2k icc3 icc3k kendall_w
alpha_nominal alpha_ordinal alpha_interval alpha_ratio alpha_weighted aer anad
""".split()  # noqa: SIM905
IDS = list(dict.fromkeys([*CLASSIFICATION, *QUANTIFICATION, *ENTAILMENT, *RANKING, *AGREEMENT]))
TASKS = [
    ("classification", CLASSIFICATION),
    ("quantification", QUANTIFICATION),
    ("ranking", RANKING),
    ("entailment", ENTAILMENT),
    ("agreement", AGREEMENT),
]


@pytest.mark.parametrize(("task", "ids"), TASKS)
def test_every_measure_of_a_task_is_there(task, ids):
    found = {name for name, measure in mm.measures.items() if task in measure.tasks}
    assert set(ids) <= found
    assert {*recorded_measures()} <= {*mm.measures}


@pytest.mark.parametrize(
    "name",
    [
        *IDS,
        "accuracy@1",
        "accuracy@12",
        "recall@positive",
        "f1@pos+neg",
        r"f1@\+1+-1",
        "oci@beta=0.5:gamma=2.0",
        "f1@very bad",
        "mutual_information@rank",
        "gold_entropy@confidence",
        "a2_given@yes",
        "average_precision@10",
        "ndcg@5",
        "ndcg@gain=linear",
        "ndcg@5:gain=linear",
        "err@10:ties=worst:relevance=given:highest=4",
        "err@highest=4.5",
        "best_vs_human@2:ranks=minimize",
        "pairwise_accuracy@epsilon=0.25",
    ],
)
def test_names_parse_and_print_the_same(name):
    measure = mm.measures.parse(name)
    assert str(measure) == name
    assert mm.measures.parse(str(measure)) == measure


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique=True))
def test_any_class_name_survives_parsing(labels):
    template = mm.measures["f1@LABEL"]
    name = f"f1@{template.parameter.print(tuple(labels))}"
    if name != "f1@LABEL":
        assert mm.measures.parse(name).argument == tuple(labels)
        assert split_unescaped(name, ",") == [name]


def test_settings_in_any_order_are_one_measure():
    assert mm.measures["ndcg@5:relevance=ceiling:gain=linear"] == mm.measures["ndcg@5:gain=linear:relevance=ceiling"]
    assert mm.measures["oci@gamma=2:beta=.5"] == mm.measures["oci@beta=0.5:gamma=2"]


def test_aliases_lead_to_one_measure():
    assert mm.measures["maac"].id == mm.measures["macro_recall"].id
    assert mm.measures["qwk"].id == "kappa_quadratic"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("f1_micro", "accuracy"),
        ("qwk", "kappa_quadratic"),
        ("quadratic_weighted_kappa", "kappa_quadratic"),
        ("balanced_accuracy", "macro_recall"),
        ("uar", "macro_recall"),
        ("recall_macro", "macro_recall"),
        ("precision_macro", "macro_precision"),
        ("ndcg_cut_10", "ndcg@10:gain=linear"),
        ("map", "average_precision"),
        ("map_cut_5", "average_precision@5"),
        ("recip_rank", "mrr"),
        ("f1_weighted", "f1_weighted"),
        ("rmse", "rmse"),
        ("mcc", "mcc"),
        ("tau@wmt12", "tau@wmt12"),
    ],
)
@pytest.mark.parametrize("case", [str, str.upper, str.title])
def test_names_people_type(typed, meant, case):
    assert mm.measures[case(typed)].id == meant


def test_the_case_of_a_class_is_kept():
    assert mm.measures["F1@Positive"].argument == ("Positive",)


def test_what_a_measure_also_goes_by_stands_on_its_page(run):
    assert "Also called\n  ndcg_cut_K (ndcg@K:gain=linear)" in run("measures", "ndcg")[1]
    assert "f1_micro" in run("measures", "accuracy")[1]


def test_two_measures_may_not_share_a_name_of_another_program():
    ndcg = mm.measures["ndcg"]
    other = dataclasses.replace(mm.measures["mrr"], template="other", aliases=(), spellings={"ndcg_cut_K": "K"})
    with pytest.raises(mm.UsageError, match="'ndcg_cut_K' is declared twice"):
        Registry([ndcg, other])


def test_all_wrong_names_are_reported_at_once():
    for asked in ("mae,kapa,cem_rod,f1@", ["mae", "kapa", "cem_rod", "f1@"]):
        with pytest.raises(mm.UsageError) as caught:
            mm.measures.select(asked)
        lines = str(caught.value).splitlines()
        assert lines[0] == "3 measures cannot be found:"
        assert lines[1].startswith("  there is no measure 'kapa'; did you mean 'kappa'")
        assert lines[2].startswith("  there is no measure 'cem_rod'; did you mean 'cem_ord'")
        assert lines[3].startswith("  f1@: '' does not name classes")


def test_all_wrong_names_of_a_call_are_reported_at_once(run, tmp_path):
    (tmp_path / "gold.tsv").write_text("item\tlabel\n1\ta\n")
    file = str(tmp_path / "gold.tsv")
    status, _, err = run("evaluate", file, file, "--classes", "a,b", "--measures", "kapa,cem_rod")
    assert status == 2
    assert "'kapa'" in err
    assert "'cem_rod'" in err


def test_a_list_of_names():
    assert [str(m) for m in mm.measures.select("mae, f1@a\\,b+c ,mae,cem_ord")] == ["mae", "f1@a\\,b+c", "cem_ord"]
    with pytest.raises(mm.UsageError, match="no measure was chosen"):
        mm.measures.select(" , ")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("cem_rod", "did you mean 'cem_ord'"),
        ("f1@", "does not name classes"),
        ("f1@a++b", "does not name classes"),
        ("f1@a+a", "twice"),
        ("precision", r"precision@LABEL, as in precision@positive"),
        ("mae@2", "takes no parameter"),
        ("accuracy@-1", "whole number from 1 up"),
        ("accuracy@1.5", "whole number"),
        ("accuracy@²", "whole number"),
        ("acuracy@1", "did you mean 'accuracy"),
        ("oci@bta=1", "did you mean 'beta'"),
        ("oci@beta=x", "'x' is not a number"),
        ("oci@2", "beta=NUMBER"),
        ("ndcg@gain=log", "gain cannot be 'log'; choose exponential or linear"),
        ("ndcg@gian=linear", "did you mean 'gain'"),
        ("ndcg@gain=linear:5", "cannot read '5'"),
        ("ndcg@5:gain=linear:gain=linear", "'gain' is said twice"),
        ("ndcg@0", "whole number from 1 up"),
        ("err@highest=x", "'x' is not a number"),
        ("err@highest=0", "highest cannot be 0; a number above 0"),
        ("oci@beta=-1", "beta cannot be -1; a number from 0 up"),
        ("best_vs_human@ties=worst", "the r is missing"),
        ("tau@wmt15", "there are tau@wmt08, tau@wmt12, "),
        ("tau", "there are tau@wmt08, "),
        ("zzz", "'metameasure measures' lists them"),
    ],
)
def test_names_that_are_wrong(name, complaint):
    with pytest.raises(mm.UsageError, match=complaint):
        mm.measures[name]


def test_a_registry_is_a_mapping():
    assert "cem_ord" in mm.measures
    assert "accuracy@3" in mm.measures
    assert "cem_rod" not in mm.measures
    assert mm.measures.get("cem_rod") is None
    assert len(mm.measures) == len([*mm.measures]) >= len(IDS)
    assert "cem_ord" in repr(mm.measures)


@pytest.mark.parametrize(
    ("name", "reads"),
    [
        ("cem_ord", Reads.COUNTS),
        ("mutual_information@rank", Reads.COUNTS_BY_RANK),
        ("gold_entropy@confidence", Reads.COUNTS_BY_CONFIDENCE),
        ("rnod", Reads.DISTRIBUTIONS),
        ("ndcg@5", Reads.RANKS),
        ("ndcg@5:relevance=given", Reads.GRADES),
        ("tau@darr", Reads.GOLD_SCORES),
        ("pairwise_accuracy", Reads.PREDICTED_SCORES),
        ("average_precision", Reads.BELIEF_ORDER),
        ("confidence_weighted_score", Reads.CONFIDENCE_ORDER),
    ],
)
def test_what_a_measure_reads(name, reads):
    """A member of one type, equal to its text, that knows its arrays."""
    measure = mm.measures[name]
    assert measure.reads is reads
    assert measure.reads == reads.value == str(reads)
    assert {reads: 1}[reads.value] == 1
    assert measure.inputs.arrays == reads.arrays
    assert len(measure.inputs.example.arrays) == len(reads.arrays)
    assert np.ndim(measure.inputs.example.arrays[0]) == reads.case_axes


def test_the_text_of_what_is_read_does_as_well():
    assert dataclasses.replace(mm.measures["rnod"].inputs, reads="ranks").reads is Reads.RANKS
    with pytest.raises(mm.UsageError, match="cannot read 'rank'; did you mean 'ranks'"):
        dataclasses.replace(mm.measures["rnod"].inputs, reads="rank")


def test_symbols_carry_the_parameter():
    assert mm.measures["accuracy@2"].symbol == "Accuracy@2"
    assert mm.measures["recall@LABEL"].symbol == "Rec(LABEL)"
    assert mm.measures["conditional_entropy@pos"].symbol == "H(G|L=pos)"


def test_a_page_says_what_a_measure_is_called_and_assumes():
    precision, accuracy, ordinal = (mm.measures[id] for id in ("average_precision", "accuracy", "cem_ord"))
    assert explanation_text(precision, name="map").startswith("map is another name of average_precision.\n\naverage_precision: ")
    assert explanation_text(precision, name="average_precision").startswith("average_precision: ")
    assert "assumes a nominal scale" in explanation_text(accuracy)
    assert "assumes an ordinal scale" in explanation_text(ordinal)
    assert "Undefined NaN where " in " ".join(explanation_text(accuracy).split())


@pytest.mark.parametrize("id", mm.measures)
def test_its_page_says_what_it_declares(id):
    measure = mm.measures[id]
    page = ROOT / "docs" / "measures" / page_name(measure)
    assert explanation_markdown(measure) in page.read_text(encoding="utf-8"), "run python docs/generate.py"


def test_no_two_measures_have_the_same_place_among_those_shown():
    places = [(task.partition("@")[0], place) for measure in mm.measures.values() for task, place in measure.headline.items()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("id", [id for id, measure in mm.measures.items() if measure.on_gold])
def test_the_worth_of_answers_adds_up_to_the_score(id):
    """The measure is the worth of all answers over that of a perfect output."""
    case = trial(mm.measures[id], 4)
    for counts in case.arrays[0][:12]:
        gold = counts.sum(axis=1)
        worth = np.asarray(case.measure.worth(gold, case.scale))
        expected = (counts * worth).sum() / (gold * np.diag(worth)).sum() if gold.all() else None
        if expected is not None:
            assert case(counts) == pytest.approx(expected, abs=1e-12)


def test_whom_a_recommendation_is_for():
    advice = Recommendation(
        "ranking", "primary", "is good", SAKAI_2021, scales=("ordinal",), where=("grades",), unless=("human_ties",)
    )
    assert advice.fits("ranking", "ordinal", {"grades"})
    assert advice.fits("ranking", None, {"grades", "confidence"})
    for task, kind, traits in (
        ("entailment", "ordinal", {"grades"}),
        ("entailment", None, {"grades"}),
        ("ranking", "nominal", {"grades"}),
        ("ranking", "ordinal", set()),
        ("ranking", "ordinal", {"grades", "human_ties"}),
    ):
        assert not advice.fits(task, kind, traits)


class TestQuestions:
    def test_every_measure_of_ours_is_asked_something(self):
        from metameasure.catalogue.questions import OTHERS

        assert [measure.template for measure in mm.measures.all if measure.question in ("", OTHERS)] == []
        assert mm.measures.of_task("ranking")["P@10"].question == "Which system ranks relevant documents first?"

    def test_a_measure_that_does_not_say_is_listed_all_the_same(self, run, tmp_path):
        plugin = tmp_path / "plugin.py"
        plugin.write_text(
            "import metameasure as mm\n"
            '@mm.measure(id="errors", title="E", better="lower", range=(0, 1), formula="1 - A", source="You (2026)")\n'
            'def errors(counts):\n    return 1 - mm.measures["accuracy"].function(counts)\n'
        )
        out = run("measures", "--plugin", plugin, "--task", "classification")[1]
        assert out.index("Which system labels most items right?") < out.index("\nerrors ") < out.index("Which system finds each")

    @pytest.mark.parametrize(("format", "heading"), [("table", "\n{}\n"), ("markdown", "### {}"), ("html", "<h3>{}</h3>")])
    def test_the_list_is_grouped(self, run, format, heading):
        out = run("measures", "--format", format)[1]
        questions = list(dict.fromkeys(measure.question for measure in mm.measures.all))
        places = [("\n" + out).index(heading.format(question)) for question in questions]
        assert places == sorted(places)
        assert len(questions) > 10

    def test_programs_read_it_in_a_column(self, run):
        out = run("measures", "--task", "ranking", "--format", "tsv")[1]
        rows = [line.split("\t") for line in out.splitlines()]
        assert rows[0][-1] == "question"
        assert {row[-1] for row in rows if row[0] == "ndcg"} == {"Which system ranks relevant documents first?"}


def test_what_is_shown_first_is_short():
    tasks = {task for measure in mm.measures.all for task in measure.tasks}
    assert {task: len(mm.measures.headline(task)) for task in tasks if len(mm.measures.headline(task)) > 9} == {}


# What somebody sees who asks for no measures, in this order.
SHOWN_FIRST = {
    "classification": "cem_ord mae_macro kappa_linear alpha_ordinal f1_macro macro_recall accuracy",
    "entailment": "a3 a2 a3_macro kappa mutual_information gold_entropy confidence_weighted_score mutual_information@rank "
    "gold_entropy@rank",
    "multilabel": "f1_micro f1_macro f1_samples hamming_loss subset_accuracy",
    "probabilities": "log_loss brier rps auc ece",
    "quantification": "rnod nmd rsnod nvd rnss jsd",
    "ranking": "tau@wmt12 tau@wmt14 pairwise_accuracy mrr ndcg err",
}


@pytest.mark.parametrize(("task", "ids"), SHOWN_FIRST.items())
def test_which_measures_are_shown_first(task, ids):
    assert " ".join(measure.id for measure in mm.measures.headline(task)) == ids


def test_how_many_axes_are_classes():
    axes = {reads: (reads.case_axes, reads.class_axes) for reads in Reads.known.values()}
    assert axes[Reads.COUNTS] == axes[Reads.WEIGHTS_BY_RANK] == (2, 2)
    assert axes[Reads.DISTRIBUTIONS] == (1, 1)
    assert axes[Reads.RANKS] == axes[Reads.BELIEF_ORDER] == axes[Reads.OUTCOMES] == (1, 0)
    assert axes[Reads.SYSTEMS] == (2, 0)
    assert axes[Reads.RATINGS] == axes[Reads.PROBABILITIES] == axes[Reads.SETS] == (2, 1)
    assert axes[Reads.PERSONS] == axes[Reads.PREDICTIONS] == (3, 1)


def test_a_program_that_no_measure_names():
    with pytest.raises(mm.UsageError, match="no measure says what it is called in 'sklern'") as near:
        names_elsewhere(mm.measures.all, "sklern", "table")
    assert "sklearn" in near.value.hint
    with pytest.raises(mm.UsageError) as far:
        names_elsewhere(mm.measures.all, "abacus", "table")
    assert far.value.hint.startswith("ask for ")
    assert "sklearn" in far.value.hint


def test_scores_of_a_measure_that_is_known_by_its_own_name_only():
    """Scores may be of another program's measure of the other name."""
    assert known_or_foreign("accuracy", mm.measures) is mm.measures["accuracy"]
    (alias, *_) = mm.measures["average_precision"].aliases
    assert mm.measures[alias].template == "average_precision"
    for name in (alias, "of my own", ""):
        found = known_or_foreign(name, mm.measures)
        assert (found.id, found.kind) == (name, "foreign")


def test_measures_of_several_tasks_with_one_name():
    of_sets, of_classes = (mm.measures.of_task(task)["f1_macro"] for task in ("multilabel", "classification"))
    assert of_sets.function is not of_classes.function
    assert are_called_alike([of_sets], "multilabel", mm.measures)
    assert not are_called_alike([of_classes], "classification", mm.measures)
    assert not are_called_alike([mm.measures["accuracy"]], "classification", mm.measures)


def test_a_range_of_numbers_is_a_measure_at_each():
    assert [one.id for one in mm.measures.select("ndcg@2..4:gain=linear")] == [f"ndcg@{k}:gain=linear" for k in (2, 3, 4)]
    assert [one.id for one in mm.measures.select("accuracy@1..1")] == ["accuracy@1"]


def test_a_narrow_list_says_the_task_where_there_are_several():
    tasks = [mm.measures.of_task(task) for task in ("classification", "ranking")]
    one, other = tasks[0]["accuracy"], tasks[1]["mrr"]
    assert _narrower([one, tasks[0]["kappa"]]).rows[0][1] == one.title
    assert [row[1] for row in _narrower([one, other]).rows] == [
        f"{found.title} ({', '.join(found.tasks)})" for found in (one, other)
    ]


def test_a_new_folder_takes_no_name_from_those_that_are_there():
    folders = {measure.module.split(".")[2] for measure in mm.measures.all}
    assert max(folders | {"anomalies"}, key=place_of) == "anomalies"
