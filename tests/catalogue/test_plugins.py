"""A measure of one's own: one file, and everything knows it."""

import importlib
import math
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace

import pytest

import metameasure
from metameasure import plugin
from metameasure.catalogue import registry
from metameasure.catalogue.registry import Registry
from metameasure.moved import MOVED

FILE = """
from metameasure.catalogue.arrays import ratio
from metameasure.catalogue.classification.tables import TABLES, hits, total
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import Source


@measure(
    id="error_rate", title="Error rate", symbol="Err", tasks=("classification",), inputs=TABLES, better="lower", range=(0, 1),
    perfect=0, scale="nominal", formula="Err = 1 - sum of c_gg / N", use="When errors are what you count.",
    source=(Source("Nobody (2026)", "Nobody. Nothing. 2026."),), undefined=(), aliases=("err_rate",),
)
def error_rate(counts):
    return 1 - ratio(hits(counts).sum(-1), total(counts))
"""
# What must be said, and nothing else, from the one module that such a file imports from.
SHORT = """
from metameasure.plugin import hits, measure, namespace, ratio, total


@measure(id="error_rate", title="Error rate", better="lower", formula="1 - sum of c_gg / N", source="Nobody (2026). Nothing.")
def error_rate(counts):
    return 1 - ratio(namespace(counts).sum(hits(counts), axis=-1), total(counts))
"""
# The array API has functions, not methods: array-api-strict notices, so a measure that wants all libraries says it so.
PORTABLE = FILE.replace("hits(counts).sum(-1)", "namespace(counts).sum(hits(counts), axis=-1)").replace(
    "import ratio", "import namespace, ratio"
)


LEAFLET = plugin.Source("A leaflet", "A leaflet")


@pytest.fixture
def mine(tmp_path):
    """With the imports that plugins had before there was one module for them."""
    file = tmp_path / "my_measures.py"
    file.write_text(PORTABLE)
    return file


def test_a_plugin_is_listed_explained_and_checked(run, mine):
    assert "error_rate" in run("measures", "--plugin", mine)[1]
    assert "Err = 1 - sum" in run("measures", "err_rate", "--plugin", mine)[1]
    status, out, err = run("measures", "--plugin", mine, "--check")
    assert (status, err) == (0, "")
    assert "ok     error_rate: array-api-strict gives the same" in out


