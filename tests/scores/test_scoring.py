"""From labels in memory to one number, and into scikit-learn."""

import math
import pickle

import numpy as np
import pytest

import metameasure as mm

GOLD, OUTPUT, CLASSES = [1, 1, 2, 3], [1, 2, 2, 3], [1, 2, 3]


@pytest.mark.parametrize(
    ("gold", "output"),
    [
        (GOLD, OUTPUT),
        (tuple(GOLD), iter(OUTPUT)),
        (np.array(GOLD), np.array(OUTPUT)),
        (np.array(GOLD, dtype=np.uint8), np.array(OUTPUT, dtype=np.int16)),
        (np.array(GOLD, dtype=float), np.array(OUTPUT, dtype=object)),
        ([str(label) for label in GOLD], np.array([str(label) for label in OUTPUT])),
        ([1.0, 1, "2", 3], OUTPUT),
    ],
)
def test_labels_in_any_container(gold, output):
    assert mm.score(gold, output, "cem_ord", classes=CLASSES) == pytest.approx(0.8678, abs=5e-5)


def test_labels_in_a_series():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    for dtype in ("int64", "category", "string", "float64"):
        assert mm.score(pandas.Series(GOLD).astype(dtype), pandas.Series(OUTPUT), "accuracy", classes=CLASSES) == 0.75


def test_narrow_integers_do_not_wrap_around():
    labels = np.array([-100, 100, 0], dtype=np.int8)
    assert mm.score(labels, labels.astype(int), "mae", classes="-100..100") == 0
    assert mm.score(labels.astype(np.uint8), [156, 100, 0], "mae", classes="0..255") == 0


def test_counts_rows_are_gold():
    assert mm.counts(GOLD, OUTPUT, classes=CLASSES).tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]


def test_weights():
    assert mm.score(GOLD, OUTPUT, "accuracy", classes=CLASSES, weights=[1, 3, 0, 0]) == 0.25


OF_LABELS = [*(id for id in mm.measures if mm.measures[id].inputs.arrays == ("counts",)), "oci@gamma=2"]
TWENTY = [1, 1, 2, 3, 3, 2, 1, 2, 3, 3] * 2, [1, 2, 2, 3, 1, 2, 1, 2, 3, 2] * 2
STEPS = np.abs(np.subtract.outer(range(3), range(3))).astype(float)


def chosen(id):
    """The measure, with a parameter where it needs one, and the distances that it needs."""
    measure = mm.measures[f"{mm.measures[id].base}@1" if mm.measures[id].open else id]
    return measure.id, {"distance": STEPS} if measure.needs_distance else {}


@pytest.mark.parametrize("id", OF_LABELS)
def test_only_the_proportions_of_weights_matter(id):
    name, options = chosen(id)
    gold, output = TWENTY
    plain = mm.score(gold, output, name, classes="1..3", **options)
    uneven = np.random.default_rng(5).random(20) + 0.1
    weighted = mm.score(gold, output, name, classes="1..3", weights=uneven, **options)
    for factor in (1, 2, 0.25, 1e-3):
        equal = mm.score(gold, output, name, classes="1..3", weights=iter([factor] * 20), **options)
        assert equal == pytest.approx(plain, abs=1e-12, nan_ok=True)
        scaled = mm.score(gold, output, name, classes="1..3", weights=list(factor * uneven), **options)
        assert scaled == pytest.approx(weighted, abs=1e-12, nan_ok=True)


def test_weights_in_memory_are_those_of_files():
    """Every measure of labels, by ``score`` and by ``evaluate``, with weights of any scale; baselines and intervals too."""
    frame = pytest.importorskip("polars", reason="polars is not installed").DataFrame
    gold, output = TWENTY
    uneven = np.random.default_rng(6).random(20) + 0.1
    names = [name for name, _ in map(chosen, OF_LABELS) if "classification" in mm.measures[name].tasks]
    alone = mm.score(gold, output, names, classes="1..3", weights=uneven, distance=STEPS)
    told = []
    for factor in (1, 0.25, 1e3):
        of_gold = frame({"item": [*range(20)], "label": gold, "weight": factor * uneven})
        run = frame({"item": [*range(20)], "label": output})
        scores = mm.evaluate(
            of_gold, {"run": run}, measures=names, classes="1..3", distance=STEPS, baselines=True, ci=True, trials=20
        )
        told.append(scores)
    for name in names:
        assert told[0]["run"][name] == pytest.approx(alone[name], abs=1e-12, nan_ok=True)
    for scores in told[1:]:
        np.testing.assert_allclose(scores.averages(), told[0].averages(), atol=1e-9)
        np.testing.assert_allclose(scores.intervals.items, told[0].intervals.items, atol=1e-9)


