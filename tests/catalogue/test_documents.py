"""Measures of lists of which only some documents were judged: the values of trec_eval and ir_measures, and their names."""

import csv
import itertools

import numpy as np
import pytest

import metameasure as mm

QRELS = "1 0 d1 2;1 0 d2 0;1 0 d3 1;1 0 d4 1;1 0 d5 0;1 0 d6 -1;2 0 d1 0;2 0 d2 1;2 0 d7 3;3 0 d1 0;3 0 d2 0"
RUN = (
    "1 Q0 d2 1 9 t;1 Q0 d1 2 8 t;1 Q0 d9 3 8 t;1 Q0 d3 4 7 t;1 Q0 d6 5 6 t;1 Q0 d5 6 5 t;1 Q0 d4 7 4 t;"
    "2 Q0 d8 1 3 t;2 Q0 d7 2 2 t;3 Q0 d1 1 1 t;3 Q0 d5 2 .5 t"
)
# By topic, as trec_eval and ir_measures have them (rr@2 by hand).
AS_TREC_EVAL = {
    "P@2": (0, 0.5, 0), "P_5": (0.4, 0.2, 0), "R@5": (0.666667, 0.5, 0), "Success@2": (0, 1, 0), "RR@2": (0, 0.5, 0),
    "nDCG@5": (0.456949, 0.521296, 0), "ndcg@5:gain=exponential": (0.46737, 0.57876, 0), "Rprec": (0.333333, 0.5, 0),
    "Bpref": (0.333333, 0.5, 0), "infAP": (0.444446, 0.25, 0), "RBP(p=.8)": (0.2828288, 0.16, 0),
    "rbp_residual@p=0.8": (0.4516352, 0.84, 0.8), "Judged@5": (0.8, 0.5, 0.5), "judged@2": (0.5, 0.5, 0.5),
    "precision@5:rel=2": (0.2, 0.2, 0), "r_precision@rel=2": (0, 0, 0), "bpref@rel=2": (0, 1, 0),
    "mrr@rel=2": (1 / 3, 0.5, 0), "RR(rel=2)@2": (0, 0.5, 0), "P(rel=2)@5": (0.2, 0.2, 0),
    "nDCG(dcg='exp-log2')@5": (0.46737, 0.57876, 0),
    "NumRet": (7, 2, 2), "NumRel": (3, 2, 0), "NumRelRet": (3, 1, 0), "num_q": (1, 1, 1),
    "IPrec@0.3": (0.5, 0.5, 0), "IPrec@0.7": (0.5, 0, 0), "IPrec@0.7:rounding=up": (3 / 7, 0, 0),
    "gm_map": (np.log(0.42063492), np.log(0.25), np.log(1e-5)),
}  # fmt: skip
# Of topics 1 and 2, as pyNTCIREVAL 0.0.3 has them, with the gains 1:2:3 (linear) and 1:3:7 (exponential).
AS_NTCIREVAL = {
    "q_measure": (0.5633116883, 0.3333333333), "Q@2": (0, 0.3333333333), "Q@4": (0.3511904762, 0.3333333333),
    "q_measure@beta=0.5": (0.5129629630, 0.3125), "q_measure@gain=exponential": (0.6111111111, 0.4),
    "nerr": (0.3532041729, 0.4955752212), "nERR@2": (0, 0.4955752212), "nerr@4": (0.3308494784, 0.4955752212),
    "nerr@gain=linear": (0.3558897243, 0.48), "nerr@4:gain=linear": (0.3333333333, 0.48),
}  # fmt: skip
# Of topic 1 with its tie in expectation.
IN_EXPECTATION = {"P@2": 0.25, "Success@2": 0.5, "mrr": 0.416667, "rbp@p=0.8": 0.298829, "Judged@2": 0.75}


@pytest.fixture
def files(tmp_path):
    for name, text in (("qrels.txt", QRELS), ("a.run", RUN)):
        (tmp_path / name).write_text(text.replace(";", "\n") + "\n")
    return str(tmp_path / "qrels.txt"), str(tmp_path / "a.run")


@pytest.mark.parametrize(("name", "expected"), AS_TREC_EVAL.items())
def test_as_trec_eval(files, name, expected):
    scores = mm.evaluate(*files, task="ranking", measures=[name])
    assert scores.values[0, :, 0] == pytest.approx(expected, abs=6e-6)


@pytest.mark.parametrize(("name", "expected"), AS_NTCIREVAL.items())
def test_as_ntcireval(files, name, expected):
    scores = mm.evaluate(*files, task="ranking", measures=[name])
    assert scores.values[0, :2, 0] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("name", ["q_measure", "q_measure@3:beta=2", "nerr", "nerr@2:gain=linear"])