def test_five_facts_are_enough(run, tmp_path):
    file = tmp_path / "short.py"
    file.write_text(SHORT)
    (measure,) = registry.load_file(file)
    assert (measure.symbol, measure.tasks, measure.scale, measure.kind) == ("error_rate", ("classification",), "nominal", "score")
    assert (measure.range, measure.perfect, measure.undefined) == ((0, math.inf), 0, ())
    assert (str(measure.source[0]), measure.source[0].full) == ("Nobody (2026)", "Nothing.")
    status, out, err = run("measures", "--plugin", file, "--check")
    assert (status, err) == (0, "")
    assert "FAILED" not in out
    explained = run("measures", "error_rate", "--plugin", file)[1]
    assert "Nobody (2026): Nothing." in explained
    assert "When to use it" not in explained


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"better": "higher"}, {"range": (0, 1), "perfect": 1}),
        ({"better": "higher", "range": (-1, 1)}, {"perfect": 1}),
        ({"better": "higher", "range": (0, math.inf)}, {"perfect": None}),
        ({"better": "higher", "perfect": None}, {"perfect": None}),
        ({"better": "lower", "range": (plugin.SPAN, plugin.SPAN)}, {"perfect": None}),
        ({"better": None}, {"kind": "description", "range": (-math.inf, math.inf), "perfect": None}),
        ({"better": "higher", "inputs": plugin.DISTRIBUTIONS}, {"tasks": ("quantification",), "scale": "nominal"}),
        ({"better": "higher", "inputs": plugin.RANKS}, {"tasks": ("ranking",), "scale": "ordinal"}),
        ({"better": "higher", "source": ("A leaflet", plugin.Source("B", "c"))}, {"source": (LEAFLET, plugin.Source("B", "c"))}),
    ],
)
def test_what_is_not_said_has_a_default(facts, expected):
    declared = plugin.measure(**{"id": "probe", "title": "t", "formula": "f", "source": "s"} | facts)(lambda *arrays: arrays)
    assert {name: getattr(declared, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("id", "parameter", "symbol"),
    [
        ("probe@n", plugin.WholeNumber("n"), "probe@3"),
        ("probe", plugin.Options(number="n"), "probe@3"),
        ("probe@LABEL", plugin.Labels(), "probe@3"),
    ],
)
def test_the_symbol_of_a_measure_with_a_parameter(id, parameter, symbol):
    declared = plugin.measure(id=id, title="t", better="higher", formula="f", source="s", parameter=parameter)(lambda counts: 0)
    assert declared.at("3").symbol == declared.at("3").id == symbol


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("catalogue.orders", "middles"),
        ("catalogue.classification.information", "entropy"),
        ("catalogue.classification.mae", "mean_over_items"),
        ("catalogue.entailment.confidence", "confidence_weighted_score"),
        ("catalogue.entailment.orders", "tie_groups"),
        ("catalogue.quantification.divergence", "kullback_leibler"),
        ("catalogue.quantification.divergence", "jsd"),
        ("catalogue.quantification.errors", "nvd"),
        ("catalogue.quantification.match_distance", "emd"),
        ("catalogue.quantification.order_aware", "distance_weighted"),
        ("catalogue.ranking.best", "best_vs_human"),
        ("catalogue.ranking.gains", "gains"),
        ("catalogue.ranking.lists", "LISTS"),
        ("catalogue.ranking.pairs", "PAIRS"),
        ("catalogue.ranking.ranks", "RANKS"),
        ("catalogue.ranking.reciprocal", "err"),
        ("catalogue.ranking.taus", "tau_b"),
        ("catalogue.scale_order", "below"),
        ("catalogue.distances", "checked_distance"),
        ("catalogue.reads", "Reads"),
        ("catalogue.batch", "Batch"),
        ("formats.columns", "Columns"),
        ("formats.inspection", "table"),
        ("formats.field", "Format"),
        ("formats.options", "ReadOptions"),
        ("errors", "DataError"),
    ],
)
def test_modules_that_older_plugins_import_from(module, name):
    home = importlib.import_module(f"metameasure.{module}")
    with pytest.warns(DeprecationWarning, match="now") if module in MOVED else nullcontext():
        found = getattr(home, name)
    if isinstance(found, metameasure.Measure):
        assert found is metameasure.measures[found.id]


@pytest.mark.parametrize("module", ["plugin", "catalogue.facts", "catalogue.reads"])
def test_the_old_name_of_a_reduction(module):
    home = importlib.import_module(f"metameasure.{module}")
    with pytest.warns(DeprecationWarning, match="now") if module in MOVED else nullcontext():
        assert home.Evidence is plugin.Reduction is type(plugin.PAIRS)


@pytest.mark.parametrize("module", ["plugin", "catalogue.sources"])
def test_the_old_name_of_a_citation(module):
    assert importlib.import_module(f"metameasure.{module}").Source is plugin.Citation


def test_every_old_name_can_be_imported_in_every_way_before_anything_else_is():
    lines = ["import metameasure", *(f"import metameasure.{old} as module; assert metameasure.{old} is module" for old in MOVED)]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_module_that_never_was():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("metameasure.catalogue.ranking.nothing")


def test_one_module_has_all_that_a_plugin_imports():
    assert {name for name in plugin.__all__ if not hasattr(plugin, name)} == set()
    assert sorted(plugin.__all__) == sorted(name for name in vars(plugin) if not name.startswith("_"))