def test_classes_are_never_guessed():
    with pytest.raises(mm.UsageError) as caught:
        mm.score([10, 9, 9], [2, 9, 10], "cem_ord")
    assert "classes=['2', '9', '10']" in str(caught.value)


def test_many_labels_found_are_cut():
    with pytest.raises(mm.UsageError, match=r"1000 different labels are found"):
        mm.score(range(1000), range(1000), "cem_ord")


@pytest.mark.parametrize(
    ("gold", "output", "complaint"),
    [
        (GOLD, OUTPUT[:3], "4 gold labels but 3 predicted"),
        ("1123", OUTPUT, "one string"),
        (np.ones((2, 2)), OUTPUT, "shape"),
        (GOLD, [1, 2, None, 3], "missing"),
        (GOLD, [1, 2, math.nan, 3], "missing"),
        (GOLD, [1, 2, 4, 3], r"1 predicted label not among the classes: '4' \(first at item 3\)"),
        (np.array([1, 2**40, 2, 3]), OUTPUT, r"1 gold label"),
        (np.array([7, 1, 2, 3]), OUTPUT, r"1 gold label.*'7'"),
    ],
)
def test_labels_that_are_wrong(gold, output, complaint):
    with pytest.raises(mm.DataError, match=complaint):
        mm.score(gold, output, "accuracy", classes=CLASSES)


def test_a_misspelt_label_suggests_the_class():
    with pytest.raises(mm.DataError, match="did you mean 'positive'"):
        mm.score(["postive"], ["positive"], "accuracy", classes=["negative", "positive"])


@pytest.mark.parametrize(
    ("weights", "complaint"), [([1, 2], "2 weights for 4"), ([1, 1, -1, 1], "item 3"), ([1, 1, 1, math.nan], "item 4")]
)
def test_weights_that_are_wrong(weights, complaint):
    with pytest.raises(mm.DataError, match=complaint):
        mm.score(GOLD, OUTPUT, "accuracy", classes=CLASSES, weights=weights)


def test_no_items_score_nan():
    assert math.isnan(mm.score([], [], "accuracy", classes=CLASSES))


def test_a_measure_object_scores_without_being_registered():
    assert mm.score(GOLD, OUTPUT, mm.measures["accuracy"], classes=CLASSES) == 0.75


class TestScikitLearn:
    @pytest.fixture
    def problem(self):
        datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn is not installed")
        return datasets.make_classification(400, n_informative=4, n_classes=4, random_state=0)

    @pytest.mark.thorough
    def test_cross_validation(self, problem):
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import cross_val_predict, cross_validate

        inputs, gold = problem
        scorers = {name: mm.scorer(name, classes=range(4)) for name in ("cem_ord", "mae", "recall@2")}
        folds = cross_validate(LogisticRegression(), inputs, gold, cv=4, scoring=scorers, n_jobs=2)
        predicted = cross_val_predict(LogisticRegression(), inputs, gold, cv=4)
        assert folds["test_cem_ord"].mean() == pytest.approx(mm.score(gold, predicted, "cem_ord", classes=range(4)), abs=0.02)
        assert folds["test_mae"].mean() == pytest.approx(-mm.score(gold, predicted, "mae", classes=range(4)), abs=0.02)

    def test_grid_search_maximises_a_lower_is_better_measure(self, problem):
        from sklearn.dummy import DummyClassifier
        from sklearn.model_selection import GridSearchCV

        inputs, gold = problem
        candidates = {"constant": [0, 1, 3], "strategy": ["constant"]}
        search = GridSearchCV(DummyClassifier(), candidates, scoring=mm.scorer("mae", classes=range(4)), cv=3).fit(inputs, gold)
        maes = {answer: mm.score(gold, [answer] * len(gold), "mae", classes=range(4)) for answer in candidates["constant"]}
        assert search.best_params_["constant"] == min(maes, key=maes.get)

    def test_sample_weights(self, problem):
        from sklearn.dummy import DummyClassifier

        inputs, gold = problem
        model = DummyClassifier(strategy="constant", constant=0).fit(inputs, gold)
        only_zeros = (gold == 0).astype(float)
        assert mm.scorer("accuracy", classes=range(4))(model, inputs, gold, sample_weight=only_zeros) == 1


def test_scorers_pickle_and_print():
    scorer = mm.scorer("f1@a+b", classes=["a", "b", "c"])
    assert pickle.loads(pickle.dumps(scorer)) == scorer
    assert repr(scorer) == "scorer('f1@a+b', classes='a,b,c')"


def test_a_description_is_no_scorer():
    with pytest.raises(mm.UsageError, match="no better direction"):
        mm.scorer("gold_entropy", classes=CLASSES)


def test_an_interval_measure_of_nominal_classes_is_no_scorer():
    with pytest.raises(mm.UsageError, match="declared nominal"):
        mm.scorer("mae", classes=mm.Scale(("a", "b"), "nominal"))