def test_ties_of_graded_measures_are_the_mean_over_all_orders(name):
    measure = mm.measures[name + (":" if "@" in name else "@") + "relevance=given" + (":highest=3" if "nerr" in name else "")]
    ranks, grades = np.array([1.0, 2, 2, 2, 3, 3]), np.array([0.0, 1, 3, 0, 2, 1])
    orders = []
    for tied, last in itertools.product(itertools.permutations((2.0, 3, 4)), itertools.permutations((5.0, 6))):
        orders.append(float(measure([1.0, *tied, *last], grades)))
    assert float(measure(ranks, grades)) == pytest.approx(np.mean(orders), abs=1e-12)


def test_without_gains_it_is_average_precision(files):
    scores = mm.evaluate(*files, task="ranking", measures=["q_measure@beta=1e-12", "map"])
    assert scores.values[0] == pytest.approx(scores.values[1], abs=1e-9)


class TestNumbersOfDocuments:
    def test_they_are_added_up(self, files, run):
        scores = mm.evaluate(*files, task="ranking", measures="num_ret,num_rel,num_rel_ret,P@5")
        assert scores.averages()[:, 0] == pytest.approx((11, 5, 4, 0.2))
        assert scores.to_dict()["runs"][0]["scores"]["num_ret"] == 11
        assert " 11 " in run("evaluate", *files, "--task", "ranking", "--measures", "P@5,num_ret,num_rel")[1]

    def test_of_a_topic_that_a_run_does_not_answer(self, files, tmp_path):
        (tmp_path / "a.run").write_text("2 Q0 d8 1 3 t\n2 Q0 d7 2 2 t\n")
        names = "num_ret,num_rel,num_rel_ret,rbp@p=0.8"
        ours = mm.evaluate(*files, task="ranking", measures=names, compat="none")
        with pytest.warns(mm.MetameasureWarning, match="defined on 1 of 3 topics only"):
            own = mm.evaluate(*files, task="ranking", measures=names)
        assert own.averages()[:3, 0].tolist() == [2, 2, 1]
        assert ours.averages()[:3, 0].tolist() == [2, 5, 1]
        assert ours.values[3:, 0, 0].tolist() == [0, 1]  # nothing is known of what it did not retrieve

    def test_a_sum_has_no_interval_of_a_mean(self, files):
        scores = mm.evaluate(*files, task="ranking", measures="P@5,num_ret", ci=True)
        low, high = scores.intervals.shown
        assert not np.isnan(low[0]).any()
        assert np.isnan([low[1], high[1]]).all()

    def test_they_are_read_back_as_they_are(self, files, tmp_path):
        scores = mm.evaluate(*files, task="ranking", measures="num_ret,P@5")
        scores.save(tmp_path / "scores.csv")
        assert mm.read_scores(tmp_path / "scores.csv").averages()[0, 0] == 11


def test_what_is_unknown_stands_beside_rbp(files, run):
    out = run("evaluate", *files, "--task", "ranking", "--measures", "RBP(p=.8)")[1]
    assert "rbp_residual@p=0.8" in out
    assert "0.6972" in out


def test_ties_in_expectation(files):
    scores = mm.evaluate(*files, task="ranking", measures=[*IN_EXPECTATION], compat="none")
    ours = {measure.id: value for measure, value in zip(scores.measures, scores.values[:, 0, 0], strict=True)}
    for name, expected in IN_EXPECTATION.items():
        assert ours[mm.measures.of_task("ranking")[name].id] == pytest.approx(expected, abs=6e-7)


def test_what_is_undefined_says_why(files):
    with pytest.warns(mm.MetameasureWarning, match="infap of a is defined on 1 of 3 topics only"):
        scores = mm.evaluate(*files, task="ranking", measures=["R@5", "P@5", "bpref", "infap"], compat="none")
    of_topic = dict(zip((one.id for one in scores.measures), scores.values[:, 2, 0], strict=True))
    assert np.isnan([of_topic[name] for name in ("recall@5", "bpref", "infap")]).all()
    assert of_topic["precision@5"] == 0
    assert np.isnan(scores.values[3, 0, 0])  # ties


def test_a_document_of_the_pool_that_nobody_judged_is_not_irrelevant(files, tmp_path):
    """As 0 it would stand before d4, and bpref would be .4444: d4 behind two irrelevant documents of three."""
    judged = tmp_path / "judged.txt"
    judged.write_text((tmp_path / "qrels.txt").read_text().replace("d6 -1", "d6 0"))
    (plain,), (other,) = (
        mm.evaluate(gold, files[1], task="ranking", measures=["bpref"]).values[:, 0, 0] for gold in (files[0], str(judged))
    )
    assert plain == pytest.approx(1 / 3)
    assert other != pytest.approx(plain)


