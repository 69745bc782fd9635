"""What WMT's metrics tasks decided for each test set and language pair: which scores of people are gold, which translation is the
reference, and which systems are outliers. From mt-metrics-eval's meta_info.py, as it is since WMT 2024."""

from __future__ import annotations

from dataclasses import dataclass, field

_MQM, _RAW = {"sys": "mqm", "seg": "mqm"}, {"sys": "wmt-z", "seg": "wmt-raw"}
_GOLD = {
    "wmt19": _RAW,
    "wmt20": _RAW,
    "wmt21.news": _RAW,
    "wmt21.flores": _RAW,
    "wmt21.tedtalks": _MQM,
    "wmt22": {"sys": "wmt-appraise", "seg": "wmt-appraise"},
    "wmt23": {"sys": "da-sqm", "seg": "da-sqm"},
    "wmt23.sent": _MQM,
    "wmt24": {"sys": "esa", "seg": "esa"},
}
_DA = {"sys": "wmt", "seg": "wmt"}
_GOLD_OF_PAIRS = {
    f"{test}/{pair}": gold
    for test, pairs, gold in (
        ("wmt21.news", "en-de en-ru zh-en", _MQM),
        ("wmt22", "en-de en-ru zh-en", _MQM),
        ("wmt22", "cs-en de-en ja-en ru-en uk-en", _DA),
        ("wmt23", "en-de he-en zh-en", _MQM),
        ("wmt24", "en-de en-es ja-zh", _MQM),
    )
    for pair in pairs.split()
}
_REFERENCE = {"wmt19": "ref", "wmt20": "ref"}
_REFERENCE_OF_PAIRS = {
    "wmt21.news/en-de": "refC",
    "wmt21.news/zh-en": "refB",
    "wmt21.tedtalks/zh-en": "refB",
    "wmt22/cs-en": "refB",
    "wmt22/en-cs": "refB",
    "wmt23/en-he": "refB",
    "wmt23/he-en": "refB",
    "wmt24/en-de": "refB",
}
_OUTLIERS = {
    "wmt20/cs-en": ("zlabs-nlp.1149", "CUNI-DocTransformer.1457"),
    "wmt20/de-en": ("yolo.1052", "zlabs-nlp.1153", "WMTBiomedBaseline.387"),
    "wmt20/en-cs": ("zlabs-nlp.1151", "Online-G.1555"),
    "wmt20/en-de": ("zlabs-nlp.179", "WMTBiomedBaseline.388", "Online-G.1556"),
    "wmt20/en-iu": ("UEDIN.1281", "OPPO.722", "UQAM_TanLe.521"),
    "wmt20/en-ja": ("Online-G.1557", "SJTU-NICT.370"),
    "wmt20/en-pl": ("Online-Z.1634", "zlabs-nlp.180", "Online-A.1576"),
    "wmt20/en-ta": ("TALP_UPC.1049", "SJTU-NICT.386", "Online-G.1561"),
    "wmt20/iu-en": ("NiuTrans.1206", "Facebook_AI.729"),
    "wmt20/ja-en": ("Online-G.1564", "zlabs-nlp.66", "Online-Z.1640"),
    "wmt20/pl-en": ("zlabs-nlp.1162",),
    "wmt20/ru-en": ("zlabs-nlp.1164",),
    "wmt20/ta-en": ("Online-G.1568", "TALP_UPC.192"),
    "wmt20/zh-en": ("WMTBiomedBaseline.183",),
    "wmt22/en-de": ("M2M100_1.2B-B4",),
    "wmt23/en-de": ("synthetic_ref",),
    "wmt23/zh-en": ("synthetic_ref",),
    "wmt24/en-de": ("MSLC",),
    "wmt24/en-es": ("MSLC",),
    "wmt24/ja-zh": ("MSLC",),
}


@dataclass(frozen=True)
class Decided:
    """What was decided for a language pair of a test set; empty where the test set is not known."""

    gold: dict[str, str] = field(default_factory=dict)
    """The name of people's scores that are gold, by level."""
    reference: str = ""
    outliers: tuple[str, ...] = ()


def decided(test_set: str, pair: str) -> Decided:
    """For the test set of that name."""
    if test_set not in _GOLD:
        return Decided()
    name = f"{test_set}/{pair}"
    return Decided(
        _GOLD_OF_PAIRS.get(name, _GOLD[test_set]),
        _REFERENCE_OF_PAIRS.get(name, _REFERENCE.get(test_set, "refA")),
        _OUTLIERS.get(name, ()),
    )
