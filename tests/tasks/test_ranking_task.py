"""The task ranking from files to a table: real data, other programs' numbers, settings, tests, conversion."""

import json

import numpy as np
import pytest

import metameasure as mm

RANKING = ("--task", "ranking")


def long(rows, value="rank"):
    return f"segment,item,{value}\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.fixture
def two_segments(tmp_path):
    """Human 1,2,3,4 twice; one run has the first two tied (definitions.md), the other is right in the second segment only."""
    items = "abcd"
    (tmp_path / "gold.csv").write_text(long([(s, item, place + 1) for s in "12" for place, item in enumerate(items)]))
    tied = dict(zip(items, (1, 1, 2, 3), strict=True))
    (tmp_path / "tied.csv").write_text(long([(s, item, tied[item]) for s in "12" for item in items]))
    turned = [(s, item, (place + 1) if s == "2" else 4 - place) for s in "12" for place, item in enumerate(items)]
    (tmp_path / "turned.csv").write_text(long(turned))
    return [str(tmp_path / name) for name in ("gold.csv", "tied.csv", "turned.csv")]


def scores_of(out, kind="scores"):
    return {entry["run"]: entry[kind] for entry in json.loads(out)["runs"]}


def test_ties_in_expectation_and_as_rankeval(run, two_segments):
    measures = ("--measures", "err,ndcg,mrr", "--format", "json")
    _, out, err = run("evaluate", *two_segments, *RANKING, *measures)
    expected = {"err": 0.8288, "ndcg": 0.9308, "mrr": 0.75}
    assert scores_of(out)["tied"] == pytest.approx(expected, abs=5e-5), err
    status, out, err = run("evaluate", *two_segments, *RANKING, "--compat", "rankeval", "--format", "json")
    assert status == 0
    found = scores_of(out)["tied"]
    assert found["ndcg@ties=worst:relevance=ceiling"] == pytest.approx(0.7407, abs=5e-5)
    assert found["mrr@ties=worst"] == pytest.approx(0.5)
    assert "not a valid test" in err
    assert "invalid_p" in json.loads(out)["runs"][0]
    assert "invalid_p" not in run("evaluate", *two_segments, *RANKING, "--format", "json")[1]


def test_micro_and_macro_stand_side_by_side(run, tmp_path):
    """Segment 1 has one pair, right; segment 2 has three pairs, one right."""
    (tmp_path / "gold.csv").write_text(long([(1, "a", 1), (1, "b", 2), (2, "a", 1), (2, "b", 2), (2, "c", 3)]))
    (tmp_path / "run.csv").write_text(long([(1, "a", 1), (1, "b", 2), (2, "a", 3), (2, "b", 1), (2, "c", 2)]))
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "run.csv")]
    _, out, _ = run("evaluate", *files, *RANKING, "--measures", "tau@a", "--format", "json")
    entry = json.loads(out)["runs"][0]
    assert entry["scores"]["tau@a"] == pytest.approx((1 - 1 / 3) / 2)
    assert entry["pooled"]["tau@a"] == pytest.approx((2 - 2) / 4)
    assert entry["pairs"] == {"concordant": 2, "discordant": 2, "tied_human": 0, "tied_predicted": 0, "tied_both": 0}
    _, table, _ = run("evaluate", *files, *RANKING, "--measures", "tau@a")
    assert "tau@a micro" in table
    assert "2 segments; means over segments (macro)" in table


def test_ties_are_calibrated(run, tmp_path):
    """definitions.md: human 1,1,2 and scores .9,.8,.1 give an epsilon of .1 and a value of 1. Chance: t_h = t_m = 1/3."""
    (tmp_path / "gold.csv").write_text(long([(1, "a", 1), (1, "b", 1), (1, "c", 2)]))
    (tmp_path / "run.csv").write_text(long([(1, "a", 0.9), (1, "b", 0.8), (1, "c", 0.1)], "score"))
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "run.csv")]
    _, out, _ = run("evaluate", *files, *RANKING, "--measures", "pairwise_accuracy", "--format", "json")
    entry = json.loads(out)["runs"][0]
    assert entry["scores"]["pairwise_accuracy"] == 1
    assert entry["tie_epsilon"] == pytest.approx(0.1)
    assert entry["chance_accuracy"] == pytest.approx(1 / 9 + 4 / 9 / 2)
    _, out, _ = run("evaluate", *files, *RANKING, "--measures", "pairwise_accuracy@epsilon=0.0001", "--format", "json")
    assert json.loads(out)["runs"][0]["scores"]["pairwise_accuracy@epsilon=0.0001"] == pytest.approx(2 / 3)


