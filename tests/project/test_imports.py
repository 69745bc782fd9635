"""Nothing is imported before it is used."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "array_api_compat", "duckdb", "narwhals", "numba", "matplotlib", "jinja2", "rich", "scipy", "pandas", "polars")


def modules_after(code):
    program = f"{code}\nimport sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_imports_nothing_but_the_standard_library():
    loaded = {name.partition(".")[0] for name in modules_after("import metameasure") - modules_after("")}
    assert loaded - sys.stdlib_module_names == {"metameasure"}


def test_the_names_are_there_before_they_are_loaded():
    import metameasure as mm

    assert {"score", "scorer", "measures", "Scale"} <= set(dir(mm))
    assert {name for name in mm.__all__ if not hasattr(mm, name)} == set()
    with pytest.raises(AttributeError, match="no attribute 'skore'"):
        mm.skore  # noqa: B018


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_imports_no_heavy_library(arguments):
    loaded = modules_after(f"from metameasure.cli import main\nimport os\nmain({arguments!r})")
    assert not {name for name in HEAVY if name in loaded}


@pytest.mark.parametrize(
    "arguments", [["evaluate", "--help"], ["evaluate", "--task", "ranking", "--help"], ["count", "--help-all"]]
)
def test_the_options_of_tasks_import_no_task(arguments):
    loaded = modules_after(f"from metameasure.cli import main\nmain({arguments!r})")
    assert not {"numpy", "duckdb", "narwhals"} & loaded
    assert not {name for name in loaded if name.startswith("metameasure.tasks.") and name.endswith((".task", ".base"))}


def test_listing_measures_imports_no_numpy():
    assert "numpy" not in modules_after("import metameasure as mm\nassert 'cem_ord' in mm.measures")


@pytest.mark.parametrize(
    "call",
    ["mm.evaluate([1, 2, 1], {'a': [1, 2, 2]}, classes=[1, 2])", "mm.score([1, 2, 1], [1, 2, 2], 'kappa', classes=[1, 2])"],
)
def test_arrays_are_scored_without_an_engine(call):
    loaded = modules_after(
        f"import metameasure as mm\nimport numpy as np\n{call}\n{call.replace('[1, 2, 1]', 'np.array([1, 2, 1])')}"
    )
    unused = {"duckdb", "narwhals", "matplotlib", "jinja2", "scipy", "numba", "rich", "pandas", "polars", "pyarrow", "sklearn"}
    assert not unused & loaded


def test_a_library_is_imported_when_it_is_first_used():
    loaded = modules_after(
        "from metameasure.core.lazily import duckdb, nw\nimport sys\nassert 'duckdb' not in sys.modules\nnw.String"
    )
    assert "narwhals.stable.v2" in loaded
    assert "duckdb" not in loaded