def test_a_plugin_that_does_not_conform(run, tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text(PORTABLE.replace('better="lower"', 'better="higher"'))
    status, out, err = run("measures", "--plugin", file, "--check")
    assert status == 1
    assert "FAILED error_rate: perfect output scores best: an output is better than the perfect one" in out
    assert "conformance tests failed" in err


def test_a_plugin_that_sums_over_the_batch_scores_nothing(run, tmp_path):
    (tmp_path / "wrong.py").write_text(FILE.replace("hits(counts).sum(-1), total(counts)", "hits(counts).sum(), counts.sum()"))
    (tmp_path / "gold.tsv").write_text("item\tlabel\n1\ta\n2\tb\n")
    for name, labels in (("one", "ab"), ("two", "aa")):
        (tmp_path / f"{name}.tsv").write_text(f"item\tlabel\n1\t{labels[0]}\n2\t{labels[1]}\n")
    files = [tmp_path / f"{name}.tsv" for name in ("gold", "one", "two")]
    flags = ("--classes", "a,b", "--measures", "error_rate", "--plugin", tmp_path / "wrong.py")
    status, out, err = run("evaluate", *files, *flags)
    assert (status, out) == (2, "")
    assert "the formula of error_rate gives one number for 2 cases" in err
    assert "sum over the axes of one case only, axis=(-2, -1)" in err


def test_a_plugin_leaves_no_trace(run, mine):
    run("measures", "--plugin", mine)
    assert "error_rate" not in run("measures")[1]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def broken(:\n", "wrong.py:1:"),
        ("import nothing_of_that_name\n", "ModuleNotFoundError"),
        ("x = 1\n", "declares no measure"),
        (FILE.replace("error_rate", "accuracy"), "'accuracy' is declared twice"),
        (FILE.replace('"err_rate"', '"maac"'), "'maac' is declared twice"),
        (FILE.replace('id="error_rate"', 'id="Error rate"'), "wrong.py: measure id 'Error rate' is not lower-case"),
    ],
)
def test_plugins_that_are_wrong(run, tmp_path, text, complaint):
    file = tmp_path / "wrong.py"
    file.write_text(text)
    status, out, err = run("measures", "--plugin", file)
    assert (status, out) == (2, "")
    assert complaint in err


@pytest.mark.parametrize(
    ("fact", "complaint"),
    [
        ('formla="x"', "there is no fact 'formla'; did you mean 'formula'?"),
        ('scale="ordnal"', "scale is 'ordnal'; say 'nominal', 'ordinal' or 'interval'"),
        ('ties="none"', "ties is 'none'; say 'expected', 'worst' or 'answer'"),
        ('chance="none"', "chance is 'none'; say 'linear' or 'zero'"),
        ('kind="scores"', "kind is 'scores'; say 'score' or 'description'"),
        ("range=1", "range is 1; say the least and the greatest value, as in (0, 1)"),
        ("range=(0,)", "range is (0,); say the least"),
        ('inputs="counts"', "inputs is 'counts'; pass TABLES, DISTRIBUTIONS"),
        ('headline="classification"', "headline is 'classification'; say which place it has"),
        ("aliases=3", "aliases has 3, which is not a text"),
        ("undefined=total", "undefined has <function total"),
    ],
)
def test_facts_that_are_wrong(run, tmp_path, fact, complaint):
    """They are refused at once: a scale that there is not was taken for none that is nominal, a lone alias for its letters."""
    file = tmp_path / "wrong.py"
    file.write_text(SHORT.replace('better="lower"', f'better="lower", {fact}'))
    status, out, err = run("measures", "--plugin", file)
    assert (status, out) == (2, "")
    assert f"wrong.py: measure error_rate: {complaint}" in err


def test_a_task_that_there_is_not(run, tmp_path):
    """Only the tests ask: a task may be declared after the measures of another one that it takes."""
    file = tmp_path / "wrong.py"
    file.write_text(SHORT.replace('better="lower"', 'better="lower", range=(0, 1), tasks="clasification"'))
    status, out, _ = run("measures", "--plugin", file, "--check")
    assert status == 1
    assert "FAILED error_rate: says what it is: there is no task 'clasification'; did you mean 'classification'" in out


def test_one_of_what_there_may_be_several():
    one = plugin.measure(
        id="probe", title="t", better="higher", formula="f", source="s",
        tasks="entailment", aliases="another", undefined=plugin.CONSTANT_OUTPUT,
    )(lambda counts: counts)  # fmt: skip
    assert (one.tasks, one.aliases, one.undefined) == (("entailment",), ("another",), (plugin.CONSTANT_OUTPUT,))


def test_a_file_that_is_not_python(run, tmp_path):
    file = tmp_path / "measures.txt"
    file.write_text("hello")
    assert "not a Python file" in run("measures", "--plugin", file)[2]


