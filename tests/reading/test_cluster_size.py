"""What passes between the program and a cluster: nothing of the items is sent, labels come back as counts, and other rows as
numbers, 16 bytes each."""

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import metameasure as mm
from engines import spark
from metameasure.reading.connecting import Cluster

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
MOST_SENT = MOST_COUNTED = 1_000_000
MOST_ASKED = 100_000
ITEMS, TOPICS, SEGMENTS = 30_000, 25_000, 600
CLASSES = ("a", "b", "c")
LABELS = {"classes": "a,b,c", "measures": "accuracy"}


class Metered:
    """The stub of a Connect client, which refuses large messages and adds up what comes back."""

    def __init__(self, stub):
        self.stub, self.largest, self.received = stub, 0, 0

    def __getattr__(self, name):
        method = getattr(self.stub, name)

        def call(request, **more):
            if not hasattr(request, "ByteSize"):  # artefacts come one after the other
                return method(map(self._sent, request), **more)
            answer = method(self._sent(request), **more)
            return self._metered(answer) if name in ("ExecutePlan", "ReattachExecute") else answer

        return call

    def _sent(self, request):
        self.largest = max(self.largest, request.ByteSize())
        assert request.ByteSize() <= MOST_SENT, f"{request.ByteSize():,} bytes are sent"
        return request

    def _metered(self, answers):
        for answer in answers:
            self.received += len(answer.arrow_batch.data)
            yield answer


@pytest.fixture
def metered(monkeypatch):
    client = Cluster(spark().address).session().client
    meter = Metered(client._stub)
    monkeypatch.setattr(client, "_stub", meter)
    return meter


def written(folder, name, columns):
    path = folder / f"{name}.parquet"
    duckdb.from_arrow(pa.table(dict(columns))).write_parquet(str(path))
    return path


def labels(seed, **more):
    draw = np.random.default_rng(seed)
    items = [f"a document of the collection, number {place}" for place in range(ITEMS)]
    return {"item": items, "label": draw.choice(CLASSES, ITEMS), **{name: draw.random(ITEMS) for name in more}}


def distribution(seed):
    shares = np.random.default_rng(seed).multinomial(8, [0.25, 0.25, 0.5], size=TOPICS) / 8
    topics = [f"a topic of the collection, number {place}" for place in range(TOPICS)]
    return {"topic": np.repeat(topics, 3), "class": np.tile(CLASSES, TOPICS), "probability": shares.ravel()}


def ranking(seed):
    pairs = [(one, one * 37 + other) for one in range(SEGMENTS) for other in range(50)]
    return {
        "segment": [f"segment number {one}" for one, _ in pairs],
        "item": [f"a document of the collection, number {other}" for _, other in pairs],
        "score": np.random.default_rng(seed).random(len(pairs)),
    }


def both(gold, runs, **options):
    """Scores here and on the cluster, which are the same."""
    here = mm.evaluate(gold, runs, **options)
    there = mm.evaluate(gold, runs, engine="spark", master=spark().address, **options)
    assert there.values.tobytes() == here.values.tobytes()
    assert str(there.signature) == str(here.signature)


@pytest.mark.needs("spark")
def test_labels_come_back_as_counts(tmp_path, metered):
    gold = written(tmp_path, "gold", labels(0))
    runs = [written(tmp_path, name, labels(place)) for place, name in enumerate(("one", "two"), 1)]
    both(gold, runs, **LABELS)
    both(written(tmp_path, "heavy", labels(0, weight=True)), runs, **LABELS)
    stacked = {"run": np.repeat(["one", "two"], ITEMS), "item": labels(0)["item"] * 2, "gold": np.tile(labels(0)["label"], 2)}
    both(written(tmp_path, "all", {**stacked, "label": np.concatenate([labels(1)["label"], labels(2)["label"]])}), None, **LABELS)
    assert 0 < metered.received <= MOST_COUNTED


@pytest.mark.needs("spark")
def test_what_is_wrong_with_labels_comes_back_as_counts(tmp_path, metered):
    gold = written(tmp_path, "gold", labels(0))
    rows = labels(1)
    wrong = {
        "again": {name: [*values, *values[:15_000]] for name, values in rows.items()},
        "lacking": {name: values[10_000:] for name, values in rows.items()},
        "unknown": {**rows, "item": [f"no {item}" if place % 3 else item for place, item in enumerate(rows["item"])]},
    }
    runs = [written(tmp_path, name, columns) for name, columns in wrong.items()]
    said = []
    for engine in ({}, {"engine": "spark", "master": spark().address}):
        with pytest.raises(mm.DataError) as raised:
            mm.evaluate(gold, runs, **LABELS, **engine)
        said.append(([*raised.value.problems], raised.value.total))
    assert said[0] == said[1]
    assert said[0][1] == 15_000 + 10_000 + 2 * 20_000
    assert metered.received <= MOST_COUNTED


