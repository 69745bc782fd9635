"""Models ranked by battles: the fit, judges, ranks, every shape of the data, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import metameasure as mm
from metameasure.cli.main import main
from metameasure.statistics.bradley_terry import Battles, fit, strengths

NAMES = np.array(["ant", "bee", "cat", "dog", "eel"])
TRUTH = np.array([1.2, 0.5, 0.0, -0.5, -1.2])


def battles(number=400, seed=0, judges=25, truth=TRUTH, ties=0.2):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, len(truth), number)
    second = (first + rng.integers(1, len(truth), number)) % len(truth)
    wins = rng.random(number) < 1 / (1 + np.exp(truth[second] - truth[first]))
    winner = np.where(
        rng.random(number) < ties, rng.choice(["tie", "tie (bothbad)"], number), np.where(wins, "model_a", "model_b")
    )
    columns = {"model_a": NAMES[first], "model_b": NAMES[second], "winner": winner, "judge": rng.integers(0, judges, number)}
    return pd.DataFrame(columns)


def coded(table):
    place = {name: number for number, name in enumerate(NAMES)}
    won = table["winner"].map({"model_a": 1.0, "model_b": 0.0}).fillna(0.5).to_numpy()
    return table["model_a"].map(place).to_numpy(), table["model_b"].map(place).to_numpy(), won


def plain_fit(first, second, won):
    """Nothing but the likelihood and a general optimiser, polished by Newton's steps with numerical care."""

    def loss(free):
        theta = np.append(free, -free.sum())
        gap = theta[first] - theta[second]
        return np.sum(np.logaddexp(0, -gap) * won + np.logaddexp(0, gap) * (1 - won))

    def slope(free):
        theta = np.append(free, -free.sum())
        left = 1 / (1 + np.exp(theta[second] - theta[first])) - won
        whole = np.bincount(first, left, 5) - np.bincount(second, left, 5)
        return whole[:-1] - whole[-1]

    found = minimize(loss, np.zeros(4), jac=slope, method="BFGS", options={"gtol": 1e-11}).x
    return np.append(found, -found.sum())


def test_the_fit_is_that_of_maximum_likelihood():
    first, second, won = coded(battles())
    ours = strengths(Battles(5, first, second, won).wins())
    assert ours == pytest.approx(plain_fit(first, second, won), abs=1e-8)
    assert ours.sum() == pytest.approx(0, abs=1e-12)


def test_standard_errors_with_and_without_judges():
    table = battles()
    first, second, won = coded(table)
    judge = table["judge"].to_numpy()
    alone, together = fit(Battles(5, first, second, won)), fit(Battles(5, first, second, won, judge))
    design = np.zeros((len(won), 5))
    design[np.arange(len(won)), first], design[np.arange(len(won)), second] = 1, -1
    chance = 1 / (1 + np.exp(-design @ alone.theta))
    bread = np.linalg.pinv(design.T @ (design * (chance * (1 - chance))[:, None]))
    scores = design * (won - chance)[:, None]
    assert alone.covariance == pytest.approx(bread @ (scores.T @ scores) @ bread * 400 / 399, abs=1e-12)
    by_judge = np.stack([scores[judge == one].sum(axis=0) for one in np.unique(judge)])
    assert together.covariance == pytest.approx(bread @ (by_judge.T @ by_judge) @ bread * 25 / 24, abs=1e-12)
    assert (together.units, alone.units) == (25, 400)


