"""Agreement of two annotators given as a table: irrCAC's values, standard errors and intervals, and what is no table."""

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.cli import main
from metameasure.core.errors import DataError, UsageError

TABLES = {
    "ABSTRACTORS": [[13, 0, 0], [0, 20, 7], [0, 4, 56]],
    "DIAGNOSES": [[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]],
}
"""Both are in irrCAC: its tables cont3x3abstractors and cont4x4diagnosis."""

IRRCAC = """
ABSTRACTORS identity percent_agreement 0.890000000 0.031288976 0.827915884 0.952084116
ABSTRACTORS identity fleiss 0.796239696 0.059054733 0.679062293 0.913417099
ABSTRACTORS identity conger 0.796409402 0.058910718 0.679517756 0.913301048
ABSTRACTORS identity brennan_prediger 0.835000000 0.046933464 0.741873826 0.928126174
ABSTRACTORS identity ac2 0.849330548 0.043217468 0.763577717 0.935083380
ABSTRACTORS identity alpha 0.797258498 0.059054733 0.680081095 0.914435901
ABSTRACTORS linear percent_agreement 0.945000000 0.015644488 0.913957942 0.976042058
ABSTRACTORS linear fleiss 0.842801000 0.047960700 0.747636567 0.937965434
ABSTRACTORS linear conger 0.842902028 0.047872122 0.747913353 0.937890703
ABSTRACTORS linear brennan_prediger 0.876250000 0.035200098 0.806405370 0.946094630
ABSTRACTORS linear ac2 0.900022722 0.029275602 0.841933577 0.958111867
ABSTRACTORS quadratic percent_agreement 0.972500000 0.007822244 0.956978971 0.988021029
ABSTRACTORS quadratic fleiss 0.892109264 0.035395059 0.821877788 0.962340739
ABSTRACTORS quadratic conger 0.892156863 0.035351508 0.822011802 0.962301923
ABSTRACTORS quadratic brennan_prediger 0.917500000 0.023466732 0.870936913 0.964063087
ABSTRACTORS quadratic ac2 0.940236879 0.017920189 0.904679337 0.975794421
ABSTRACTORS quadratic alpha 0.892648718 0.035395059 0.822417242 0.962880193
ABSTRACTORS ordinal percent_agreement 0.963333333 0.010429659 0.942638628 0.984028039
ABSTRACTORS ordinal fleiss 0.872040947 0.040685376 0.791312335 0.952769559
ABSTRACTORS ordinal conger 0.872107894 0.040625231 0.791498623 0.952717166
ABSTRACTORS ordinal brennan_prediger 0.901000000 0.028160078 0.845124296 0.956875704
ABSTRACTORS ordinal ac2 0.925191696 0.022217770 0.881106821 0.969276572
ABSTRACTORS radical percent_agreement 0.922218254 0.022124647 0.878318155 0.966118353
ABSTRACTORS radical fleiss 0.818506631 0.053772207 0.711810907 0.925202355
ABSTRACTORS radical conger 0.818641285 0.053656254 0.712175636 0.925106934
ABSTRACTORS radical brennan_prediger 0.855017857 0.041239480 0.773189782 0.936845931
ABSTRACTORS radical ac2 0.875482013 0.036049383 0.803952216 0.947011809
ABSTRACTORS ratio percent_agreement 0.982400000 0.005006236 0.972466541 0.992333459
ABSTRACTORS ratio fleiss 0.926529113 0.025293268 0.876341781 0.976716444
ABSTRACTORS ratio conger 0.926551189 0.025272521 0.876405025 0.976697353
ABSTRACTORS ratio brennan_prediger 0.950637119 0.014041036 0.922776657 0.978497581
ABSTRACTORS ratio ac2 0.963252548 0.010950386 0.941524607 0.984980490
ABSTRACTORS bipolar percent_agreement 0.963333333 0.010429659 0.942638628 0.984028039
ABSTRACTORS bipolar fleiss 0.872040947 0.040685376 0.791312335 0.952769559
ABSTRACTORS bipolar conger 0.872107894 0.040625231 0.791498623 0.952717166
ABSTRACTORS bipolar brennan_prediger 0.901000000 0.028160078 0.845124296 0.956875704
ABSTRACTORS bipolar ac2 0.925191696 0.022217770 0.881106821 0.969276572
ABSTRACTORS circular percent_agreement 0.890000000 0.031288976 0.827915884 0.952084116
ABSTRACTORS circular fleiss 0.796239696 0.059054733 0.679062293 0.913417099
ABSTRACTORS circular conger 0.796409402 0.058910718 0.679517756 0.913301048
ABSTRACTORS circular brennan_prediger 0.835000000 0.046933464 0.741873826 0.928126174
ABSTRACTORS circular ac2 0.849330548 0.043217468 0.763577717 0.935083380
DIAGNOSES identity percent_agreement 0.587443946 0.032966456 0.522476707 0.652411186
DIAGNOSES identity fleiss 0.430340557 0.046231544 0.339231711 0.521449404
DIAGNOSES identity conger 0.431500776 0.045969182 0.340908970 0.522092582
DIAGNOSES identity brennan_prediger 0.449925262 0.043955275 0.363302276 0.536548247
DIAGNOSES identity ac2 0.456157635 0.043449874 0.370530647 0.541784624
DIAGNOSES identity alpha 0.431617821 0.046231544 0.340508974 0.522726667
DIAGNOSES linear percent_agreement 0.727952167 0.024898635 0.678884242 0.777020092
DIAGNOSES linear fleiss 0.405551080 0.053668907 0.299785369 0.511316791
DIAGNOSES linear conger 0.406810874 0.053388051 0.301598648 0.512023100
DIAGNOSES linear brennan_prediger 0.347085202 0.059756725 0.229322182 0.464848222
DIAGNOSES linear ac2 0.377067884 0.056064569 0.266581023 0.487554744
DIAGNOSES quadratic percent_agreement 0.787742900 0.023519621 0.741392608 0.834093191
DIAGNOSES quadratic fleiss 0.382030366 0.066058968 0.251847468 0.512213263
DIAGNOSES quadratic conger 0.383185944 0.065794696 0.253523851 0.512848038
DIAGNOSES quadratic brennan_prediger 0.235874439 0.084670637 0.069013390 0.402735489
DIAGNOSES quadratic ac2 0.298572997 0.075179478 0.150416244 0.446729749
DIAGNOSES quadratic alpha 0.383415948 0.066058968 0.253233050 0.513598845
DIAGNOSES ordinal percent_agreement 0.772795217 0.023700192 0.726089072 0.819501361
DIAGNOSES ordinal fleiss 0.389264012 0.061802543 0.267469284 0.511058741
DIAGNOSES ordinal conger 0.390452898 0.061536141 0.269183171 0.511722626
DIAGNOSES ordinal brennan_prediger 0.272944694 0.075840616 0.123485032 0.422404355
DIAGNOSES ordinal ac2 0.324068927 0.068506801 0.189062068 0.459075787
DIAGNOSES radical percent_agreement 0.673278833 0.027226101 0.619624154 0.726933512
DIAGNOSES radical fleiss 0.418186783 0.048613360 0.322384074 0.513989492
DIAGNOSES radical conger 0.419424501 0.048335782 0.324168819 0.514680184
DIAGNOSES radical brennan_prediger 0.401204351 0.049898423 0.302869160 0.499539542
DIAGNOSES radical ac2 0.417870373 0.048184406 0.322913008 0.512827738
DIAGNOSES ratio percent_agreement 0.786002958 0.023905005 0.738893188 0.833112727
DIAGNOSES ratio fleiss 0.412489420 0.063489506 0.287370180 0.537608659
DIAGNOSES ratio conger 0.413188620 0.063344250 0.288355639 0.538021601
DIAGNOSES ratio brennan_prediger 0.309555790 0.077127571 0.157559915 0.461551665
DIAGNOSES ratio ac2 0.358647220 0.069863290 0.220967117 0.496327323
DIAGNOSES bipolar percent_agreement 0.768908819 0.023672772 0.722256712 0.815560926
DIAGNOSES bipolar fleiss 0.385709411 0.061104494 0.265290334 0.506128488
DIAGNOSES bipolar conger 0.386926136 0.060838501 0.267031253 0.506821020
DIAGNOSES bipolar brennan_prediger 0.263780309 0.075417681 0.115154128 0.412406490
DIAGNOSES bipolar ac2 0.315239056 0.068165198 0.180905396 0.449572716
DIAGNOSES circular percent_agreement 0.735426009 0.023253676 0.689599817 0.781252201
DIAGNOSES circular fleiss 0.444207414 0.049364752 0.346923933 0.541490895
DIAGNOSES circular conger 0.445904401 0.048884239 0.349567869 0.542240933
DIAGNOSES circular brennan_prediger 0.470852018 0.046507353 0.379199634 0.562504402
DIAGNOSES circular ac2 0.488439306 0.045479440 0.398812638 0.578065975
"""
"""irrCAC 0.4.4, irrCAC.table.CAC(table, weights): value, standard error, ends of the interval. Its scott is fleiss here, its
cohen conger, its alpha by squared distances alpha_interval."""
ALPHA = {"identity": "alpha_nominal", "quadratic": "alpha_interval"}


