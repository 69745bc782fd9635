"""Rankings in the formats of the field: jcml, the CSV of WMT, TREC's qrels and runs."""

import itertools
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from metameasure.evidence.judges import judge_agreement
from metameasure.reading.options import Columns
from ranking_tables import FIVE, RankingOptions, from_files, wmt, write

DATA = Path(__file__).parents[3] / "shared/data"
WMT13, SAMPLE = DATA / "wmt13/newstest2013.fr-en.rankings.csv", DATA / "rankeval2013/sample_with_predictions.jcml"
needs_data = pytest.mark.needs("shared-data")


JCML = """<?xml version="1.0" encoding="utf-8"?>
<jcml>
  <judgedsentence id="7" segment_id="1" judge_id="ann" document_id="news">
    <src>x &lt; y</src>
    <tgt system="b" rank="2" score="0.5" len="1">text</tgt>
    <tgt system="a" rank="1" score="0.25" len="2"/>
  </judgedsentence>
  <judgedsentence id="7" segment_id="1" judge_id="ann" document_id="news"><tgt system="a" rank="-1" score=".5" len=""/>
    <tgt system="c" rank="1" score="1e-3" len="-1"/></judgedsentence>
  <judgedsentence id="8" segment_id="2" document_id="news"><tgt system="a" rank="1" score="3" len="2"/></judgedsentence>
</jcml>
"""


def test_jcml(tmp_path):
    """By hand from JCML: rankings of one judge on one segment stay apart; attributes are the columns."""
    file = tmp_path / "set.jcml"
    file.write_text(JCML, encoding="utf-8")
    found = from_files(file, options=RankingOptions(run_columns=("len",)))
    assert found.topics == ("1/ann#1", "1/ann#2", "2")
    assert found.sources == ("1", "1", "2")
    assert found.judges == ("ann", "ann", None)
    assert [found.item_names[code] for code in found.items] == ["a", "b", "a", "c", "a"]
    np.testing.assert_array_equal(found.gold, [1, 2, math.nan, 1, 1])
    np.testing.assert_array_equal(found.predicted, [[2, 1, math.nan, math.nan, 2]])
    scored = from_files(file, options=RankingOptions(run_columns=("score",), runs_are="scores"))
    np.testing.assert_array_equal(scored.predicted, [[2, 1, 1, 2, 1]])
    np.testing.assert_array_equal(scored.scores, [[0.25, 0.5, 0.5, 0.001, 3]])
    assert "len" in from_files(file).notes[0]
    assert from_files(file, options=RankingOptions(columns=Columns(segment="id"))).sources == ("7", "7", "8")


def test_jcml_in_another_order_and_compressed(tmp_path):
    import gzip

    first, *others, last = JCML.split("  <judgedsentence")
    *others, tail = [*others, last.removesuffix("</jcml>\n")]
    turned = first + "".join(f"  <judgedsentence{part}" for part in (tail, *others[::-1])) + "</jcml>\n"
    (tmp_path / "set.jcml").write_text(JCML, encoding="utf-8")
    (tmp_path / "turned.jcml.gz").write_bytes(gzip.compress(turned.encode()))
    how = RankingOptions(run_columns=("len",))
    assert (
        from_files(tmp_path / "turned.jcml.gz", options=how).checksum()
        == from_files(tmp_path / "set.jcml", options=how).checksum()
    )


def test_jcml_documents_that_share_segment_names(tmp_path):
    file = tmp_path / "set.jcml"
    file.write_text(JCML.replace('segment_id="2" document_id="news"', 'segment_id="1" document_id="sport"'), encoding="utf-8")
    found = from_files(file)
    assert found.sources == ("news/1", "news/1", "sport/1")
    assert "DOCUMENT/SEGMENT" in found.notes[0]


def test_jcml_attributes_that_only_some_have(tmp_path):
    file = tmp_path / "set.jcml"
    tgt = '<tgt system="{}" rank="1" {}="1"/>'
    sentence = '<jcml><judgedsentence id="1">' + tgt.format("a", "x") + tgt.format("b", "y") + "</judgedsentence></jcml>"
    file.write_text(sentence, encoding="utf-8")
    found = from_files(file, options=RankingOptions(run_columns=("x", "y"), missing="drop"))
    np.testing.assert_array_equal(found.predicted, [[1, math.nan], [math.nan, 1]])
    found = from_files(file, options=RankingOptions(run_columns=("x", "y"), missing="last"))
    np.testing.assert_array_equal(found.predicted, [[1, 2], [2, 1]])


