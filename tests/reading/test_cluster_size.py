"""What passes between the program and a cluster: nothing of the items is sent, labels come back as counts, outcomes as sums, and
other rows as numbers, 16 bytes each."""

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import metameasure as mm
from engines import made, spark
from metameasure.reading.connecting import Cluster

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
MOST_SENT, MOST_COUNTED = 100_000, 1_000_000
"""The largest message to the cluster, into which no number for each item would fit; and what comes back of counts."""
ITEMS, TOPICS, SEGMENTS = 30_000, 25_000, 600
CLASSES = ("a", "b", "c")
LABELS = {"classes": "a,b,c", "measures": "accuracy"}


class Metered:
    """The stub of a Connect client, which refuses large messages and adds up what comes back."""

    def __init__(self, stub):
        self.stub, self.most, self.largest, self.received = stub, MOST_SENT, 0, 0

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
        assert request.ByteSize() <= self.most, f"{request.ByteSize():,} bytes are sent"
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


def repeated_labels(runs=("one", "two"), **more):
    """Three outputs of each run for an item beside gold, one below the other, with further columns by the items' places."""
    items = ITEMS // 3
    draw, item = np.random.default_rng(0), np.repeat(np.arange(items), 3)
    own = {name: [f"{name} {place % values}" for place in item] * len(runs) for name, values in more.items()}
    return {
        "run": np.repeat(runs, len(item)),
        "item": [f"a document of the collection, number {place}" for place in item] * len(runs),
        "repeat": np.tile([1, 2, 3], items * len(runs)),
        "gold": np.tile(np.repeat(draw.choice(CLASSES, items), 3), len(runs)),
        "label": draw.choice(CLASSES, len(item) * len(runs)),
        **own,
    }


def some_of(columns, kept):
    """Some rows of a table."""
    return {name: [one for one, keep in zip(values, kept, strict=True) if keep] for name, values in columns.items()}