@pytest.mark.needs("spark")
@pytest.mark.parametrize("task", ["quantification", "ranking", "entailment"])
def test_other_rows_come_back_as_numbers(tmp_path, metered, task):
    make, names, options = {
        "quantification": (distribution, ("topic",), {"classes": "a,b,c", "measures": "nmd"}),
        "ranking": (ranking, ("segment", "item"), {"measures": "pairwise_accuracy"}),
        "entailment": (lambda seed: labels(seed, confidence=True), ("item",), {"positive": "a", "neutral": "b", "negative": "c"}),
    }[task]
    tables = [make(seed) for seed in range(3)]
    gold, *runs = [written(tmp_path, name, table) for name, table in zip(("gold", "one", "two"), tables, strict=True)]
    both(gold, runs, task=task, **options)
    rows = sum(len(next(iter(table.values()))) for table in tables)
    texts = sum(len(text) + 12 for name in names for text in set(tables[0][name]))
    assert metered.received <= 17 * rows + 2 * texts + 100_000, metered.received


def outcomes(**more):
    """Two runs' scores one below the other, with further columns."""
    score = np.random.default_rng(0).integers(0, 2, 2 * ITEMS)
    return {"run": np.repeat(["one", "two"], ITEMS), "item": labels(0)["item"] * 2, "score": score, **more}


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", ["stacked", "apart", "in topics and clusters", "repeated"])
def test_outcomes_come_back_as_numbers(tmp_path, metered, shape):
    places = np.tile(np.arange(ITEMS), 2)
    topics = {"topic": [f"topic {place % 40}" for place in places], "passage": [f"passage {place % 4000}" for place in places]}
    items = labels(0)["item"]
    half = {"item": [items[place // 2] for place in places], "repeat": places % 2 + 1}
    rows, columns = {
        "stacked": (outcomes(), {}),
        "apart": (outcomes(), {}),
        "in topics and clusters": (outcomes(**topics), {"cluster": "passage"}),
        "repeated": (outcomes(**half), {"repeat": "repeat"}),
    }[shape]
    if shape == "apart":
        files = [
            written(tmp_path, name, {role: values[start : start + ITEMS] for role, values in rows.items() if role != "run"})
            for name, start in (("one", 0), ("two", ITEMS))
        ]
        both(None, files, task="outcomes")
    else:
        both(written(tmp_path, "rows", rows), None, task="outcomes", columns=columns)
    texts = sum(len(text) + 12 for name in rows if name != "score" for text in {*map(str, rows[name])})
    assert metered.received <= 17 * 2 * ITEMS + 2 * texts + 100_000, metered.received
    assert metered.largest <= MOST_ASKED, "a query that doubles with every column of texts"


@pytest.mark.needs("spark")
def test_comparing_item_by_item_sends_no_items(tmp_path, metered):
    gold = written(tmp_path, "gold", labels(0))
    runs = [written(tmp_path, name, labels(place)) for place, name in enumerate(("one", "two"), 1)]
    found = [
        mm.compare(gold, runs, "accuracy", classes="a,b,c", trials=10, **engine).to_dict()
        for engine in ({}, {"engine": "spark", "master": spark().address})
    ]
    assert found[0] == found[1]
    assert 0 < metered.received <= MOST_COUNTED, "items that are alike are counted there"


@pytest.mark.needs("spark")
def test_joint_counts_and_parts_send_no_items(tmp_path, metered):
    there = {"engine": "spark", "master": spark().address}
    for part, half in enumerate((slice(None, ITEMS // 2), slice(ITEMS // 2, None))):
        for run in ("one", "two"):
            rows = {
                "item": labels(0)["item"][half],
                "gold": labels(0)["label"][half],
                "label": labels(len(run) + part)["label"][half],
            }
            (tmp_path / "rows" / f"run={run}").mkdir(parents=True, exist_ok=True)
            written(tmp_path / "rows" / f"run={run}", f"part{part}", rows)
    found = [mm.count(tmp_path / "rows", classes="a,b,c", for_="compare", **engine) for engine in ({}, there)]
    assert str(found[0]) == str(found[1])
    assert 0 < metered.received <= MOST_COUNTED


@pytest.mark.needs("spark")
def test_partitions_and_gold_that_is_here_send_no_items(tmp_path, metered):
    gold, run = labels(0), written(tmp_path, "one", labels(1))
    both(written(tmp_path, "gold", gold), [run], partitions=4, **LABELS)
    there = spark().read.parquet(str(run))
    found = mm.evaluate(pl.DataFrame(gold), {"one": there}, **LABELS)
    assert str(found.signature) == str(mm.evaluate(pl.DataFrame(gold), {"one": pl.read_parquet(run)}, **LABELS).signature)
    assert metered.largest > 0


@pytest.mark.needs("spark")
def test_ratings_come_back_as_numbers(tmp_path, metered):
    rows = [(item, who) for item in labels(0)["item"] for who in ("ann", "bob")]
    label = np.random.default_rng(0).choice(CLASSES, len(rows))
    ratings = written(
        tmp_path, "ratings", {"item": [one for one, _ in rows], "annotator": [who for _, who in rows], "label": label}
    )
    how = {"measures": "alpha_nominal", "classes": "a,b,c", "kind": "nominal", "trials": 5}
    found = mm.agree(spark().read.parquet(str(ratings)), **how)
    assert found["alpha_nominal"] == mm.agree(ratings, **how)["alpha_nominal"]
    assert metered.received <= 9 * len(rows) + 2 * sum(len(text) + 12 for text in labels(0)["item"]) + 100_000
