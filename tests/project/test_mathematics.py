"""Formulas as the site sets them: every one is well formed, and what is divided by what is as its author meant it."""

import re
import sys
from xml.etree import ElementTree as ET

import pytest

from conftest import ROOT
from metameasure.catalogue.registry import default_registry

sys.path.insert(0, str(ROOT / "docs"))
from mathematics import formula_html, sentence_html


def text_of(node):
    return "".join(node.itertext()).replace("\u2061", "").replace("\xa0", " ")


def fractions(formula):
    tree = ET.fromstring(f"<div>{formula_html(formula).replace('&nbsp;', chr(0xA0))}</div>")  # noqa: S314 - made here
    return [tuple(text_of(side) for side in fraction) for fraction in tree.iter("mfrac")]


@pytest.mark.parametrize("measure", default_registry().values(), ids=lambda measure: measure.id)
def test_every_formula_is_well_formed(measure):
    html = formula_html(measure.formula).replace("&nbsp;", " ")
    tree = ET.fromstring(f"<div>{html}</div>")  # noqa: S314 - made here
    told = re.sub(r"[\s_^{}()\[\]/]", "", measure.formula.replace("sqrt", ""))
    shown = re.sub(r"[\s_^{}()\[\]/]", "", text_of(tree).replace("\u2061", ""))
    plain = str.maketrans({"∈": "in", "∑": "Σ", "∏": "Π", "−": "-", "∗": "*", "′": "'", "‖": "|", "…": ".", "²": "2", "³": "3"})
    letters = [sorted(re.sub(r"[,;:.|]", "", text.translate(plain))) for text in (told.replace("..", "."), shown)]
    assert letters[0] == letters[1], (measure.formula, text_of(tree))


def test_a_slash_between_spaces_divides_whole_products():
    assert fractions("κ = 1 - Σ_gp w_gp c_gp / Σ_gp w_gp e_gp") == [("∑gpwgpcgp", "∑gpwgpegp")]


def test_a_sum_over_what_is_divided_by_stays_before_the_fraction():
    assert fractions("MAE = (1/|C+|) Σ_{g in C+} Σ_p d_gp c_gp / G_g") == [("1", "|C+|"), ("∑pdgpcgp", "Gg")]
    assert fractions("Σ_i |p_i - p*_i| / (2 (1 - min_i p*_i))") == [("∑i|pi−pi∗|", "2(1−minipi∗)")]


def test_what_follows_brackets_is_not_divided_by():
    assert fractions("Σ_kl w_kl / (q (q - 1)) Σ_k π_k") == [("∑klwkl", "q(q−1)")]


def test_a_slash_without_spaces_divides_its_neighbours():
    assert fractions("(1 - G_g/2N) G_g") == [("Gg", "2N")]
    assert fractions("(r+s)/(j+1) · x") == [("r+s", "j+1")]


def test_indices_and_powers():
    assert "<msubsup><mi>F</mi><mi>β</mi><mi>M</mi></msubsup>" in formula_html("F_β^M")
    assert "<msubsup><mi>G</mi><mi>k</mi><mn>2</mn></msubsup>" in formula_html("G_k²")
    assert "<msup><mn>2</mn><msub><mi>rel</mi><mi>i</mi></msub></msup>" in formula_html("2^rel_i")


def test_words_stay_text_and_names_stay_whole():
    assert formula_html("mean human rank") == '<p class="formula">mean human rank</p>'
    assert "f1@positive+negative" in formula_html("the mean of several (f1@positive+negative)")
    assert sentence_html("c_gp items of a class g; it's A/B").count("<math") == 2