def test_wmt_five_way(tmp_path):
    file = tmp_path / "wmt.csv"
    file.write_text(wmt([*FIVE, ("2", "ann", "abcde", (-1,) * 5), ("3", "ann", "aabbc", (1, 1, 2, 2, 3))], 5), encoding="utf-8")
    found = from_files(file)
    assert set(found.topics) == {"1/ann#1", "1/ann#2", "1/bob", "3/ann"}
    assert found.sizes.tolist() == [5, 5, 5, 3]
    by_topic = {
        topic: found.gold[a:b].tolist() for topic, (a, b) in zip(found.topics, itertools.pairwise(found.starts), strict=True)
    }
    assert sorted([by_topic["1/ann#1"], by_topic["1/ann#2"]]) == [[1, 2, 2, 3, 5], [5, 4, 3, 2, 1]]
    np.testing.assert_array_equal(by_topic["1/bob"], [5, 2, math.nan, 3, 1])
    assert by_topic["3/ann"] == [1, 2, 3]
    assert found.notes == (f"{file}: 1 ranking without any rank left out",)
    assert (found.runs, found.predicted.shape) == ((), (0, 18))


def test_wmt_pairs_are_put_together_by_ranking(tmp_path):
    """The five-way rankings taken apart into pairs, as WMT has published them from 2014 on."""
    pairs = [
        (segment, judge, (items[i], items[j]), (ranks[i], ranks[j]), number)
        for number, (segment, judge, items, ranks) in enumerate(FIVE)
        for i, j in itertools.combinations(range(5), 2)
    ]
    random.Random(0).shuffle(pairs)  # noqa: S311
    (tmp_path / "five.csv").write_text(wmt(FIVE, 5), encoding="utf-8")
    (tmp_path / "pairs.csv").write_text(wmt(pairs, 2, ranking_id=True), encoding="utf-8")
    assert from_files(tmp_path / "pairs.csv").checksum() == from_files(tmp_path / "five.csv").checksum()
    (tmp_path / "alone.csv").write_text(wmt([pair[:4] for pair in pairs], 2), encoding="utf-8")
    alone = from_files(tmp_path / "alone.csv")
    assert alone.sizes.tolist() == [2] * 30
    assert "each row is a ranking of its own" in alone.notes[0]


def test_wmt_with_runs_that_score_every_system(tmp_path):
    (tmp_path / "wmt.csv").write_text(wmt([("1", "ann", "abc", (1, 2, 3)), ("2", "bob", "bcd", (1, 1, 2))], 3), encoding="utf-8")
    scores = {"a": 0.1, "b": 0.5, "c": 0.5, "d": 0.9}
    run = write(tmp_path / "run.csv", ("segment", "item", "score"), [(s, i, v) for s in "123" for i, v in scores.items()])
    found = from_files(tmp_path / "wmt.csv", [run])
    np.testing.assert_array_equal(found.predicted, [[3, 1, 1, 2, 2, 1]])
    assert found.notes == ("run: 6 rows on items that gold does not have left out",)


