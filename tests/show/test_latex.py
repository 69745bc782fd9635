"""LaTeX for papers: tables with caption and label that fit the page, compiled every night where Debian's texlive is installed."""

import math
import re
import subprocess

import pytest
from test_charts import MEASURES, distributions, judged, labels, long_name, matrices, rankings, ratings, scores

import metameasure as mm
from meta_cases import matrix, noisy, three_measures
from metameasure.show.table import Table, output_formats

PAPER = r"""\documentclass[10pt,twocolumn]{article}
\usepackage[T1]{fontenc}
\usepackage[a4paper,textwidth=6.9in,columnsep=.3in,textheight=9.5in]{geometry}
%s
\begin{document}
%s
\end{document}
"""
PACKAGES = {
    "latex": r"\usepackage{booktabs,adjustbox,amssymb}\usepackage[table]{xcolor}",
    "latex-print": r"\usepackage{booktabs,adjustbox,amssymb}",
}
QUICK = {"trials": 20}
NINE = ("cem_ord", "kappa_linear", "mae_macro", "alpha_ordinal", "accuracy", "kappa", "mse", "f1_macro", "pearson")
RESULTS = {
    "evaluate": lambda: scores(6, 5),
    "evaluate with all": lambda: mm.evaluate(*labels(5), classes="-2..2", measures=MEASURES, groups=True, ci=True, ranks=True),
    "evaluate 40 runs": lambda: scores(40, 1),
    "compare": lambda: mm.compare(scores(6, 5), "cem_ord", **QUICK),
    "compare 12 runs": lambda: mm.compare(scores(12, 5), "cem_ord", **QUICK),
    "compare against one": lambda: mm.compare(scores(6, 5), list(MEASURES), against=long_name(1), **QUICK),
    "compare several": lambda: mm.compare(scores(6, 5), list(MEASURES), **QUICK),
    "table": lambda: mm.table(*labels(2), classes="-2..2"),
    "table distributions": distributions,
    "table rankings": lambda: mm.table(*rankings(), task="ranking"),
    "agree": lambda: mm.agree(ratings(4), classes="1..5", **QUICK),
    "judge": lambda: judged("kappa_linear"),
    "axioms": lambda: mm.axioms(["kappa_linear", "mae", "cem_ord"], properties="imbalance,symmetric", trials=0),
    "similarity": lambda: mm.meta.similarity(matrices(), **QUICK),
    "nine measures": lambda: mm.meta.similarity(nine(), **QUICK),
    "consistency": lambda: mm.meta.consistency(matrices(), splits=20, **QUICK),
    "discrimination": lambda: mm.meta.discrimination({"one": matrices(), "two_2": matrices(topics=12)}, **QUICK),
    "overlap": lambda: mm.meta.overlap(nine(), **QUICK),
    "contradictions": lambda: mm.meta.contradictions(three_measures(), **QUICK),
    "coverage": lambda: mm.meta.coverage(matrices()),
    "robustness": lambda: mm.meta.robustness(matrices()),
    "deltas": lambda: mm.meta.deltas(matrices(), long_name(0), long_name(1)),
    "design": lambda: mm.design(matrices()[0]),
}