def test_counted_and_merged_it_is_the_same(files, tmp_path, run):
    names = "bpref,judged@5,rbp@p=0.8"
    assert run("count", *files, "--task", "ranking", "-o", tmp_path / "counted.npz")[0] == 0
    whole = run("evaluate", *files, "--task", "ranking", "--measures", names, "--format", "csv")[1]
    assert run("evaluate", tmp_path / "counted.npz", "--measures", names, "--format", "csv")[1] == whole
    parts = []
    for topics in ("1", "23"):
        part = [tmp_path / f"{name}{topics}" for name in ("qrels", "run")]
        for path, text in zip(part, (QRELS, RUN), strict=True):
            path.write_text("".join(line + "\n" for line in text.split(";") if line[0] in topics))
        parts.append(tmp_path / f"part{topics}.npz")
        assert run("count", *part, "--task", "ranking", "--name-by", "tag", "-o", parts[-1])[0] == 0
    assert run("merge", *parts, "-o", tmp_path / "merged.npz")[0] == 0
    merged = run("evaluate", tmp_path / "merged.npz", "--measures", names, "--format", "csv")[1]
    assert next(csv.reader(merged.splitlines()[1:]))[2:] == next(csv.reader(whole.splitlines()[1:]))[2:]


def test_ranks_are_no_grades(tmp_path):
    gold, ranks = tmp_path / "gold.csv", tmp_path / "a.csv"
    gold.write_text("segment,item,rank\n1,x,1\n1,y,2\n")
    ranks.write_text("segment,item,rank\n1,x,1\n1,y,2\n")
    scores = mm.evaluate(str(gold), str(ranks), task="ranking", measures=["P@1", "mrr"])
    assert np.isnan(scores.values[0]).all()
    assert "no grades" in " ".join(map(str, scores.notes))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("P@10", "precision@10"), ("P_10", "precision@10"), ("R@100", "recall@100"), ("recall_100", "recall@100"),
        ("Success@1", "success@1"), ("success_5", "success@5"), ("Rprec", "r_precision"), ("Bpref", "bpref"),
        ("RBP(p=.8)", "rbp@p=0.8"), ("Judged@10", "judged@10"), ("map", "average_precision"), ("AP@5", "average_precision@5"),
        ("NumRet", "num_ret"), ("num_rel_ret", "num_rel_ret"), ("Q@10", "q_measure@10"), ("nERR@10", "nerr@10"),
        ("ndcg_cut_10", "ndcg@10:gain=linear"), ("recip_rank", "mrr"), ("RR@10", "mrr@10"), ("precision@10", "precision@10"),
        ("IPrec@0.1", "iprec@0.1"), ("iprec_at_recall_0.10", "iprec@0.1"), ("iprec_at_recall_1.00", "iprec@1"),
        ("gm_map", "gm_map"), ("num_q", "num_q"), ("IPrec@0.5:rel=2", "iprec@0.5:rel=2"),
        ("RBP(rel=2, p=.9)", "rbp@p=0.9:rel=2"), ('nDCG(dcg="log2")@5', "ndcg@5:gain=linear"),
        ("Rprec(rel=2)", "r_precision@rel=2"),
        ("precision@10:rel=1", "precision@10:rel=1"), ("rbp@p=.8:rel=1", "rbp@p=0.8:rel=1"),
    ],
)  # fmt: skip
def test_names_of_ir_measures_and_trec_eval(typed, meant):
    found = mm.measures.of_task("ranking")[typed]
    assert (found.id, "ranking" in found.tasks) == (meant, True)


def test_a_name_is_read_by_the_task(run):
    assert mm.measures["precision@10"].tasks == ("classification",)
    out = run("measures", "precision@10")[1]
    assert "Precision of a class" in out
    assert "Precision of the first k documents" in out