def test_every_shape_of_the_data(tmp_path, capsys):
    table = battles()
    table.to_csv(tmp_path / "b.csv", index=False)
    table.to_json(tmp_path / "b.jsonl", orient="records", lines=True)
    mm.ranks(table).to_frame()
    flags = table.drop(columns="winner").assign(
        winner_model_a=(table["winner"] == "model_a").astype(int),
        winner_model_b=(table["winner"] == "model_b").astype(int),
        winner_tie=table["winner"].str.startswith("tie").astype(int),
    )
    flags.to_csv(tmp_path / "kaggle.csv", index=False)
    other = table.assign(winner=table["winner"].replace({"tie (bothbad)": "both bad", "model_a": "Model_A"}))
    other.rename(columns={"judge": "voter"}).to_csv(tmp_path / "other.csv", index=False)
    answers = []
    for name, more in (
        ("b.csv", []),
        ("b.jsonl", ["--format-in", "battles"]),
        ("kaggle.csv", []),
        ("other.csv", ["--judge-column", "voter"]),
    ):
        assert main(["ranks", str(tmp_path / name), *more, "--format", "json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert all(answer["runs"] == answers[0]["runs"] for answer in answers)
    one = answers[0]
    assert one["runs"][0]["run"] == "ant"
    assert (one["battles"], one["test"], one["units"], one["clusters"]) == (400, "bradley-terry", "clusters", 25)
    assert one["ties"] == int(table["winner"].str.startswith("tie").sum())
    assert {"run", "score", "rank", "possible_ranks"} <= one["runs"][0].keys()
    assert one["strengths"][0]["elo"] == pytest.approx(1000 + 400 / np.log(10) * one["runs"][0]["score"])
    frame = mm.ranks(table)
    assert frame.to_dict()["runs"] == one["runs"]
    assert "Bradley-Terry" in str(frame)


def test_parquet(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    table = battles()
    duckdb.from_df(table).write_parquet(str(tmp_path / "b.parquet"))
    assert mm.ranks(str(tmp_path / "b.parquet")).possible_ranks() == mm.ranks(table).possible_ranks()


def test_ranks_follow_from_what_is_told_apart():
    sure = mm.ranks(battles(4000, judges=200))
    assert sure.possible_ranks() == {name: (rank, rank) for rank, name in enumerate(NAMES, 1)}
    equal = mm.ranks(battles(200, truth=np.zeros(5)))
    assert all(ends == (1, 5) for ends in equal.possible_ranks().values())
    assert (equal.separated_neighbours, len(equal.may_be_first)) == (0, 5)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", "b", "model_a"), ("a", "b", "model_b"), ("c", "d", "tie")], "2 parts that never met: a and b; c and d"),
        ([("a", "b", "tie"), ("a", "c", "model_a"), ("b", "c", "model_a")], "c never won against the others"),
        ([("a", "b", "tie"), ("c", "a", "model_a"), ("c", "b", "model_a")], "c never lost against the others"),
        ([("a", "a", "tie")], "'a' meets itself"),
        ([("a", "b", "tie"), ("a", "b", "perhaps")], "winner 'perhaps'"),
        ([("a", "b", "")], "winner ''"),
        ([("a", "", "tie")], "no model_b"),
        ([], "no battles"),
    ],
)
def test_what_is_refused(tmp_path, capsys, rows, said):
    path = tmp_path / "battles.csv"
    path.write_text("model_a,model_b,winner\n" + "".join(f"{','.join(row)}\n" for row in rows), encoding="utf-8")
    assert main(["ranks", str(path)]) in (1, 2)
    shown = capsys.readouterr()
    assert said in shown.err
    assert not shown.out


def test_missing_columns_lines_and_one_judge(tmp_path, capsys):
    path = tmp_path / "battles.csv"
    path.write_text("model_a,model_b,won\na,b,tie\n", encoding="utf-8")
    assert main(["ranks", str(path)]) == 1
    assert "winner" in capsys.readouterr().err
    path.write_text("model_a,model_b,winner\na,b,tie\na,b,x\n", encoding="utf-8")
    assert main(["ranks", str(path), "--judge-column", "who"]) == 1
    assert "choose with --judge-column" in capsys.readouterr().err
    assert main(["ranks", str(path)]) == 1
    assert "battles.csv:3:" in capsys.readouterr().err
    with pytest.raises(mm.DataError, match="one judge said everything"):
        mm.ranks(battles(judges=1))


def test_the_chart_and_the_signature(tmp_path, capsys):
    path = tmp_path / "battles.csv"
    battles().to_csv(path, index=False)
    assert main(["ranks", str(path), "--chart", str(tmp_path / "ranks.svg"), "--format", "json"]) == 0
    signature = json.loads(capsys.readouterr().out)["signature"]
    assert "ant" in (tmp_path / "ranks.svg").read_text()
    assert main(["reproduce", signature, str(path)]) == 0