def test_segments_of_tau_0_and_undefined_ones_are_counted(run, tmp_path):
    rows = [(1, "a", 1), (1, "b", 2), (1, "c", 3), (1, "d", 4), (2, "a", 1), (2, "b", 1), (3, "a", 1), (3, "b", 2)]
    (tmp_path / "gold.csv").write_text(long(rows))
    half = {(1, "a"): 2, (1, "b"): 4, (1, "c"): 1, (1, "d"): 3}
    (tmp_path / "run.csv").write_text(long([(s, item, half.get((s, item), rank)) for s, item, rank in rows[:4] + rows[4:]]))
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "run.csv")]
    _, out, _ = run("evaluate", *files, *RANKING, "--measures", "tau@wmt12", "--format", "json")
    answer = json.loads(out)
    entry = answer["runs"][0]
    assert entry["zero_segments"] == 1
    assert entry["undefined"]["tau@wmt12"] == 1
    assert entry["scores"]["tau@wmt12"] == pytest.approx((0 + 1) / 2), "a tau of 0 counts, an undefined one does not"
    assert "the human puts no two items in different ranks" in " ".join(answer["notes"])


class TestTrec:
    QRELS = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\nq2 0 d4 0\nq2 0 d5 1\n"
    RUN = "q1 Q0 d3 1 .9 r\nq1 Q0 d1 2 .8 r\nq1 Q0 d9 3 .7 r\nq2 Q0 d4 1 .9 r\nq2 Q0 d1 2 .5 r\n"

    def test_by_hand(self, run, tmp_path):
        """In q2 the relevant d5 is not retrieved: it counts in R and in the ideal, but is nowhere."""
        (tmp_path / "qrels.txt").write_text(self.QRELS)
        (tmp_path / "run.txt").write_text(self.RUN)
        flags = (*RANKING, "--measures", "average_precision,mrr,ndcg@gain=linear,err", "--format", "json")
        status, out, err = run("evaluate", tmp_path / "qrels.txt", tmp_path / "run.txt", *flags)
        assert status == 0, err
        found = scores_of(out)["run"]
        assert found["average_precision"] == pytest.approx((1 + (1 / 2) / 2) / 2)
        assert found["mrr"] == pytest.approx((1 + 1 / 2) / 2)
        discount = 1 / np.log2(3)
        assert found["ndcg@gain=linear"] == pytest.approx(((1 + 2 * discount) / (2 + discount) + discount / (1 + discount)) / 2)
        assert found["err"] == pytest.approx(((1 / 4 + 3 / 4 * 3 / 4 / 2) + (1 / 4) / 2) / 2), "R = (2^g - 1) / 2^2"

    def test_means_are_over_the_same_topics_for_every_measure(self, run, tmp_path):
        """A topic without a relevant document is undefined for all measures of relevance, not 0 for one of them."""
        (tmp_path / "qrels.txt").write_text(self.QRELS + "q3 0 d1 0\nq3 0 d2 0\n")
        (tmp_path / "run.txt").write_text(self.RUN + "q3 Q0 d1 1 .9 r\n")
        flags = (*RANKING, "--measures", "average_precision,mrr,ndcg", "--format", "json", "--compat", "none")
        status, out, err = run("evaluate", tmp_path / "qrels.txt", tmp_path / "run.txt", *flags)
        assert status == 0, err
        (answer,) = json.loads(out)["runs"]
        assert answer["undefined"] == dict.fromkeys(("average_precision", "mrr", "ndcg"), 1)
        assert answer["scores"]["mrr"] == pytest.approx((1 + 1 / 2) / 2)

    def test_a_topic_without_any_document_scores_0(self, run, tmp_path):
        """Not undefined, or one run's silence would take the topic from all."""
        (tmp_path / "qrels.txt").write_text(self.QRELS)
        (tmp_path / "run.txt").write_text(self.RUN)
        (tmp_path / "half.txt").write_text("".join(line for line in self.RUN.splitlines(keepends=True) if line.startswith("q1")))
        files = [str(tmp_path / name) for name in ("qrels.txt", "run.txt", "half.txt")]
        _, out, err = run("evaluate", *files, *RANKING, "--measures", "ndcg,mrr,err", "--compat", "none", "--format", "json")
        whole, half = (scores_of(out)[name] for name in ("run", "half"))
        assert half["mrr"] == pytest.approx((1 + 0) / 2), err
        assert whole["mrr"] == pytest.approx((1 + 1 / 2) / 2)
        assert all(half[name] < whole[name] for name in half)

    @pytest.mark.needs("pytrec_eval")
    def test_as_pytrec_eval(self, run, tmp_path):
        import pytrec_eval

        rng = np.random.default_rng(0)
        topics, documents = [f"q{number}" for number in range(8)], [f"d{number}" for number in range(30)]
        qrels = {topic: {doc: int(rng.integers(0, 3)) for doc in rng.permutation(documents)[:15]} for topic in topics}
        output = {topic: {doc: float(rng.random()) for doc in rng.permutation(documents)[:20]} for topic in topics}
        (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, of in qrels.items() for d, g in of.items()))
        (tmp_path / "run.txt").write_text("".join(f"{t} Q0 {d} 0 {s!r} r\n" for t, of in output.items() for d, s in of.items()))
        theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "map_cut_5", "ndcg", "ndcg_cut_5", "recip_rank"}).evaluate(output)
        names = {"map": "average_precision", "map_cut_5": "average_precision@5", "recip_rank": "mrr"}
        names |= {"ndcg": "ndcg@gain=linear", "ndcg_cut_5": "ndcg@5:gain=linear"}
        flags = (*RANKING, "--measures", ",".join(names.values()), "--format", "json")
        _, out, err = run("evaluate", tmp_path / "qrels.txt", tmp_path / "run.txt", *flags)
        for name, ours in names.items():
            mean = np.mean([theirs[topic][name] for topic in topics])
            assert scores_of(out)["run"][ours] == pytest.approx(mean, abs=1e-9), (name, err)