def nearly(found):
    """Facts whose numbers may differ in the last digits."""
    if isinstance(found, dict):
        return {name: nearly(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [nearly(value) for value in found]
    return pytest.approx(found, rel=1e-9, abs=1e-12) if isinstance(found, float) else found


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", ["stacked", "apart", "uneven", "in topics", "in clusters"])
def test_labels_with_repeats_come_back_as_kinds_of_items(tmp_path, metered, shape):
    more = {"in topics": {"topic": 4}, "in clusters": {"passage": 40}}.get(shape, {})
    rows = repeated_labels(**more)
    size = len(rows["item"]) // 2
    if shape == "uneven":
        rows = some_of(rows, [place % 7 != 1 for place in range(2 * size)])
    columns = {"repeat": "repeat", **({"cluster": "passage"} if shape == "in clusters" else {})}
    if shape == "apart":
        gold = written(tmp_path, "gold", {"item": rows["item"][:size:3], "label": rows["gold"][:size:3]})
        halves = (slice(None, size), slice(size, None))
        own = ({name: rows[name][half] for name in ("item", "repeat", "label")} for half in halves)
        runs = [written(tmp_path, name, half) for name, half in zip(("one", "two"), own, strict=True)]
    else:
        gold, runs = written(tmp_path, "rows", rows), None
    how, there = {"classes": "a,b,c", "columns": columns}, {"engine": "spark", "master": spark().address}
    with_interval = {"ci": True} if shape != "in topics" else {}  # which draw items in their order
    scored = [mm.evaluate(gold, runs, measures="accuracy", **with_interval, **how, **own).to_dict() for own in ({}, there)]
    assert scored[0] == nearly(scored[1])
    if shape in ("apart", "uneven"):
        compared = [mm.compare(gold, runs, "accuracy", trials=20, **how, **own).to_dict() for own in ({}, there)]
        assert compared[0] == nearly(compared[1])
    assert 0 < metered.received <= MOST_COUNTED / 2


@pytest.mark.needs("spark")
def test_many_repeats_and_rows_on_items_that_gold_lacks_are_counted_as_here(tmp_path):
    """Whose codes take several numbers of 62 bits; most outputs are for an item that counts for nothing."""
    draw, times = np.random.default_rng(0), [1 + place % 20 for place in range(60)] + [40]
    items = np.repeat([f"item {place}" for place in range(61)], times).tolist()
    repeat = [number for several in times for number in range(several)]
    gold = written(tmp_path, "gold", {"item": [f"item {place}" for place in range(60)], "label": draw.choice(CLASSES, 60)})
    runs = [
        written(tmp_path, name, {"item": items, "repeat": repeat, "label": draw.choice(CLASSES, len(items))})
        for name in ("one", "two", "three")
    ]
    how = {"classes": "a,b,c", "extra": "ignore", "columns": {"repeat": "repeat"}, "for_": "compare"}
    counted = [mm.count(gold, runs, **how, **own) for own in ({}, {"engine": "spark", "master": spark().address})]
    assert str(counted[0]) == str(counted[1])


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
    assert metered.received <= 17 * rows + texts + 100_000, metered.received


def outcomes(score=None, runs=("one", "two"), **more):
    """Runs' scores one below the other, with further columns."""
    size = len(runs) * ITEMS
    score = np.random.default_rng(0).integers(0, 2, size) if score is None else score
    return {"run": np.repeat(runs, ITEMS), "item": labels(0)["item"] * len(runs), "score": score, **more}


PLACES = np.tile(np.arange(ITEMS), 2)
TOPICS_OF = {"topic": [f"topic {place % 4}" for place in PLACES]}
PASSAGES = {"passage": [f"passage {place % 400}" for place in PLACES]}
IN_CLUSTERS = {"columns": {"cluster": "passage"}}
REPEATS = {"item": np.array(labels(0)["item"])[PLACES // 3].tolist(), "repeat": PLACES % 3 + 1}
GRADED = np.random.default_rng(1).normal(size=2 * ITEMS)
OUTCOMES = {
    "passes": (outcomes(), {}),
    "passes of twenty runs": (outcomes(np.random.default_rng(2).integers(0, 2, 20 * ITEMS), [f"run {i}" for i in range(20)]), {}),
    "levels": (outcomes(np.random.default_rng(3).integers(0, 8, 2 * ITEMS) / 7), {}),
    "graded": (outcomes(GRADED), {}),
    "graded, of many sizes": (outcomes(GRADED * 10.0 ** (PLACES % 40 - 20)), {}),
    "graded, in topics": (outcomes(GRADED, **TOPICS_OF), {}),
    "passes, in topics and clusters": (outcomes(**TOPICS_OF, **PASSAGES), IN_CLUSTERS),
    "graded, in clusters": (outcomes(GRADED, **PASSAGES), IN_CLUSTERS),
    "graded, in topics and clusters": (outcomes(GRADED, **TOPICS_OF, **PASSAGES), IN_CLUSTERS),
    "repeats": ({**outcomes(), **REPEATS}, {}),
    "repeats, some without a score": (
        {**outcomes(), **REPEATS, "score": [None if place % 11 == 0 else place % 2 for place in range(2 * ITEMS)]},
        {"missing": "zero"},
    ),
    "chances of repeats": ({**outcomes(), **REPEATS}, {"measures": "pass@2,consistency"}),
    "draws of passes": (outcomes(), {"interval": "bootstrap", "trials": 20}),
    "draws of clusters": (outcomes(GRADED, **PASSAGES), {"interval": "bootstrap", "trials": 20, **IN_CLUSTERS}),
    "gaps": ({name: [one for place, one in enumerate(column) if place % 7] for name, column in outcomes(GRADED).items()}, {}),
    "gaps that are zero": (
        {name: [one for place, one in enumerate(column) if place % 7] for name, column in outcomes(GRADED).items()},
        {"missing": "zero"},
    ),
    "two measures": (outcomes(GRADED, measure=np.where(PLACES % 2, "f1", "rouge")), {"better": "higher"}),
}


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", OUTCOMES)
def test_outcomes_come_back_as_sums(tmp_path, metered, shape):
    rows, how = OUTCOMES[shape]
    metered.most = 1.5 * MOST_SENT if shape == "passes of twenty runs" else MOST_SENT
    path = written(tmp_path, "rows", rows)
    found = [
        mm.evaluate(path, task="outcomes", ci=True, **how, **engine).to_dict()
        for engine in ({}, {"engine": "spark", "master": spark().address})
    ]
    assert found[0] == found[1]
    assert 0 < metered.received <= MOST_COUNTED


@pytest.mark.needs("spark")
def test_means_of_very_many_topics_are_sent_some_at_a_time(tmp_path, metered):
    path = written(tmp_path, "rows", outcomes(GRADED, topic=[f"topic {place % 15_000}" for place in PLACES]))
    metered.most = 5 * MOST_SENT
    both(path, None, task="outcomes", ci=True)


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", ["passes", "levels", "passes, in topics and clusters", "repeats"])
def test_outcomes_are_compared_by_how_many_are_alike(tmp_path, metered, shape):
    rows, how = OUTCOMES[shape]
    path = written(tmp_path, "rows", rows)
    found = [
        [ask(path, task="outcomes", **more, **how, **engine).to_dict() for ask, more in (
            (mm.compare, {"trials": 50}), (mm.gate, {"margin": 0.02, "baseline": "one", "candidate": "two"}))]
        for engine in ({}, {"engine": "spark", "master": spark().address})
    ]  # fmt: skip
    assert found[0] == found[1]
    assert 0 < metered.received <= MOST_COUNTED


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", ["gaps", "repeats, some without a score", "two measures"])
def test_outcomes_are_checked_without_their_items(tmp_path, metered, shape):
    path = written(tmp_path, "rows", OUTCOMES[shape][0])
    there = {"engine": "spark", "master": spark().address}
    found = [mm.check(path, task="outcomes", **engine).to_dict() for engine in ({}, there)]
    assert found[0] == found[1]
    assert 0 < metered.received <= MOST_COUNTED / 2, metered.received


@pytest.mark.needs("spark")
def test_outcomes_side_by_side_and_in_files_of_their_own_come_back_as_sums(tmp_path, metered):
    rows = outcomes(GRADED)
    wide = {"item": rows["item"][:ITEMS], "one": rows["score"][:ITEMS], "two": rows["score"][ITEMS:]}
    both(written(tmp_path, "wide", wide), None, task="outcomes")
    files = [written(tmp_path, name, {"item": wide["item"], "score": wide[name]}) for name in ("one", "two")]
    both(None, files, task="outcomes")
    assert 0 < metered.received <= MOST_COUNTED


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", ["repeated", "compared one by one", "counted"])
def test_other_outcomes_come_back_as_numbers(tmp_path, metered, shape):
    rows = {**outcomes(GRADED), **REPEATS} if shape == "repeated" else outcomes(GRADED)
    path, there = written(tmp_path, "rows", rows), {"engine": "spark", "master": spark().address}
    if shape == "repeated":
        both(path, None, task="outcomes", columns={"repeat": "repeat"})
    elif shape == "counted":
        assert str(mm.count(path, task="outcomes", **there)) == str(mm.count(path, task="outcomes"))
    else:
        found = [mm.compare(path, task="outcomes", trials=20, **engine).to_dict() for engine in ({}, there)]
        assert found[0] == found[1]
    texts = sum(len(text) + 12 for name in rows if name != "score" for text in {*map(str, rows[name])})
    assert metered.received <= 17 * 2 * ITEMS + texts + 100_000, metered.received


SOME = PLACES % 3 == 1
WRONG = {
    "an item twice": ("item", np.where(np.arange(2 * ITEMS) == 7, "item 6", [f"item {place}" for place in PLACES])),
    "every item twice": ("item", [f"item {place // 2}" for place in PLACES]),
    "no number": ("score", np.where(SOME, "good", "1")),
    "not finite": ("score", np.where(SOME, "inf", "1")),
    "no item": ("item", [None if some else f"item {place}" for place, some in zip(PLACES, SOME, strict=True)]),
    "a blank item": ("item", ["  " if some else f"item {place}" for place, some in zip(PLACES, SOME, strict=True)]),
    "no run": ("run", [None if some else "one" for some in SOME]),
    "no cluster": ("passage", [None if some else f"p{place % 9}" for place, some in zip(PLACES, SOME, strict=True)]),
    "an item in two clusters": ("passage", ["q" if place == 7 else f"p{item % 9}" for place, item in enumerate(PLACES)]),
}


@pytest.mark.needs("spark")
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_outcomes_is_found_there_and_said_as_here(tmp_path, metered, wrong):
    name, column = WRONG[wrong]
    metered.most = 1.5 * MOST_SENT  # the first thousand of these items
    path = written(tmp_path, "rows", {**outcomes(), **PASSAGES, name: column})
    said = []
    for engine in ({}, {"engine": "spark", "master": spark().address}):
        with pytest.raises(mm.DataError) as raised:
            mm.evaluate(path, task="outcomes", **IN_CLUSTERS, **engine)
        said.append((raised.value.total, str(raised.value)))
    if wrong == "every item twice":  # rows have no order there: of very many the first by their names are shown, here by lines
        said = [(total, sorted({part for line in text.split("\n") for part in line.split(";")[1:]})) for total, text in said]
    assert said[0] == said[1]
    assert 0 < metered.received <= MOST_COUNTED / 2, metered.received


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
def test_counted_labels_bring_the_ids_of_gold_once(tmp_path, metered, monkeypatch):
    """By which evidence knows gold again, some at a time."""
    monkeypatch.setattr("metameasure.reading.cluster._ROWS_BROUGHT", 10_000)
    gold, run = (written(tmp_path, name, labels(seed)) for seed, name in enumerate(("gold", "one")))
    there = {"engine": "spark", "master": spark().address}
    counted = [mm.count(gold, [run], classes="a,b,c", **how) for how in ({}, there)]
    assert counted[0].gold_parts == counted[1].gold_parts
    assert 0 < metered.received <= sum(len(text) + 6 for text in labels(0)["item"]) + 20_000, metered.received


@pytest.mark.needs("spark")
def test_parts_with_gold_beside_the_runs_are_told_apart_as_here(tmp_path):
    rows, there, parts = labels_side_by_side() | {"weight": [0.5] * ITEMS}, {"engine": "spark", "master": spark().address}, []
    for half in (0, 1):
        path = written(tmp_path, f"part{half}", some_of(rows, [place % 2 == half for place in range(ITEMS)]))
        here, part = (mm.count(path, classes="a,b,c", **how) for how in ({}, there))
        assert part.gold_parts == here.gold_parts
        parts.append(part)
    assert mm.merge(parts).gold_items.sum() == ITEMS


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
    assert metered.received <= 9 * len(rows) + sum(len(text) + 12 for text in labels(0)["item"]) + 100_000


def sets(seed):
    """Items with the labels of each in a cell."""
    draw = np.random.default_rng(seed)
    every = ("a", "b", "a|b", "b|c", "a|b|c")
    return {"item": labels(0)["item"][:10_000], "label": [every[place] for place in draw.integers(0, len(every), 10_000)]}


def soft(seed):
    """Items with a row for each class and its probability."""
    shares = np.random.default_rng(seed).multinomial(8, [0.25, 0.25, 0.5], size=10_000) / 8
    items = labels(0)["item"][:10_000]
    return {"item": np.repeat(items, 3), "class": np.tile(CLASSES, 10_000), "probability": shares.ravel()}


@pytest.mark.needs("spark")
@pytest.mark.parametrize("task", ["multilabel", "probabilities"])
def test_label_sets_and_probabilities_come_back_as_numbers(tmp_path, metered, task):
    make, measures = {"multilabel": (sets, "f1_micro,subset_accuracy"), "probabilities": (soft, "brier,log_loss")}[task]
    tables = [make(seed) for seed in range(3)]
    if task == "probabilities":  # whose gold are labels
        tables[0] = {name: labels(0)[name][:10_000] for name in ("item", "label")}
    gold, *runs = [written(tmp_path, name, table) for name, table in zip(("gold", "one", "two"), tables, strict=True)]
    how = {"task": task, "classes": "a,b,c", "kind": "nominal"}
    both(gold, runs, measures=measures, **how)
    there = {"engine": "spark", "master": spark().address}
    counted = [str(mm.count(gold, runs, **how, **engine)) for engine in ({}, there)]
    assert counted[0] == counted[1]
    rows = sum(len(table["item"]) for table in tables)
    texts = sum(len(text) + 12 for text in {*tables[0]["item"]})
    assert metered.received <= 2 * (17 * rows + texts + 100_000), "it was read twice"


@pytest.mark.needs("spark")
@pytest.mark.parametrize("task", ["multilabel", "probabilities", "quantification", "ranking", "outcomes"])
def test_parts_counted_on_a_cluster_merge_to_what_duckdb_counts(tmp_path, task):
    make, by, how = {
        "multilabel": (sets, "item", {"classes": "a,b,c", "kind": "nominal"}),
        "probabilities": (soft, "item", {"classes": "a,b,c", "kind": "nominal"}),
        "quantification": (distribution, "topic", {"classes": "a,b,c"}),
        "ranking": (ranking, "segment", {}),
        "outcomes": (lambda _: outcomes(), "item", {}),
    }[task]
    tables = [make(seed) for seed in range(2)]
    if task == "probabilities":
        tables[0] = {name: labels(0)[name][:10_000] for name in ("item", "label")}
    tables = tables[:1] if task == "outcomes" else tables
    there, parts = {"engine": "spark", "master": spark().address}, {"here": [], "there": []}
    for half in range(2):
        files = []
        for name, table in zip(("gold", "one"), tables, strict=False):
            kept = [place for place, text in enumerate(table[by]) if int(text.split()[-1]) % 2 == half]
            columns = {role: [values[place] for place in kept] for role, values in table.items()}
            files.append(written(tmp_path, f"{name}{half}", columns))
        runs = {"one": files[1]} if len(files) > 1 else None
        parts["there"].append(mm.count(files[0], runs, task=task, **how, **there))
        parts["here"].append(mm.count(files[0], runs, task=task, **how))
    merged = mm.merge(parts["there"])
    assert str(merged) == str(mm.merge(parts["here"][::-1]))
    merged.save(tmp_path / "all.npz")
    assert str(mm.merge([tmp_path / "all.npz"])) == str(merged)


def stacked(make):
    """Two runs one below the other, with gold's labels beside those of each row."""
    known, *said = [make(seed) for seed in range(3)]
    return {
        "run": np.repeat(["one", "two"], len(known["item"])),
        "item": [*known["item"]] * 2,
        "gold": np.tile(np.array(known["label"]), 2),
        "label": np.concatenate([one["label"] for one in said]),
    }


def labels_side_by_side():
    return {"item": labels(0)["item"], **{name: labels(seed)["label"] for seed, name in enumerate(("gold", "one", "two"))}}


def in_parts_of(name, columns, by, parts):
    """With a column of which so many items have the same."""
    return {**columns, name: [f"{name} {int(text.split()[-1]) % parts}" for text in columns[by]]}


def with_gaps(columns):
    return some_of(columns, [place % 7 != 1 or place < 10 for place in range(len(columns["item"]))])


def ranks(columns):
    """Scores of 50 items of a segment as their ranks."""
    order = np.argsort(np.argsort(-np.array(columns["score"]).reshape(SEGMENTS, 50), axis=1), axis=1) + 1
    return {"segment": columns["segment"], "item": columns["item"], "rank": order.ravel()}


NOMINAL = {"classes": "a,b,c", "kind": "nominal"}
OF_LABELS = {
    "side by side": (labels_side_by_side, {}),
    "in topics": (lambda: in_parts_of("topic", stacked(labels), "item", 4), {}),
    "in clusters": (lambda: in_parts_of("passage", stacked(labels), "item", 400), {"ci": True, **IN_CLUSTERS}),
    "dropped": (lambda: with_gaps(stacked(labels)), {"missing": "drop"}),
    "worst": (lambda: with_gaps(stacked(labels)), {"missing": "worst"}),
}


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", OF_LABELS)
def test_labels_of_every_shape_come_back_as_counts(tmp_path, metered, shape):
    make, how = OF_LABELS[shape]
    path, there = written(tmp_path, "rows", make()), {"engine": "spark", "master": spark().address}
    found = [mm.evaluate(path, **LABELS, **how, **engine).to_dict() for engine in ({}, there)]
    assert found[0] == (nearly(found[1]) if shape == "in clusters" else found[1])
    assert 0 < metered.received <= MOST_COUNTED / 2, metered.received


@pytest.mark.needs("spark")
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_lines_are_taken_apart_in_small_messages(tmp_path, metered, kind):
    rows = some_of(stacked(labels), [place % ITEMS < 20 for place in range(2 * ITEMS)])
    both(made(kind, rows, tmp_path, "rows"), None, **LABELS)
    assert metered.largest > 0


def distributions_one_below_the_other():
    """Gold, and a table of two runs."""
    gold, *runs = [distribution(seed) for seed in range(3)]
    return gold, {name: np.concatenate([gold[name]] * 2) for name in ("topic", "class")} | {
        "run": np.repeat(["one", "two"], 3 * TOPICS),
        "probability": np.concatenate([one["probability"] for one in runs]),
    }


def probabilities_in_topics():
    """Labels of gold, and two runs."""
    gold = {name: labels(0)[name][:10_000] for name in ("item", "label")}
    return [in_parts_of("topic", columns, "item", 4) for columns in (gold, soft(1), soft(2))]


def ranking_side_by_side():
    """Two runs beside gold."""
    keys = {name: ranking(0)[name] for name in ("segment", "item")}
    return keys | {name: ranks(ranking(seed))["rank"] for seed, name in enumerate(("gold", "one", "two"))}


def indicators(seed):
    """Items with a column for each label."""
    draw = np.random.default_rng(seed)
    return {"item": labels(0)["item"][:10_000], **{name: draw.integers(0, 2, 10_000) for name in CLASSES}}


OF_NUMBERS = {
    "quantification": (distributions_one_below_the_other, {"classes": "a,b,c", "measures": "nmd"}, 17, 1),
    "ranking": (lambda: [ranking(0), *(ranks(ranking(seed)) for seed in (1, 2))], {"measures": "pairwise_accuracy"}, 17, 1),
    "ranking, side by side": (lambda: [ranking_side_by_side()], {"measures": "pairwise_accuracy"}, 34, 1),
    "multilabel": (lambda: [stacked(sets)], {"measures": "f1_micro", **NOMINAL}, 9, 1),
    "multilabel, a column for each label": (lambda: [*map(indicators, range(3))], {"measures": "f1_micro", **NOMINAL}, 9, 3),
    "probabilities": (probabilities_in_topics, {"measures": "brier", **NOMINAL}, 17, 1),
}
"""Tables, how they are scored, how many bytes come back of a row, and how often each name."""


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", OF_NUMBERS)
def test_rows_of_other_shapes_come_back_as_numbers(tmp_path, metered, shape):
    make, how, of_row, times = OF_NUMBERS[shape]
    tables = make()
    gold, *runs = [written(tmp_path, name, table) for name, table in zip(("gold", "one", "two"), tables, strict=False)]
    both(gold, runs or None, task=shape.partition(",")[0], **how)
    rows = sum(len(next(iter(table.values()))) for table in tables)
    known = {str(text) for table in tables for name in ("item", "topic", "segment") for text in table.get(name, ())}
    most = of_row * rows + times * sum(len(text) + 12 for text in known) + 50_000
    assert metered.received <= most, (metered.received, most)


@pytest.mark.needs("spark")
@pytest.mark.parametrize("ask", ["agree", "judge"])
def test_ratings_in_clusters_come_back_as_numbers(tmp_path, metered, ask):
    people = ("ann", "bob", "cy", "gpt")
    items = np.repeat(labels(0)["item"][:6_000], len(people)).tolist()
    rows = in_parts_of("passage", {"item": items, "annotator": list(people) * 6_000}, "item", 40)
    path = written(tmp_path, "ratings", {**rows, "label": np.random.default_rng(0).choice(CLASSES, len(items))})
    how = {**NOMINAL, **IN_CLUSTERS, "trials": 5, "measures": "alpha_nominal" if ask == "agree" else "accuracy"}
    how |= {} if ask == "agree" else {"among": ["gpt"]}
    asked = getattr(mm, ask)
    found = [asked(one, **how).to_dict() for one in (spark().read.parquet(str(path)), pl.read_parquet(path))]
    assert found[0] == found[1]
    texts = sum(len(text) + 12 for text in {*items})
    assert 0 < metered.received <= 4 * 9 * len(items) + texts + 100_000, metered.received
