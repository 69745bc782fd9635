"""Files of TREC are read as trec_eval reads them: equal to pytrec_eval with ties, unjudged documents and empty topics."""

import json
import random

import pytest

import metameasure as mm

MEASURES = {
    "ndcg": "ndcg",
    "ndcg@5": "ndcg_cut_5",
    "average_precision": "map",
    "average_precision@3": "map_cut_3",
    "mrr": "recip_rank",
}


def made_up(seed, folder):
    """Qrels and a run: few scores, so that many tie; unjudged documents, topics without a relevant one or on one side only."""
    draw = random.Random(seed)  # noqa: S311 - test data
    qrels, run = {}, {}
    for topic in range(12):
        documents = [f"d{draw.randint(1, 60)}" for _ in range(20)]
        empty = draw.random() < 0.2
        if topic != 3:
            qrels[f"t{topic}"] = {document: 0 if empty else draw.choice([-1, 0, 0, 1, 2, 3]) for document in documents[:12]}
        if topic != 5:
            run[f"t{topic}"] = {document: draw.choice([0.1, 0.25, 0.3, 7.5, 1 + 1e-9, 1.0]) for document in documents[6:]}
    lines = [f"{topic} 0 {name} {grade}" for topic, found in qrels.items() for name, grade in found.items()]
    (folder / "qrels.txt").write_text("# made up\n" + "\n".join(lines) + "\n" if seed % 2 else "\n".join(lines) + "\n")
    lines = [
        f"{topic} Q0 {name} {place} {score!r} tag" for topic, f in run.items() for place, (name, score) in enumerate(f.items())
    ]
    if seed % 3 == 0:
        lines = [f"{line} more" for line in lines]
    (folder / "run.txt").write_text("\n".join(lines) + "\n")
    return qrels, run


@pytest.mark.needs("pytrec_eval")
@pytest.mark.parametrize("seed", range(12))
def test_equal_to_pytrec_eval(tmp_path, seed):
    import pytrec_eval

    qrels, retrieved = made_up(seed, tmp_path)
    found = mm.evaluate(tmp_path / "qrels.txt", [tmp_path / "run.txt"], task="ranking", measures=list(MEASURES))
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", "ndcg_cut.5", "map", "map_cut.3", "recip_rank"}).evaluate(retrieved)
    for row, name in enumerate(MEASURES.values()):
        values = [theirs[topic][name] for topic in theirs]
        assert found.averages()[row, 0] == pytest.approx(sum(values) / len(values), abs=1e-9), name
        for place, topic in enumerate(found.topics):
            if topic in theirs:
                assert found.values[row, place, 0] == pytest.approx(theirs[topic][name], abs=1e-9)


# By ours, those of pytrec_eval.
OF_DOCUMENTS = {
    "P@5": "P_5", "P@30": "P_30", "R@5": "recall_5", "success@5": "success_5", "r_precision": "Rprec", "bpref": "bpref",
    "infap": "infAP", "num_ret": "num_ret", "num_rel": "num_rel", "num_rel_ret": "num_rel_ret", "num_q": "num_q",
    "gm_map": "gm_map", **{f"iprec@{step / 10:g}": f"iprec_at_recall_{step / 10:.2f}" for step in range(11)},
}  # fmt: skip


@pytest.mark.needs("pytrec_eval")
@pytest.mark.parametrize("seed", range(12))
def test_measures_of_documents_equal_to_pytrec_eval(tmp_path, seed):
    import pytrec_eval

    qrels, retrieved = made_up(seed, tmp_path)
    found = mm.evaluate(tmp_path / "qrels.txt", [tmp_path / "run.txt"], task="ranking", measures=list(OF_DOCUMENTS))
    asked = {"P.5,30", "recall.5", "success.5", "Rprec", "bpref", "infAP", "num_ret", "num_rel", "num_rel_ret", "num_q"}
    asked |= {"gm_map", "iprec_at_recall"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(retrieved)
    for row, name in enumerate(OF_DOCUMENTS.values()):
        values = [theirs[topic][name] for topic in theirs]
        whole = pytrec_eval.compute_aggregated_measure(name, values)
        assert found.averages()[row, 0] == pytest.approx(whole, abs=1e-9), name
        for place, topic in enumerate(found.topics):
            if topic in theirs:
                assert found.values[row, place, 0] == pytest.approx(theirs[topic][name], abs=1e-9), (name, topic)


# Of ir_measures, where it calls trec_eval.
ITS_NAMES = (
    "P@5", "R@5", "Success@5", "Rprec", "Bpref", "infAP", "nDCG@5", "AP", "RR", "NumRet", "NumRel", "NumQ", "IPrec@0.1",
    "IPrec@1.0",
)  # fmt: skip


@pytest.mark.needs("ir_measures")
@pytest.mark.parametrize("seed", range(12))
def test_equal_to_ir_measures(tmp_path, seed):
    """By its names, where it calls trec_eval; and, without ties, which it breaks in another way there, where it counts itself."""
    import ir_measures

    qrels, tied = made_up(seed, tmp_path)
    apart = {
        topic: {name: 100.0 - place for place, name in enumerate(sorted(found, key=lambda one: (-found[one], one)))}
        for topic, found in tied.items()
    }
    lines = [f"{topic} Q0 {name} 1 {score} t" for topic, found in apart.items() for name, score in found.items()]
    (tmp_path / "apart.txt").write_text("\n".join(lines) + "\n")
    for file, run, names in (
        ("run.txt", tied, [*ITS_NAMES]),
        ("apart.txt", apart, ["RR@3", "Judged@5", "P@5", "NumRelRet"]),
    ):
        found = mm.evaluate(tmp_path / "qrels.txt", [tmp_path / file], task="ranking", measures=names)
        theirs = {}
        for one in ir_measures.iter_calc([ir_measures.parse_measure(name) for name in names], qrels, run):
            theirs.setdefault(one.query_id, {})[str(one.measure)] = one.value
        ours = [measure.id for measure in found.measures]
        for name in names:
            row = ours.index(mm.measures.of_task("ranking")[name].id)
            for place, topic in enumerate(found.topics):
                if topic in run and topic in theirs:
                    its = theirs[topic][str(ir_measures.parse_measure(name))]
                    assert found.values[row, place, 0] == pytest.approx(its, abs=1e-9), (name, topic)


def test_it_says_so_and_can_be_told_otherwise(run, tmp_path):
    made_up(1, tmp_path)
    files = (tmp_path / "qrels.txt", tmp_path / "run.txt", "--task", "ranking", "--measures", "ndcg", "--format", "json")
    answers = [json.loads(run("evaluate", *files, *flags)[1]) for flags in ((), ("--compat", "trec_eval"), ("--compat", "none"))]
    assert answers[0]["signature"] == answers[1]["signature"]
    assert "compat:trec_eval" in answers[0]["signature"]
    assert any("read as trec_eval does" in note for note in answers[0]["notes"])
    assert "compat:none" in answers[2]["signature"]
    assert answers[2]["runs"][0]["scores"] != answers[0]["runs"][0]["scores"]