class TestPredictedRanksInTheCsvOfWmt:
    def test_ranks_hold_within_their_row(self, tmp_path):
        """System a is first of the predictions in one row and last in another, by the same judge on the same segment."""
        gold = [("1", "ann", "abc", (1, 2, 3)), ("1", "ann", "ade", (3, 1, 2)), ("1", "bob", "abc", (2, 1, 1))]
        predicted = [("1", "ann", "abc", (2, 1, 3)), ("1", "ann", "ade", (3, 2, 1)), ("1", "bob", "abc", (1, 2, 3))]
        (tmp_path / "gold.csv").write_text(wmt(gold, 3), encoding="utf-8")
        (tmp_path / "run.csv").write_text(wmt(predicted, 3), encoding="utf-8")
        found = from_files(tmp_path / "gold.csv", [tmp_path / "run.csv"])
        by_gold = {tuple(found.gold[a:b]): found.predicted[0, a:b].tolist() for a, b in itertools.pairwise(found.starts)}
        assert by_gold == {(1, 2, 3): [2, 1, 3], (3, 1, 2): [3, 2, 1], (2, 1, 1): [1, 2, 3]}
        # Rows of other judges in another order are the same rows.
        (tmp_path / "run.csv").write_text(wmt([predicted[2], *predicted[:2]], 3), encoding="utf-8")
        again = from_files(tmp_path / "gold.csv", [tmp_path / "run.csv"])
        assert again.checksum() == found.checksum()

    def test_rows_that_the_judge_skipped(self, tmp_path):
        """The second row of gold ranks nothing: the run's third is still for gold's third."""
        gold = [("1", "ann", "ab", (1, 2)), ("1", "ann", "ab", (-1, -1)), ("1", "ann", "ab", (2, 1))]
        predicted = [("1", "ann", "ab", (1, 2)), ("1", "ann", "ab", (2, 1)), ("1", "ann", "ab", (1, 1))]
        (tmp_path / "gold.csv").write_text(wmt(gold, 2), encoding="utf-8")
        (tmp_path / "run.csv").write_text(wmt(predicted, 2), encoding="utf-8")
        found = from_files(tmp_path / "gold.csv", [tmp_path / "run.csv"])
        by_gold = {tuple(found.gold[a:b]): found.predicted[0, a:b].tolist() for a, b in itertools.pairwise(found.starts)}
        assert by_gold == {(1, 2): [1, 2], (2, 1): [1, 1]}
        assert "run: 2 rows on items that gold does not have left out" in found.notes

    def test_one_rank_for_a_system_of_a_segment_is_a_table(self, tmp_path):
        """It is for all judges then, whoever is named in the run's file."""
        (tmp_path / "gold.csv").write_text(wmt(FIVE, 5), encoding="utf-8")
        (tmp_path / "run.csv").write_text(wmt([("1", "nobody", "abcde", (5, 4, 3, 2, 1))], 5), encoding="utf-8")
        rows = [("1", item, rank) for item, rank in zip("abcde", (5, 4, 3, 2, 1), strict=True)]
        (tmp_path / "plain").mkdir()
        plain = write(tmp_path / "plain" / "run.csv", ("segment", "item", "rank"), rows)
        found = from_files(tmp_path / "gold.csv", [tmp_path / "run.csv"])
        assert found.checksum() == from_files(tmp_path / "gold.csv", [plain]).checksum()

    @needs_data
    def test_gold_predicts_itself(self, run, tmp_path):
        copy = tmp_path / "copy.csv"
        copy.write_bytes(WMT13.read_bytes())
        status, out, err = run("evaluate", WMT13, copy, "--task", "ranking", "--measures", "tau@xties", "--format", "json")
        assert status == 0, err
        assert json.loads(out)["runs"][0]["scores"]["tau@xties"] == pytest.approx(1)


def test_wmt_with_other_columns_for_segments_and_judges(tmp_path):
    text = wmt(FIVE, 5).replace("srclang", "ranker").replace("trglang", "sentence")
    (tmp_path / "wmt.csv").write_text(text, encoding="utf-8")
    found = from_files(tmp_path / "wmt.csv", options=RankingOptions(columns=Columns(judge="ranker", segment="sentence")))
    assert (set(found.judges), set(found.sources)) == ({"French"}, {"English"})


def test_wmt_several_pairs_of_languages(tmp_path):
    other = wmt(FIVE[:1], 5, languages="German,English").splitlines()[1]
    (tmp_path / "wmt.csv").write_text(wmt(FIVE[:1], 5) + other + "\n", encoding="utf-8")
    assert from_files(tmp_path / "wmt.csv").sources == ("French-English/1", "German-English/1")


QRELS = "t1 0 d1 2\nt1 0 d2 0\nt1 0 d3 -1\nt2 0 d1 1\n"
TREC = "t1 Q0 d2 1 7.5 tag\nt1\tQ0\td9\t2\t7.5\ttag\nt1 Q0 d1 3 1e-1 tag\nt3 Q0 d1 1 1 tag\n"