class TestEntryPoints:
    @pytest.fixture
    def installed(self, tmp_path, monkeypatch):
        """A package with measures, as pip would have installed it."""
        (tmp_path / "their_measures.py").write_text(PORTABLE)
        info = tmp_path / "their_measures-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-measures\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[metameasure.measures]\ntheirs = their_measures\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setitem(sys.modules, "their_measures", None)
        del sys.modules["their_measures"]
        importlib.invalidate_caches()
        return info

    def test_found(self, installed):
        assert "error_rate" in Registry.discover()

    def test_one_measure_by_name(self, installed):
        (installed / "entry_points.txt").write_text("[metameasure.measures]\ntheirs = their_measures:error_rate\n")
        assert "error_rate" in Registry.discover()

    def test_a_broken_package_is_reported_and_passed_over(self, installed):
        (installed / "entry_points.txt").write_text("[metameasure.measures]\ntheirs = their_missing_module\n")
        with pytest.warns(UserWarning, match="the measures of their_missing_module cannot be loaded: ModuleNotFoundError"):
            found = Registry.discover()
        assert "cem_ord" in found

    def test_what_is_no_measure_is_reported(self, installed):
        (installed / "entry_points.txt").write_text("[metameasure.measures]\ntheirs = their_measures:total\n")
        with pytest.warns(UserWarning, match="the measures of their_measures:total cannot .* is no Measure or module"):
            found = Registry.discover()
        assert "cem_ord" in found

    def test_the_command_says_so_in_one_line(self, installed, run, monkeypatch):
        (installed / "entry_points.txt").write_text("[metameasure.measures]\ntheirs = their_missing_module\n")
        monkeypatch.setattr("metameasure.cli.measures.default_registry", registry.Registry.discover)
        status, _, err = run("measures")
        assert status == 0
        assert err.startswith("metameasure: warning: the measures of their_missing_module cannot be loaded")


SYMBOL = """
from metameasure.plugin import measure, ratio, total

@measure(id="signed", symbol="Σ_mine", title="Signed", better="higher", formula="x", source="Nobody (2026)")
def signed(counts):
    return ratio(counts[..., 0, 0], total(counts))
"""


@pytest.mark.parametrize("way", ["command", "python"])
def test_the_symbol_of_a_plugin_is_in_charts(way, tmp_path, run, monkeypatch):
    monkeypatch.setattr(registry, "_added", [])
    file = tmp_path / "signed.py"
    file.write_text(SYMBOL, encoding="utf-8")
    gold, outputs = [1, 2, 1, 2] * 10, {"a": [1, 2, 1, 1] * 10, "b": [2, 2, 1, 1] * 10}
    if way == "python":
        (measure,) = registry.load_file(file)
        scores = metameasure.evaluate(gold, outputs, classes=[1, 2], measures=[measure, "accuracy"])
        scores.chart(tmp_path / "chart.svg")
    else:
        rows = "".join(f"{i},{g},{a},{b}\n" for i, (g, a, b) in enumerate(zip(gold, *outputs.values(), strict=True)))
        (tmp_path / "all.csv").write_text("item,gold,a,b\n" + rows, encoding="utf-8")
        chart = ("--chart", tmp_path / "chart.svg")
        status, _, err = run(
            "evaluate", tmp_path / "all.csv", "--classes", "1,2", "--measures", "signed,accuracy", "--plugin", file, *chart
        )
        assert status == 0, err
    assert "Σ" in (tmp_path / "chart.svg").read_text(encoding="utf-8")


def test_measures_of_files_are_known_by_their_names(monkeypatch):
    """Behind those of the package; of several files, the last that was loaded."""
    accuracy = metameasure.measures["accuracy"]
    first, other, last = (replace(accuracy, template=id, title=title, aliases=()) for id, title in
                          (("of_mine", "first"), ("of_others", "other"), ("of_mine", "last")))  # fmt: skip
    monkeypatch.setattr(registry, "_added", [first, other, last])
    assert registry.known_measure("of_mine") is last
    assert registry.known_measure("of_others") is other
    assert registry.known_measure("accuracy") is accuracy
    assert registry.known_measure("of_nobody") is None