def nine():
    signs = [-1 if mm.measures[measure].better == "lower" else 1 for measure in NINE]
    return [
        matrix(one, sign * noisy(20, 8, place // 2, 1 + place)) for place, (one, sign) in enumerate(zip(NINE, signs, strict=True))
    ]


class TestTables:
    def test_has_a_caption_a_label_and_says_its_packages(self):
        told = mm.meta.similarity(three_measures(), **QUICK).render("latex")
        assert "\\caption{System ranking similarity.}\n" in told
        assert "\\parbox{\\linewidth}{\\footnotesize Kendall's tau" in told
        assert r"\label{tab:system-ranking-similarity}" in told
        assert told.endswith("% Needs \\usepackage{booktabs,adjustbox,amssymb} and \\usepackage[table]{xcolor}.\n")
        assert r"\begin{adjustbox}{max width=\linewidth}" in told
        assert re.search(r"% .*\.render\('csv'\) or json", told), "what is said about the command line is no part of a caption"

    def test_each_table_has_a_label_of_its_own(self):
        told = mm.meta.deltas(three_measures(), "r1", "r2").render("latex")
        found = re.findall(r"\\label\{(.*?)\}", told)
        assert len(found) == len({*found}) == 3

    def test_wide_ones_span_the_page_and_very_wide_ones_say_how_to_make_them_fit(self):
        def told(columns):
            names = tuple(f"a measure {number}" for number in range(columns))
            return Table(names, (tuple("0.1234" for _ in names),)).render("latex")

        assert r"\begin{table}[tb]" in told(3)
        assert r"\begin{table*}[tb]" in told(6)
        assert "in wide at" not in told(6)
        assert "in wide at 10 pt: on a page of 6.9 in, adjustbox sets it in 4 pt." in told(20)
        assert "sidewaystable*" in told(20)

    def test_more_rows_than_a_page_are_several_tables(self):
        rows = tuple((f"run {number}", str(number)) for number in range(120))
        marks = {(70, "score"): "weak"}
        told = Table(("run", "score"), rows, bold=frozenset({(70, "score")}), marks=marks, title="T", label="t").render("latex")
        parts = told.split(r"\end{table}")[:-1]
        assert [part.count("\nrun ") - 1 for part in parts] == [50, 50, 20]
        assert r"\cellcolor[HTML]{F6C59B}\textbf{70}" in parts[1]
        assert [re.search(r"\\label\{(.*?)\}", part)[1] for part in parts] == ["tab:t", "tab:t-2", "tab:t-3"]
        assert r"\caption{T (continued).}" in parts[2]

    def test_a_caption_runs_no_command_of_a_name(self):
        table = Table(("a",), (("b",),), notes=("% a run\n\\input{/etc/passwd}\r\\x",), title="50 % of $x_1$ & {more}")
        told = table.render("latex")
        assert re.findall(r"^\\caption\{(.*)\}$", told, re.MULTILINE) == [r"50 \% of \$x\_1\$ \& \{more\}."]
        assert r"{\footnotesize \% a run \textbackslash{}input\{/etc/passwd\}" in told


class TestPieces:
    """Numbers stand one below the other by their points, and only they are bold; what stands behind them has its own columns."""

    TABLE = Table(
        ("run", "score", "p"),
        (("x", "0.366 [0.300, 0.444] (1) a ", "<0.001*"), ("y", "-1.1 [-1.5, -0.9] (2) ab", "0.0498*"), ("z", "–", "·")),
        right=frozenset({"score", "p"}),
        bold=frozenset({(0, "score")}),
        title="T",
    )

    def test_each_piece_has_a_column_below_one_heading(self):
        told = self.TABLE.render("latex")
        assert r"\begin{tabular}{lr@{\ }r@{\ }r@{\ }lr@{}l}" in told
        assert r"run & \multicolumn{4}{c}{score} & \multicolumn{2}{c}{p} \\" in told
        assert r"x & \textbf{0.366} & [0.300, 0.444] & (1) & a & \textless{}0.001\phantom{8} & * \\" in told
        assert r"y & $-$1.1\phantom{66} & [$-$1.5, $-$0.9] & (2) & ab & 0.0498 & * \\" in told
        assert r"z & – &  &  &  & · &  \\" in told

    def test_what_is_no_number_is_not_cut(self):
        cells = (("17 of 20",), ("3 of 20",))
        told = Table(("found",), cells, right=frozenset({"found"}), bold=frozenset({(0, "found")})).render("latex")
        assert r"\begin{tabular}{r}" in told
        assert r"\textbf{17 of 20}" in told

    def test_in_markdown_too_only_the_number_is_bold(self):
        assert "| **0.366** [0.300, 0.444] (1) a  |" in self.TABLE.render("markdown").replace("\\", "")

    def test_notes_call_measures_as_headings_do(self):
        told = scores(6, 5).render("latex")
        assert "ranked by $\\mathrm{CEM}^{\\mathrm{ORD}}$" in told
        assert "cem" not in told.partition("% Signature")[0]

    def test_the_test_is_below_the_table_and_claims_are_comments(self):
        told = mm.compare(scores(6, 5), "cem_ord", test="stepwise", **QUICK).render("latex")
        table, _, comments = told.partition(r"\end{table*}")
        assert "Significance: stepwise range test" in table
        assert "statistically significant" not in table
        assert "\n% " in comments
        assert len(re.findall(r"\\caption\{Comparison of 6 runs by [^.]*\.\}", table)) == 1


class TestPrint:
    """The typography of Sakai (LQ 2021), Tables 3 and 4: bold from 50 % or 90 % up, underlined below 40 % or 70 %."""

    def test_overlap(self):
        found = mm.meta.overlap(nine(), **QUICK)
        told = found.render("latex-print")
        assert "cellcolor" not in told
        assert "xcolor" not in told
        for pair in (pair for pair in found.pairs if not math.isnan(pair.overlap)):
            shown = f"{100 * pair.overlap:.1f}"
            expected = r"\textbf{" if pair.overlap >= 0.9 else r"\underline{" if pair.overlap < 0.7 else " "
            assert re.search(rf"{re.escape(expected)}{shown}", told)
        assert r"90\% and over (bold), 70\% and over, below (underlined)." in told
        assert "(blue)" in found.render("latex")

    def test_discrimination(self):
        sharp, blunt = noisy(20, 3, 0, noise=0.2), noisy(20, 3, 0, noise=9.0)
        found = mm.meta.discrimination([matrix("accuracy", sharp), matrix("kappa", blunt)], **QUICK)
        strong, weak = found.power()
        assert strong >= 0.5
        assert weak < 0.4
        told = found.render("latex-print")
        assert rf"\textbf{{{100 * strong:.1f}}}" in told
        assert rf"\underline{{{100 * weak:.1f}}}" in told

    def test_symbols(self):
        """Sakai (ACL 2021), Table 3: how many of the worst measures each outperforms."""
        values = [matrix(one, noisy(40, 8, place, 1 + 6 * place)) for place, one in enumerate(("accuracy", "kappa", "cem_ord"))]
        told = mm.meta.consistency(values, splits=100, trials=100).render("latex-print")
        assert re.search(r"0\.\d+\$\\d?dagger\$", told)


@pytest.mark.needs("pdflatex")
@pytest.mark.parametrize("format", PACKAGES)
def test_everything_compiles_and_fits(format, tmp_path):
    tables = [make().render(format) for make in RESULTS.values()]
    assert output_formats()[format].paper
    (tmp_path / "paper.tex").write_text(PAPER % (PACKAGES[format], "\n\\clearpage\n".join(tables)), encoding="utf-8")
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert re.findall(r"^(?:Overfull .*|LaTeX Warning: Float too large.*)$", log, re.MULTILINE) == []
    assert "multiply-defined" not in log