@pytest.fixture(scope="module")
def wmt13(tmp_path_factory, shared_data):
    """The organisers' file, the predictions of wmt13_fr-en_inputs.json as runs, and what they should give."""
    data = shared_data
    folder = tmp_path_factory.mktemp("wmt13")
    wins = json.loads((data / "rankeval2013/wmt13_fr-en_inputs.json").read_text())["system_expected_wins"]
    wins["online-A"] = 0.5  # as those inputs have it, though it is not listed
    gold = data / "wmt13/newstest2013.fr-en.rankings.csv"
    segments = sorted({line.split(",")[2] for line in gold.read_text().splitlines()[1:]})
    for name, coarse in (("predicted", lambda score: score), ("predicted_ties", lambda score: round(5 * score) / 5)):
        rows = [(s, f"newstest2013.fr-en.{system}", coarse(score)) for s in segments for system, score in wins.items()]
        (folder / f"{name}.csv").write_text(long(rows, "score"))
    effects = json.loads((data / "rankeval2013/effects.json").read_text())
    return [str(gold), *(str(folder / f"{name}.csv") for name in ("predicted", "predicted_ties"))], effects


class TestWmt13:
    def test_counts_and_every_variant(self, run, wmt13):
        paths, effects = wmt13
        names = {"wmt12_tau10": "tau@wmt12", "wmt08_consistency": "tau@wmt08", "wmt13": "tau@wmt13", "wmt14": "tau@wmt14",
                 "xties": "tau@xties", "tau_a": "tau@a", "tau_b_pooled": "tau@b", "tau_eq23": "tau@eq"}  # fmt: skip
        status, out, err = run(
            "evaluate", *paths, *RANKING, "--measures", ",".join(names.values()), "--format", "json", "--extra", "ignore"
        )
        assert status == 0, err
        for entry in json.loads(out)["runs"]:
            effect = effects[entry["run"]]
            assert list(entry["pairs"].values()) == [effect["counts"][name] for name in ("C", "D", "Th", "Tm", "Thm")]
            assert entry["zero_segments"] == effect["segments_tau_exactly_0"]
            for theirs, ours in names.items():
                assert entry["pooled"][ours] == pytest.approx(effect["micro"][theirs], abs=1e-12), (entry["run"], ours)
            assert entry["scores"]["tau@wmt12"] == pytest.approx(effect["macro"]["wmt12"], abs=1e-12)
            assert entry["scores"]["tau@wmt14"] == pytest.approx(effect["macro"]["wmt14"], abs=1e-12)

    def test_a_table_worth_publishing(self, run, wmt13):
        _, table, _ = run("evaluate", *wmt13[0], *RANKING, "--extra", "ignore")
        assert "Agreement of the 218 judges: kappa 0.269 between judges" in table
        assert "9,996 segments" in table

    def test_by_source(self, run, wmt13):
        """A source segment that several judges ranked weighs as much as others."""
        flags = ("--measures", "tau@wmt12", "--format", "json", "--extra", "ignore")
        _, out, _ = run("evaluate", *wmt13[0], *RANKING, *flags, "--by-source")
        answer = json.loads(out)
        assert answer["topics"] < 9996
        assert f"topics:{answer['topics']}|" in answer["signature"]
        assert "averaged:by%20source" in answer["signature"]

    def test_two_runs_by_all_pairs(self, run, wmt13):
        flags = (
            *RANKING,
            "--measures",
            "tau@wmt12",
            "--test",
            "permutation",
            "--average",
            "pooled",
            "--trials",
            200,
            "--extra",
            "ignore",
        )
        _, out, err = run("compare", *wmt13[0], *flags, "--format", "json")
        answer = json.loads(out)
        assert answer["runs"] == ["predicted", "predicted_ties"], err
        assert answer["p"][0][1] == pytest.approx(1 / 201)
        low, mean, high = answer["low"][0], answer["means"][0], answer["high"][0]
        assert low < mean < high