@pytest.mark.parametrize("name", TABLES)
def test_standard_errors_of_tables_are_irrcacs(name):
    lines = [line.split() for line in IRRCAC.strip().splitlines()]
    told = {
        ALPHA[weights] if id == "alpha" else f"{id}@{weights}": list(map(float, numbers))
        for table, weights, id, *numbers in lines
        if table == name
    }
    found = mm.agree(TABLES[name], table=True, classes=f"1..{len(TABLES[name])}", measures=list(told), interval="gwet")
    for id, numbers in told.items():
        one = found[id]
        assert [one.value, one.se, one.low, one.high] == pytest.approx(numbers, abs=2e-9), id


def test_a_table_says_what_its_ratings_say():
    """But for the standard error, which irrCAC divides by one item less where it knows the items."""
    cells = np.array(TABLES["DIAGNOSES"])
    pairs = [(row + 1, column + 1) for row, column in np.ndindex(4, 4) for _ in range(cells[row, column])]
    ratings = pd.DataFrame({"item": range(len(pairs)), "one": [one for one, _ in pairs], "two": [two for _, two in pairs]})
    how = {"classes": "1..4", "measures": "ac2@linear,conger,kendall_w", "trials": 50}
    of_table, of_items = mm.agree(cells, table=True, **how), mm.agree(ratings, **how)
    for one, other in zip(of_table.coefficients, of_items.coefficients, strict=True):
        assert (one.value, one.se) == pytest.approx((other.value, other.se)), one.id
    gwet = [mm.agree(given, **more, classes="1..4", measures="ac2", interval="gwet")["ac2"].se
            for given, more in ((cells, {"table": True}), (ratings, {}))]  # fmt: skip
    assert gwet[0] == pytest.approx(gwet[1] * np.sqrt(222 / 223))
    assert of_table.annotators == 2
    assert {line.annotator for line in of_table.by_annotator} == {"rows", "columns"}