def test_the_set_that_trec_eval_prints(files):
    scores = mm.evaluate(*files, task="ranking", measures="trec_eval")
    cut_offs = [f"precision@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    recalls = [f"iprec@{step / 10:g}" for step in range(11)]
    numbers = ["num_q", "num_ret", "num_rel", "num_rel_ret"]
    names = ["average_precision", "gm_map", "r_precision", "bpref", "mrr", *recalls, *cut_offs, *numbers]
    assert [one.id for one in scores.measures] == names


class TestGeometricMean:
    def test_of_average_precisions(self, files):
        scores = mm.evaluate(*files, task="ranking", measures="map,gm_map", ci=True)
        single = np.maximum(scores.values[0, :, 0], 1e-5)
        assert scores.averages()[1, 0] == pytest.approx(single.prod() ** (1 / 3))
        low, high = scores.intervals.shown
        assert 0 < low[1, 0] < scores.averages()[1, 0] < high[1, 0] < 1
        drawn = mm.evaluate(*files, task="ranking", measures="gm_map", ci=True, interval="bootstrap").intervals.shown
        assert 0 < drawn[0][0, 0] < scores.averages()[1, 0] < drawn[1][0, 0] < 1

    def test_a_topic_without_relevant_documents_is_undefined_where_nobody_reads_as_trec_eval(self, files):
        scores = mm.evaluate(*files, task="ranking", measures="gm_map", compat="none")
        assert np.isnan(scores.values[0, 2, 0])
        assert scores.averages()[0, 0] == pytest.approx(np.exp(scores.values[0, :2, 0].mean()))

    def test_comparisons_say_that_they_are_of_logarithms(self, files, tmp_path, run):
        (tmp_path / "b.run").write_text((tmp_path / "a.run").read_text().replace(" 8 t", " 10 t"))
        asked = ("--task", "ranking", "--measures", "gm_map")
        told = run("compare", *files, tmp_path / "b.run", *asked)[1]
        assert "differences are of logarithms" in told
        assert "differences are of logarithms" not in run("compare", *files, tmp_path / "b.run", *asked[:-1], "map")[1]


class TestInterpolatedPrecision:
    def test_the_best_that_is_still_to_come(self):
        """By hand: precision 1/2 at recall 1/3, 2/3 at recall 2/3, 3/7 at recall 1."""
        ranks, grades = [1, 2, 3, 4, 5, 6, 7], [0, 1, 1, 0, 0, 0, 1]
        found = [float(mm.measures[f"iprec@{recall}"](ranks, grades)) for recall in (0, 0.3, 0.6, 0.7, 1)]
        assert found == pytest.approx([2 / 3, 2 / 3, 2 / 3, 3 / 7, 3 / 7])

    def test_trec_eval_takes_two_of_three_documents_for_a_recall_of_seven_tenths(self):
        """0.7 x 3 + 0.9 is a little less than 3 in double precision."""
        ranks, grades = [1, 2, 3, 4, 5, 6, 7], [0, 1, 1, 0, 0, 0, 1]
        found = [float(mm.measures[f"iprec@{recall}:rounding=trec_eval"](ranks, grades)) for recall in (0, 0.3, 0.6, 0.7, 1)]
        assert found == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2 / 3, 3 / 7])

    def test_there_is_no_stop_within_a_tie(self):
        assert float(mm.measures["iprec@0"]([1, 1, 1, 2], [1, 0, 0, 1])) == pytest.approx(1 / 2)
        assert float(mm.measures["iprec@0"]([1, 1, 2], [1, 0, 0])) == pytest.approx(1 / 2)

    @pytest.mark.parametrize("wrong", ["iprec@1.5", "iprec@-0.1", "iprec@much", "iprec@rel=2"])
    def test_a_share_has_to_be_said(self, wrong):
        with pytest.raises(mm.UsageError, match=r"share from 0 to 1|the r is missing"):
            mm.measures[wrong]


def test_a_chance_to_go_on_has_to_be_said():
    with pytest.raises(mm.UsageError, match="rbp@p=NUMBER lacks its p=NUMBER"):
        mm.measures["rbp@p=NUMBER"]([1, 2], [1, 0])
    for wrong in ("rbp@p=1.5", "rbp@rel=2"):
        with pytest.raises(mm.UsageError, match="between 0 and 1"):
            mm.measures[wrong]


@pytest.mark.parametrize("name", ["precision@2", "recall@3", "success@2", "r_precision", "bpref", "rbp@p=0.6", "judged@2"])
def test_ties_are_the_mean_over_all_orders(name):
    """By trying each, with documents of every kind."""
    measure = mm.measures.of_task("ranking")[name]
    ranks, grades = np.array([1.0, 2, 2, 2, 3, 3]), np.array([0.0, 1, -2, 0, -1, 2])
    orders = []
    for tied, last in itertools.product(itertools.permutations((2.0, 3, 4)), itertools.permutations((5.0, 6))):
        orders.append(float(measure([1.0, *tied, *last], grades)))
    assert float(measure(ranks, grades)) == pytest.approx(np.mean(orders), abs=1e-12)


def test_a_judged_document_below_the_level_is_irrelevant(tmp_path):
    """One of two relevant documents stands behind one of two irrelevant ones, which has grade 1 and not 0, and the other behind
    both: (1/2 + 0) / 2."""
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 2\n1 0 c 0\n1 0 d 2\n")
    (tmp_path / "run.txt").write_text("".join(f"1 Q0 {one} {place} {9 - place} t\n" for place, one in enumerate("abcd", start=1)))
    scores = mm.evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", task="ranking", measures=["bpref@rel=2"])
    assert scores.values[0, 0, 0] == pytest.approx(0.25)
