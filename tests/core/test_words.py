"""Messages, help and documentation are plain English: one run, six runs, and no phrases that readers stumbled over."""

import ast
import re
from functools import cache

import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.core.errors import MetameasureWarning

SOURCES = sorted((ROOT / "src/metameasure").rglob("*.py"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
STUMBLED = (
    r"\b\w{2,}\((?:s|es)\)(?!\w)",  # run(s)
    r"names and shapes are told", r"the same road", r"by luck alone", r"called as its file is", r"do not look at the items",
    r"' is alone\b", r"no measure is named", r"\bsay it to\b", r"\bas to ``",
)  # fmt: skip


@cache
def texts():
    """The strings of the package with their places, and the pages of the documentation."""
    found = [(page.name, page.read_text(encoding="utf-8")) for page in PAGES]
    for path in SOURCES:
        strings = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant))
        found += [(f"{path.name}:{node.lineno}", node.value) for node in strings if isinstance(node.value, str)]
    return found


@pytest.mark.each_time(2)
@pytest.mark.parametrize("phrase", STUMBLED)
def test_nobody_stumbles(phrase):
    assert [place for place, text in texts() if re.search(phrase, text)] == []


class TestPartitions:
    """Topics that were made by partitions are called that."""

    @pytest.fixture
    def frames(self):
        polars = pytest.importorskip("polars")
        items = [f"i{number}" for number in range(40)]
        runs = {"one": ["a"] * 40, "two": ["a", "b", "b", "b"] * 10}
        gold = polars.DataFrame({"item": items, "label": ["a", "b"] * 20})
        return gold, {name: polars.DataFrame({"item": items, "label": labels}) for name, labels in runs.items()}

    def test_in_the_leaderboard(self, frames):
        shown = str(mm.evaluate(*frames, classes="a,b", measures="accuracy", partitions=6, ci=True))
        assert "6 partitions; means over partitions; pooled: all partitions as one" in shown
        assert "interval over partitions" in shown
        assert "The 6 partitions are a sample of partitions" in shown
        assert "topics;" not in shown

    def test_where_a_measure_is_undefined(self, frames):
        with pytest.warns(MetameasureWarning, match="mcc of one is defined on 0 of 5 partitions only"):
            shown = str(mm.evaluate(*frames, classes="a,b", measures="mcc", partitions=5))
        assert "undefined for 6 of 10 pairs of run and partition (one 5, two 1)" in shown

    def test_in_a_comparison(self, frames):
        found = mm.compare(*frames, "accuracy", classes="a,b", partitions=6)
        assert "The 6 partitions are a sample of partitions" in str(found)
        assert "topics" not in str(found).partition("Signature:")[0]
        assert found.to_dict()["units"] == "topics"

    def test_in_evidence(self, frames):
        assert "2 runs, 5 partitions" in str(mm.count(*frames, classes="a,b", partitions=5))
        assert "2 runs, 1 topic," in str(mm.count(*frames, classes="a,b"))