class TestSettings:
    def test_gain(self, run, two_segments):
        _, out, _ = run("evaluate", *two_segments, *RANKING, "--measures", "ndcg", "--gain", "linear", "--format", "json")
        answer = json.loads(out)
        expected = np.mean(mm.measures["ndcg@gain=linear"]([[4, 3, 2, 1], [1, 2, 3, 4]], [[1, 2, 3, 4]] * 2))
        assert scores_of(out)["turned"]["ndcg"] == pytest.approx(expected)
        assert "ndcg is scored as ndcg@gain=linear" in " ".join(answer["notes"])
        assert "gain:linear" in answer["signature"]

    def test_against_chance(self, run, tmp_path):
        rng = np.random.default_rng(0)
        gold = [(s, item, place + 1) for s in range(30) for place, item in enumerate("abc")]
        (tmp_path / "gold.csv").write_text(long(gold))
        (tmp_path / "right.csv").write_text(long(gold))
        (tmp_path / "noise.csv").write_text(long([(s, item, rng.random()) for s, item, _ in gold], "score"))
        files = [str(tmp_path / f"{name}.csv") for name in ("gold", "right", "noise")]
        _, out, _ = run("evaluate", *files, *RANKING, "--measures", "tau@a", "--chance-test", 99, "--format", "json")
        p = {entry["run"]: entry["p_chance"] for entry in json.loads(out)["runs"]}
        assert p["right"] == pytest.approx(1 / 100)
        assert p["noise"] > 0.05

    def test_system_level(self, run, tmp_path):
        """Every system in every segment: soft pairwise accuracy of a run that says what the human says is 1."""
        rng = np.random.default_rng(1)
        rows = [(s, item, round(float(rng.normal(place)), 3)) for s in range(20) for place, item in enumerate("abcd")]
        (tmp_path / "gold.csv").write_text(long(rows, "score"))
        (tmp_path / "same.csv").write_text(long(rows, "score"))
        (tmp_path / "other.csv").write_text(long([(s, item, -score) for s, item, score in rows], "score"))
        files = [str(tmp_path / f"{name}.csv") for name in ("gold", "same", "other")]
        _, out, _ = run("evaluate", *files, *RANKING, "--measures", "tau@a", "--format", "json")
        accuracy = {entry["run"]: entry["soft_pairwise_accuracy"] for entry in json.loads(out)["runs"]}
        assert accuracy["same"] == 1
        assert accuracy["other"] < 0.5

    @pytest.mark.parametrize("average", ["topics", "pooled"])
    def test_intervals(self, run, two_segments, average):
        flags = ("--measures", "tau@a", "--ci", "--trials", 50, "--average", average, "--format", "json")
        _, out, err = run("evaluate", *two_segments, *RANKING, *flags)
        low, high = json.loads(out)["runs"][-1]["intervals"]["tau@a"]["topics"]
        assert (low, high) == pytest.approx((-1, 1), abs=1e-9), err

    def test_wrong_calls(self, run, two_segments):
        for flags, complaint in (
            (("--baselines",), "there are no baselines of rankings"),
            (("--measures", "kappa"), "kappa is not a measure of ranking; it is for classification (--task classification)"),
            (("--classes", "a,b"), "--classes is not for the task ranking"),
        ):
            status, out, err = run("evaluate", *two_segments, *RANKING, *flags)
            assert (status, out) == (2, "")
            assert complaint in err
        status, _, err = run("evaluate", two_segments[0], *RANKING)
        assert status == 2
        assert "there are no runs" in err