def test_a_table_in_a_file(tmp_path, capsys):
    """Rows may come in any order, and a class that the first annotator never chose may have none."""
    path = tmp_path / "table.csv"
    path.write_text("anna,low,mid,high\nhigh,0,1,5\nlow,7,2,\n")
    found = mm.agree(path, table=True, classes="low,mid,high", measures="percent_agreement")
    assert (found.items, found["percent_agreement"].value) == (15, pytest.approx(12 / 15))
    array = mm.agree([[7, 2, 0], [0, 0, 0], [0, 1, 5]], table=True, classes="low,mid,high", measures="percent_agreement")
    assert array.signature == found.signature
    again = mm.reproduce(found.signature, path)
    assert again.same
    how = ["--table", "--classes", "low,mid,high", "--measures", "conger", "--interval", "gwet"]
    assert main(["agree", str(path), *how]) == 0
    assert "15 items, 30 ratings, 2 annotators" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("anna,low,high\nlow,1,2\nmid,3,4\n", 3, "label 'mid' is not one of the classes"),
        ("anna,low,high\nlow,1,2\nhigh,3,x\n", 3, "'x' is not a number of ratings"),
        ("anna,low,high\nlow,1,2\nhigh,3,-1\n", 3, "'-1' is not a number of ratings"),
        ("anna,low,high\nlow,1,2\nlow,3,4\n", 3, "again"),
        ("anna,low\nlow,1\nhigh,3\n", 1, "there is no column 'high' for that class"),
        ("anna,ben,low,high\nlow,1,1,2\nhigh,1,3,4\n", 1, "one column beside those of the classes, here 2"),
        ("anna,low,high\nlow,0,0\nhigh,0,0\n", 0, "the table has no items"),
        ("anna,low,high\nlow,0,90000000\nhigh,0,0\n", 0, "too many to keep"),
    ],
)
def test_what_is_no_table(tmp_path, text, line, why):
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=why) as raised:
        mm.agree(path, table=True, classes="low,high")
    assert f"{path}:{line}:" in str(raised.value) if line else str(path) in str(raised.value)


def test_what_cannot_be_asked_of_a_table():
    cells = [[3, 1], [0, 4]]
    with pytest.raises(UsageError, match="either counts or a table"):
        mm.agree(cells, table=True, counts=True, classes="1,2")
    with pytest.raises(UsageError, match="which item is which"):
        mm.agree(cells, table=True, aggregate="majority", classes="1,2")
    with pytest.raises(UsageError, match="the table is 2 x 2, but there are 3 classes"):
        mm.agree(cells, table=True, classes="1..3")
    with pytest.raises(UsageError, match="never guessed"):
        mm.agree(cells, table=True)