def test_trec(tmp_path):
    """By hand: grades as scores, d9 unjudged and d3 -1, both counted as 0; d3 not retrieved, t2 not answered, t3 not asked."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "run.txt").write_text(TREC)
    found = from_files(tmp_path / "qrels.txt", [tmp_path / "run.txt"], RankingOptions(compat="none"))
    assert found.topics == ("t1", "t2")
    assert [found.item_names[code] for code in found.items] == ["d1", "d2", "d3", "d9", "d1"]
    assert found.gold_scores.tolist() == [2, 0, -1, -2, 1]
    assert found.counted_scores.tolist() == [2, 0, 0, 0, 1]
    assert found.gold.tolist() == [1, 2, 2, 2, 1]
    nan = math.nan
    np.testing.assert_array_equal(found.scores, [[0.1, 7.5, nan, 7.5, nan]])
    np.testing.assert_array_equal(found.predicted, [[3, 1, nan, 1, nan]])
    assert any("trec_eval orders them by id" in note for note in found.notes)
    assert any("1 retrieved document that nobody judged" in note for note in found.notes)
    for option in ({"missing": "last"}, {"extra": "error"}):  # one run's score would depend on what others retrieve
        with pytest.raises(mm.UsageError, match="is not for TREC's files"):
            from_files(tmp_path / "qrels.txt", [tmp_path / "run.txt"], RankingOptions(format_in="trec", **option))


def pair_counts(rankings):
    """Concordant, discordant, tied by the human only, by the run only, by both; pairs that both rank."""
    counts = np.zeros(5, int)
    for _, cells, inside in rankings.blocks():
        predicted, gold = rankings.arrays("ranks", cells, inside)
        one, other = np.triu_indices(gold.shape[1], 1)
        human, run = np.sign(gold[:, one] - gold[:, other]), np.sign(predicted[0][:, one] - predicted[0][:, other])
        product = human * run
        kinds = [
            product > 0,
            product < 0,
            (human == 0) & (abs(run) == 1),
            (abs(human) == 1) & (run == 0),
            (human == 0) & (run == 0),
        ]
        counts += [int(kind.sum()) for kind in kinds]
    return counts.tolist()


@needs_data
def test_wmt13_with_the_scores_of_its_systems(tmp_path):
    """C, D and Th of effects.json, from the organisers' CSV and a file of scores by segment and system."""
    inputs = json.loads((DATA / "rankeval2013/wmt13_fr-en_inputs.json").read_text())
    wins = inputs["system_expected_wins"]
    human = from_files(WMT13)
    known = {
        (source, item)
        for source, (a, b) in zip(human.sources, itertools.pairwise(human.starts), strict=True)
        for item in human.items[a:b].tolist()
    }
    rows = [(s, human.item_names[i], wins.get(human.item_names[i].removeprefix("newstest2013.fr-en."), 0.5)) for s, i in known]
    run = write(tmp_path / "wins.csv", ("segment", "item", "score"), rows)
    rankings = from_files(WMT13, [run])
    assert len(rankings.topics) == 9996
    expected = json.loads((DATA / "rankeval2013/effects.json").read_text())["predicted"]["counts"]
    assert pair_counts(rankings) == [expected[kind] for kind in ("C", "D", "Th", "Tm", "Thm")]
    assert sorted(sorted(map(float, ranks)) for ranks in inputs["human"]) == sorted(
        sorted(rankings.gold[a:b].tolist()) for a, b in itertools.pairwise(rankings.starts)
    )
    agreement = judge_agreement(rankings)
    assert (agreement.judgements, agreement.ties) == (99960, expected["Th"])
    assert 0 < agreement.inter.kappa < agreement.intra.kappa < 1


@needs_data
@pytest.mark.parametrize(("run", "concordant", "others"), [("rank_len", 78, 72), ("rank_bucket", 54, 96), ("rank", 150, 0)])
def test_the_sample_of_rankeval(run, concordant, others):
    """cli.json: tau_concordant and tau_discordant (which counts predicted ties), tau_original_ties 20."""
    rankings = from_files(SAMPLE, options=RankingOptions(run_columns=(run,)))
    counts = pair_counts(rankings)
    assert (len(rankings.topics), counts[0], counts[1] + counts[3], counts[2] + counts[4]) == (17, concordant, others, 20)


def test_segment_scores_of_metrics(tmp_path):
    """Each metric of a file is a run; a file of one metric among others is called as the file is."""
    (tmp_path / "wmt.csv").write_text(wmt([("1", "ann", "abc", (1, 2, 3)), ("2", "bob", "abc", (1, 1, 2))], 3), encoding="utf-8")
    scores = {"BLEU": {"a": 0.1, "b": 0.5, "c": 0.5}, "TER": {"a": 3, "b": 2, "c": 1}}
    lines = {
        metric: [f"{metric}\tfr-en\tnewstest\t{item}\t{s}\t{v}" for s in "12" for item, v in values.items()]
        for metric, values in scores.items()
    }
    (tmp_path / "both.seg.score").write_text("\n".join(line for part in lines.values() for line in part) + "\n")
    found = from_files(tmp_path / "wmt.csv", [tmp_path / "both.seg.score"])
    assert found.runs == ("BLEU", "TER")
    np.testing.assert_array_equal(found.predicted, [[3, 1, 1, 3, 1, 1], [1, 2, 3, 1, 2, 3]])
    for metric, part in lines.items():
        (tmp_path / f"{metric}.seg.score").write_text("\n".join(part) + "\n")
    apart = from_files(tmp_path / "wmt.csv", [tmp_path / "BLEU.seg.score", tmp_path / "TER.seg.score"])
    np.testing.assert_array_equal(apart.predicted, found.predicted)