def test_side_by_side(run, tmp_path):
    (tmp_path / "both.csv").write_text("segment,item,human,a,b\n1,x,1,1,2\n1,y,2,2,1\n")
    flags = ("--gold-column", "human", "--run-columns", "a,b", "--measures", "tau@a", "--format", "json")
    status, out, err = run("evaluate", tmp_path / "both.csv", *RANKING, *flags)
    assert status == 0, err
    assert {name: scores["tau@a"] for name, scores in scores_of(out).items()} == {"a": 1, "b": -1}


WAYS = [("minimize", "1 2 2 3"), ("floor", "1 2 2 4"), ("ceiling", "1 3 3 4"), ("middle", "1 2.5 2.5 4")]


@pytest.mark.parametrize(("ways", "expected"), WAYS)
def test_converting(run, tmp_path, ways, expected):
    (tmp_path / "in.csv").write_text(long([(1, "a", 1), (1, "b", 5), (1, "c", 5), (1, "d", 9)]))
    status, out, err = run("convert", tmp_path / "in.csv", tmp_path / "out.csv", "--ranks", ways)
    assert (status, err) == (0, "")
    assert "1 rankings of 4 items" in out
    ranks = [float(line.split(",")[2]) for line in (tmp_path / "out.csv").read_text().splitlines()[1:]]
    assert ranks == [float(rank) for rank in expected.split()]
    assert run("convert", tmp_path / "in.csv", tmp_path / "in.csv")[0] == 2


def test_a_judge_who_ranks_a_segment_twice_is_converted_to_what_can_be_read(run, tmp_path):
    """Both rankings stay rankings of the same source by the same judge, whatever judges are called."""
    header = "srcIndex,judgeId,system1Id,system1rank,system2Id,system2rank\n"
    (tmp_path / "in.csv").write_text(header + "1,j,a,1,b,2\n1,j,a,2,b,1\n1,j#2,a,1,b,1\n2,j,a,1,b,2\n")
    status, out, err = run("convert", tmp_path / "in.csv", tmp_path / "out.csv")
    assert status == 0, err
    assert out.startswith("4 rankings of 8 items written to ")
    rows = {tuple(line.replace('"', "").split(",")[:3]) for line in (tmp_path / "out.csv").read_text().splitlines()[1:]}
    assert rows == {("1", "j", "1"), ("1", "j", "2"), ("1", "j#2", "1"), ("2", "j", "1")}
    (tmp_path / "run.csv").write_text(long([(s, item, place) for s in "12" for place, item in enumerate("ab", 1)]))
    how = (tmp_path / "run.csv", *RANKING, "--measures", "tau@wmt12,tau@eq", "--format", "json")
    before, after = (json.loads(run("evaluate", tmp_path / name, *how)[1])["runs"] for name in ("in.csv", "out.csv"))
    assert after == before


