"""Conformance tests that every measure passes, and that a measure of your own can be put through.

    import pytest
    from metameasure.testing import checks
    from my_measures import my_measure

    @pytest.mark.parametrize("check", checks(my_measure), ids=str)
    def test_my_measure(check):
        check()

or, without pytest, ``metameasure measures --plugin my_measures.py --check``.
"""

from metameasure.testing.conformance import Check, checks

__all__ = ["Check", "checks"]
