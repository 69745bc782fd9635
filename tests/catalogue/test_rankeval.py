"""RankEval's own numbers (Avramidis 2013, the released program) from our measures in its settings; and where it is not sound.

Inputs and outputs of the program are in ../shared/data/rankeval2013. Where it is not sound, a test says why and what is right.
"""

import json
from math import isclose

import numpy as np
import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.catalogue.ranking import rankeval
from metameasure.catalogue.ranking.normalisation import normalise_ranks
from metameasure.catalogue.ranking.pairs import pair_counts

DATA = ROOT.parent / "shared" / "data" / "rankeval2013"
pytestmark = pytest.mark.needs("shared-data")
NAN = np.nan
COMPAT = {name: mm.measures[measure] for name, measure in rankeval.MEASURES.items()}


def load(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def segments():
    return load("segment.json")


@pytest.fixture(scope="module")
def wmt():
    """The WMT13 inputs: two predictions (one with ties) and the human ranks, (9996, 5)."""
    return {
        name: np.array(ranks)
        for name, ranks in load("wmt13_fr-en_inputs.json").items()
        if name in ("predicted", "predicted_ties", "human")
    }


@pytest.fixture(scope="module")
def sets(wmt):
    """Each data set by name: predicted and human ranks, padded, and what the program prints."""
    found = {}
    for entry in load("sets.json"):
        if "predicted" in entry and not isinstance(entry["predicted"], str):
            predicted, human = entry["predicted"], entry["human"]
        else:
            predicted, human = wmt["predicted_ties" if "ties" in entry["name"] else "predicted"], wmt["human"]
        both = min(len(predicted), len(human))  # the program stops at the shorter of the two
        found[entry["name"]] = padded(predicted[:both]), padded(human[:both]), entry
    return found


def padded(rows):
    longest = max(len(row) for row in rows)
    return np.array([[*row, *[NAN] * (longest - len(row))] for row in rows])


def each(segments):
    """Predictions and human ranks of all segments, padded."""
    return padded([entry["predicted"] for entry in segments]), padded([entry["human"] for entry in segments])


def has_ties(ranks):
    return len(set(ranks)) < len(ranks)


def test_normalisation():
    for entry in load("normalize.json"):
        for how in ("minimize", "floor", "ceiling", "middle"):
            np.testing.assert_array_equal(normalise_ranks(entry["input"], how), entry[how])


def test_pair_counts_and_taus(segments):
    """``original_ties`` are all human ties, ``predicted_ties`` all predicted ones; with penalty, ties of the prediction alone
    count as discordant."""
    counts = pair_counts(*each(segments))
    np.testing.assert_array_equal(counts.sum(axis=1), [entry["tau_default"]["pairs"] for entry in segments])
    np.testing.assert_array_equal(counts[:, 2] + counts[:, 4], [entry["tau_default"]["original_ties"] for entry in segments])
    np.testing.assert_array_equal(counts[:, 3] + counts[:, 4], [entry["tau_default"]["predicted_ties"] for entry in segments])
    for form, name, discordant in (
        ("tau_default", "tau@wmt12", counts[:, 1] + counts[:, 3]),
        ("tau_no_penalty", "tau@wmt13", counts[:, 1]),
    ):
        np.testing.assert_array_equal(counts[:, 0], [entry[form]["concordant_count"] for entry in segments])
        np.testing.assert_array_equal(discordant, [entry[form]["discordant_count"] for entry in segments])
        expected = np.array([entry[form]["tau"] for entry in segments], dtype=float)  # null where undefined
        np.testing.assert_allclose(mm.measures[name].of_evidence(counts), expected, atol=1e-12)


def test_reciprocal_ranks(segments):
    """The rank of the prediction in each normalisation; RankEval's own is ceiling, our ties=worst."""
    predicted, human = each(segments)
    np.testing.assert_allclose(COMPAT["mrr"](predicted, human), [entry["rr_ceiling"] for entry in segments], atol=1e-12)
    best = normalise_ranks(human, "floor") == 1
    for how in ("minimize", "floor", "ceiling", "middle"):
        first = np.where(best, normalise_ranks(predicted, how), np.inf).min(axis=1)
        np.testing.assert_allclose(1 / first, [entry[f"rr_{how}"] for entry in segments], atol=1e-12)


@pytest.mark.parametrize("k", [None, 1, 2, 3])
def test_ndcg_and_err_without_predicted_ties(segments, k):
    untied = [entry for entry in segments if not has_ties(entry["predicted"])]
    assert len(untied) > 40
    predicted, human = each(untied)
    ndcg = mm.measures[f"ndcg@{k}:ties=worst:relevance=ceiling"] if k else COMPAT["ndgc"]
    np.testing.assert_allclose(ndcg(predicted, human), [entry[f"ndcg_err_k{k}"][0] for entry in untied], atol=1e-12)
    np.testing.assert_allclose(COMPAT["err"](predicted, human), [entry["ndcg_err_kNone"][1] for entry in untied], atol=1e-12)


def test_the_p_value_of_the_program(segments):
    """Eq. 3 with the number of counted pairs for n, as the program calls it; null where tau is. Its erfc is approximate, to
    about six digits."""
    for entry in segments:
        for form in ("tau_default", "tau_no_penalty"):
            if entry[form]["tau"] is not None:
                ours = rankeval.invalid_p_value(entry[form]["tau"], entry[form]["all_pairs_count"])
                assert ours == pytest.approx(entry[form]["prob"], rel=1e-6)


def test_the_p_value_of_the_paper():
    """Eq. 3 with the number of items, as printed: effects.json, five items and tau 1."""
    effects = load("effects.json")["pvalue_example"]["n_items=5,tau=1"]
    assert rankeval.invalid_p_value(1, 5) == pytest.approx(effects["paper_eq3_with_n=items"])
    assert rankeval.invalid_p_value(1, 10) == pytest.approx(effects["rankeval_passes_pairs=10"])


def test_sets(sets):
    """Micro tau and its counts, MRR, average predicted rank and best-versus-human, on every data set."""
    for predicted, human, entry in sets.values():
        printed = entry["allmetrics"]
        if "__error__" in printed:
            continue
        counts = pair_counts(predicted, human).sum(axis=0)
        if "tau" not in entry["kendall_no_penalty"]:  # it has no value where all predictions are tied, and neither have we
            assert np.isnan(mm.measures["tau@wmt13"].of_evidence(counts))
        else:
            assert mm.measures["tau@wmt13"].of_evidence(counts) == pytest.approx(entry["kendall_no_penalty"]["tau"])
        assert (counts[0], counts[1] + counts[3]) == (printed["tau_concordant"], printed["tau_discordant"])
        assert counts.sum() == printed["tau_all_pairs"]
        assert mm.measures["tau@wmt12"].of_evidence(counts) == pytest.approx(printed["tau"])
        for name in ("mrr", "avg_predicted_ranked"):
            assert COMPAT[name](predicted, human).mean() == pytest.approx(printed[name]), (entry["name"], name)
        ranks = [float(key.removeprefix("bph_")) for key in printed if key.startswith("bph_")]
        for rank in ranks:
            share = mm.measures[rankeval.best_vs_human(int(rank))](predicted, human).sum() / entry["n_segments"]
            assert round(100 * share, 2) == pytest.approx(printed[f"bph_{rank}"], abs=0.0051), entry["name"]


@pytest.mark.parametrize("k", [None, 1, 2, 3])
def test_ndcg_and_err_of_sets_without_predicted_ties(sets, k):
    tried = 0
    for name, (predicted, human, entry) in sets.items():
        lengths = (~np.isnan(human)).sum(axis=1)
        tied = any(has_ties(row[~np.isnan(row)]) for row in predicted)
        printed = entry["allmetrics"] if k is None else entry[f"ndcg_err_k{k}"]
        if tied or "__error__" in printed or (k is None and len(set(lengths)) > 1):
            continue
        ndcg = mm.measures[f"ndcg@{k}:ties=worst:relevance=ceiling"] if k else COMPAT["ndgc"]
        assert ndcg(predicted, human).mean() == pytest.approx(printed["ndgc"]), name
        assert COMPAT["err"](predicted, human).mean() == pytest.approx(printed["err"]), name
        tried += 1
    assert tried >= 3


@pytest.mark.parametrize("column", ["rank_len", "rank_bucket"])
def test_the_command_line(run, column):
    """cli.json: what the program prints of its sample. Not its NDCG and ERR, whose tied predictions overwrite one another, nor
    its tau_avg_seg and that one's p-value, which leave out segments with a tau of 0 and multiply p-values; nor its percentages
    of ties, which go up to 340 for 17 sentences."""
    printed = dict(line.split("\t") for line in load("cli.json")[column]["stdout"].splitlines())
    how = ("--task", "ranking", "--run-columns", column, "--compat", "rankeval", "--format", "json")
    status, out, err = run("evaluate", DATA / "sample_with_predictions.jcml", *how)
    assert (status, "not a valid test" in err) == (0, True)
    (found,) = json.loads(out)["runs"]
    assert found["pooled"]["tau@wmt12"] == pytest.approx(float(printed["tau"]))
    assert found["invalid_p"] == pytest.approx(float(printed["tau_prob"]), rel=1e-6)
    for name in ("mrr", "avg_predicted_ranked"):
        assert found["scores"][rankeval.MEASURES[name]] == pytest.approx(float(printed[name]))
    for name in (name for name in printed if name.startswith("bph_")):
        share = found["scores"][rankeval.best_vs_human(int(float(name.removeprefix("bph_"))))]
        assert round(100 * share, 2) == float(printed[name])
    pairs = found["pairs"]
    counted = {
        "tau_concordant": pairs["concordant"],
        "tau_discordant": pairs["discordant"] + pairs["tied_predicted"],
        "tau_original_ties": pairs["tied_human"] + pairs["tied_both"],
        "tau_predicted_ties": pairs["tied_predicted"] + pairs["tied_both"],
        "tau_all_pairs": sum(pairs.values()),
    }
    assert counted == {name: int(printed[name]) for name in counted}


class TestWhereTheProgramIsNotSound:
    def test_segments_with_a_tau_of_0_are_left_out_of_the_macro_average(self, sets):
        """A segment without association is a result, not a gap. Left out, the mean is too far from 0."""
        effects = load("effects.json")
        for which, name in (("predicted", "expected_wins"), ("predicted_ties", "ties")):
            predicted, human, entry = next(found for key, found in sets.items() if key.endswith(name))
            taus = mm.measures["tau@wmt12"](predicted, human)
            printed = entry["allmetrics"]["tau_avg_seg"]
            assert (taus == 0).sum() == effects[which]["segments_tau_exactly_0"] > 1000
            assert taus[taus != 0].mean() == pytest.approx(printed)
            assert taus.mean() == pytest.approx(effects[which]["macro_tau_correct"])
            assert abs(printed) > 1.1 * abs(taus.mean())

    def test_the_cut_off_is_that_of_the_first_segment(self, sets):
        """The same two segments in another order score differently there: the longer one is cut at the length of the first."""
        short, long = sets["mixed_length_first_short"], sets["mixed_length_first_long"]
        ours = [COMPAT["ndgc"](predicted, human).mean() for predicted, human, _ in (short, long)]
        assert isclose(*ours)
        assert ours[1] == pytest.approx(long[2]["allmetrics"]["ndgc"])  # nothing is cut where the longest comes first
        assert short[2]["allmetrics"]["ndgc"] != pytest.approx(ours[0], abs=1e-3)

    def test_tied_predictions_overwrite_one_another(self, segments):
        """The program keeps one gain per place and loses those of the other items of a tie, so that their order in the file
        decides. Ours keeps all of them, at the tie's last place."""
        entry = next(entry for entry in segments if entry["predicted"] == [1, 2, 2, 3, 4] and entry["human"] == [1, 2, 3, 4, 5])
        kept, discounts = np.array(entry["gains_by_position"]), 1 / np.log2([2, 3, 4, 5, 6])
        np.testing.assert_array_equal(kept, np.array([31, 0, 7, 3, 1]) / 32)  # the item of gain 15/32 is gone
        ideal = np.sort(kept)[::-1] @ discounts  # from the ideal too
        assert kept @ discounts / ideal == pytest.approx(entry["ndcg_err_kNone"][0])
        right = np.array([31, 0, 7 + 15, 3, 1]) @ discounts / (np.array([31, 15, 7, 3, 1]) @ discounts)
        assert COMPAT["ndgc"](entry["predicted"], entry["human"]) == pytest.approx(right)

    def test_tied_predictions_lose_what_they_overwrite(self, segments):
        """So ERR of predictions with ties is never above ours there."""
        tied = [entry for entry in segments if has_ties(entry["predicted"])]
        printed = np.array([entry["ndcg_err_kNone"][1] for entry in tied])
        ours = COMPAT["err"](*each(tied))
        assert np.all(ours >= printed - 1e-12)
        assert np.mean(ours > printed + 1e-12) > 0.9

    def test_err_ignores_the_cut_off(self, segments):
        """ERR is the same for every k there; ours stops at k."""
        entry = segments[1]
        assert entry["ndcg_err_k1"][1] == entry["ndcg_err_kNone"][1]
        cut = mm.measures["err@1:ties=worst:relevance=ceiling"](entry["predicted"], entry["human"])
        assert cut == pytest.approx(3 / 16)

    def test_unranked_items_are_taken_for_the_best(self, segments):
        """-1 means not ranked in WMT files, but is a rank like others there. Ours leaves the item out."""
        entry = next(entry for entry in segments if -1 in entry["human"])
        assert entry["human"] == [-1, 1, 2]
        assert entry["tau_default"]["concordant_count"] == 3
        np.testing.assert_array_equal(pair_counts(entry["predicted"], [NAN, 1, 2]), [1, 0, 0, 0, 0])

    def test_human_ties_without_penalty_are_errors(self, segments):
        """With human ties included, a pair that the human ties and the prediction orders is discordant there, penalty or not."""
        counts = pair_counts(*each(segments))
        printed = [entry["tau_include_human_ties_no_penalty"]["discordant_count"] for entry in segments]
        np.testing.assert_array_equal(counts[:, 1] + counts[:, 2], printed)

    def test_one_ranking_more_than_the_other_side_has(self, sets):
        """Six predictions for five human rankings pass without a word; shares are then of six. Readers of ours refuse it."""
        predicted, human, entry = sets["comment_example_set.py:220"]
        assert len(predicted) == len(human) == 5 < entry["n_segments"]
        shares = [value for name, value in entry["allmetrics"].items() if name.startswith("bph_")]
        assert sum(shares) == pytest.approx(500 / 6, abs=0.02)

    def test_all_tied_by_the_human_is_an_error(self, sets):
        """Division by zero there. Ours: undefined where there is nothing to order, 1 where every choice is right."""
        predicted, human, entry = sets["qual_test_zero_B"]
        assert "__error__" in entry["allmetrics"]
        assert np.all(np.isnan(COMPAT["tau"](predicted, human)))
        np.testing.assert_allclose(mm.measures["ndcg"](predicted, human), 1)
        np.testing.assert_array_equal(mm.measures["best_vs_human@1"](predicted, human), 1)

    def test_inverting_loses_pairs(self, segments):
        """``invert`` drops the item of the highest rank: three pairs are left of six."""
        assert segments[0]["tau_invert"]["all_pairs_count"] == 3
        assert segments[0]["tau_invert"]["pairs"] == 6

    def test_a_perfect_prediction_of_ties_does_not_score_1(self, wmt):
        """Its ceiling ranks are a definition, and compat keeps them; the default of ours reaches 1."""
        effects = load("effects.json")["perfect_prediction(human vs itself)"]
        human = wmt["human"]
        for name, printed in (("mrr", "mrr"), ("ndgc", "ndcg"), ("err", "err")):
            assert COMPAT[name](human, human).mean() >= effects[printed] - 1e-9  # more, as ties keep their gains
        assert COMPAT["mrr"](human, human).mean() == pytest.approx(effects["mrr"])
        assert mm.measures["ndcg"](human, human).mean() == pytest.approx(effects["ndcg_clean"]) == 1


@pytest.mark.parametrize("which", ["predicted", "predicted_ties"])
def test_every_variant_on_wmt13(wmt, which):
    """effects.json: the five counts and all forms of tau on 9,996 human rankings of WMT13 fr-en."""
    effects = load("effects.json")[which]
    segments = pair_counts(wmt[which], wmt["human"])
    counts = segments.sum(axis=0)
    assert dict(zip(("C", "D", "Th", "Tm", "Thm"), counts, strict=True)) == effects["counts"]
    names = {"wmt08_consistency": "tau@wmt08", "wmt12_tau10": "tau@wmt12", "tau_a": "tau@a", "tau_b_pooled": "tau@b"}
    names |= {"tau_eq23": "tau@eq", "acc_eq23": "pairwise_accuracy", "wmt12": "tau@wmt12"}
    for form, expected in effects["micro"].items():
        assert mm.measures[names.get(form, f"tau@{form}")].of_evidence(counts) == pytest.approx(expected), form
    for form, expected in effects["macro"].items():
        values = mm.measures[names.get(form, f"tau@{form}")].of_evidence(segments)
        assert np.nanmean(values) == pytest.approx(expected), form
    assert np.isnan(mm.measures["tau@wmt12"].of_evidence(segments)).sum() == effects["segments_tau_undefined(all human ties)"]
    assert COMPAT["mrr"](wmt[which], wmt["human"]).mean() == pytest.approx(effects["mrr_rankeval"])
    clean = effects["ndcg_clean(floor relevance, tie-averaged)"]
    assert mm.measures["ndcg"](wmt[which], wmt["human"]).mean() == pytest.approx(clean)
    if which == "predicted":  # without ties; the program's own breaks ties by the order in the file
        for name, printed in (("ndgc", "ndcg_rankeval"), ("err", "err_rankeval")):
            assert COMPAT[name](wmt[which], wmt["human"]).mean() == pytest.approx(effects[printed])
        assert mm.measures["err"](wmt[which], wmt["human"]).mean() == pytest.approx(
            effects["err_clean(floor relevance, stable order)"]
        )


def test_its_settings_hold_for_named_measures_and_in_compare(run, tmp_path):
    """--compat rankeval was ignored as soon as measures were named, while the signature still claimed it."""
    import json

    rows = [(s, i, g, a, b) for s in "123" for i, g, a, b in (("x", 1, 1, 2), ("y", 2, 1, 1), ("z", 2, 2, 2), ("w", 3, 3, 1))]
    text = "segment,item,gold,one,two\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows)
    (tmp_path / "all.csv").write_text(text.replace("3,w,3,3,1", "3,w,3,1,1"))
    base = (tmp_path / "all.csv", "--task", "ranking", "--format", "json")

    def scores(*flags):
        answer = json.loads(run("evaluate", *base, *flags)[1])
        return {entry["run"]: list(entry["scores"].values()) for entry in answer["runs"]}

    theirs = scores("--measures", "ndcg@ties=worst:relevance=ceiling,mrr@ties=worst")
    assert scores("--measures", "ndcg,mrr", "--compat", "rankeval") == theirs
    assert scores("--measures", "ndcg,mrr") != theirs
    compared = json.loads(run("compare", *base, "--measures", "ndcg", "--compat", "rankeval", "--test", "permutation")[1])
    assert dict(zip(compared["runs"], compared["means"], strict=True)) == pytest.approx(
        {name: values[0] for name, values in theirs.items()}
    )