def test_converting_loses_no_column(run, tmp_path):
    (tmp_path / "in.csv").write_text("segment,item,human,rank\n1,a,1,2\n1,b,2,1\n")
    how = ("--gold-column", "human", "--run-columns", "rank")
    status, _, err = run("convert", tmp_path / "in.csv", tmp_path / "out.csv", *how)
    assert status == 2
    assert "the run 'rank' has the same name as a column of the table" in err
    assert not (tmp_path / "out.csv").exists()


def test_rankeval_has_as_many_shares_as_there_are_ranks(run, tmp_path):
    """Ranks 1, 50 and 100 are the first, second and third of three."""
    (tmp_path / "gold.csv").write_text(long([(1, "a", 1), (1, "b", 50), (1, "c", 100)]))
    (tmp_path / "run.csv").write_text(long([(1, "a", 3), (1, "b", 2), (1, "c", 1)]))
    files = (tmp_path / "gold.csv", tmp_path / "run.csv", *RANKING)
    _, out, _ = run("evaluate", *files, "--compat", "rankeval", "--format", "json")
    shares = [value for name, value in scores_of(out)["run"].items() if name.startswith("best_vs_human")]
    assert shares == [0, 0, 1]


def test_numbers_beside_scores_are_aligned_and_symbols_are_symbols(run, two_segments):
    _, table, _ = run("evaluate", *two_segments, *RANKING, "--format", "markdown")
    beside = table.partition("| run | C |")[2].splitlines()[1]
    assert beside == "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    _, latex, _ = run("evaluate", *two_segments, *RANKING, "--measures", "tau@wmt12", "--format", "latex")
    assert "tau@wmt12 micro" not in latex


def test_what_a_micro_average_or_a_test_by_chance_is_not_for(run, two_segments):
    _, table, _ = run("evaluate", *two_segments, *RANKING, "--average", "pooled", "--measures", "tau@a,mrr")
    assert "mrr has no micro average" in table
    assert "tau@a has no micro average" not in table
    status, out, err = run("evaluate", *two_segments, *RANKING, "--measures", "best_vs_human@1", "--chance-test", "9")
    assert (status, out) == (2, "")
    assert "neither direction of best_vs_human@1 is better" in err
    _, table, _ = run("evaluate", *two_segments, *RANKING, "--measures", "pairwise_accuracy", "--chance-test", "9")
    assert "p (pairwise_accuracy with ε = 0 by chance)" in table


def test_runs_that_cannot_be_compared_by_all_pairs(run, tmp_path):
    (tmp_path / "gold.csv").write_text(long([(s, item, rank) for s in "12" for item, rank in (("a", 1), ("b", 2))]))
    (tmp_path / "tied.csv").write_text(long([(s, item, 1) for s in "12" for item in "ab"]))
    (tmp_path / "right.csv").write_text(long([(s, item, rank) for s in "12" for item, rank in (("a", 1), ("b", 2))]))
    files = [str(tmp_path / f"{name}.csv") for name in ("gold", "tied", "right")]
    flags = (*RANKING, "--test", "permutation", "--average", "pooled", "--trials", 20)
    status, out, err = run("compare", *files, *flags, "--measures", "tau@wmt13")
    assert (status, out) == (1, "")
    assert "tau@wmt13 of tied is undefined" in err
    assert "2 segments." in run("compare", *files, *flags, "--measures", "tau@wmt14")[1]


def test_arrays_that_do_not_fit():
    with pytest.raises(mm.UsageError, match="do not fit together"):
        mm.measures["ndcg"]([1, 2], [0, 1, 2])


def test_symbols_in_latex(run, two_segments):
    _, out, _ = run("evaluate", *two_segments, *RANKING, "--measures", "tau@wmt12,pairwise_accuracy", "--format", "latex")
    assert r"$\tau_{\mathrm{wmt12}}$" in out
    assert r"$\varepsilon$" in out
