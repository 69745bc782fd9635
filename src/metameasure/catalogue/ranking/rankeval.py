"""RankEval's own definitions (Avramidis 2013, and the program released with it): our measures in other settings, no twins.

What the program does beside its definitions is not copied: it leaves segments with a tau of 0 out of the macro average, takes
the cut-off of all segments from the length of the first, and lets tied predictions overwrite one another in NDCG and ERR (here
each keeps its gain, at the tie's last place).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# By the names in RankEval's output (``ndgc`` is its spelling); ``bph`` lacks the rank that follows the ``@``.
MEASURES = {
    "tau": "tau@wmt12",
    "mrr": "mrr@ties=worst",
    "ndgc": "ndcg@ties=worst:relevance=ceiling",
    "err": "err@ties=worst:relevance=ceiling",
    "avg_predicted_ranked": "average_predicted_rank@ties=worst:ranks=ceiling",
}


def settings_of(base: str) -> dict[str, str]:
    """The settings under which RankEval computes one of our measures; none for those that it does not have."""
    names = {name.partition("@")[0]: name.partition("@")[2] for name in (*MEASURES.values(), best_vs_human(1))}
    parts = (part.partition("=") for part in names.get(base, "").split(":"))
    return {name: value for name, _, value in parts if value}


def best_vs_human(rank: int) -> str:
    """The measure that RankEval prints as ``bph_RANK``."""
    return f"best_vs_human@{rank}:ties=worst:ranks=minimize"


def invalid_p_value(tau: Any, n: Any) -> npt.NDArray[np.float64]:
    """Avramidis (2013), Eq. 3 and 4: p = erfc(|z| / sqrt 2), z = tau / sqrt((4n + 10) / (9n(n - 1))). For comparison only.

    Not a valid test. The normal approximation is one for a single ranking of many items without ties. A segment has few items,
    and often ties; the program passes the number of pairs for n instead of that of items, as if pairs were independent; and it
    multiplies the p-values of segments. Of data sets without any association 30 % come out significant at .05. Use
    ``statistics.segment_tests.within_segment_test``.
    """
    import numpy as np  # noqa: PLC0415 - listing the measures does without

    tau, n = np.broadcast_arrays(np.asarray(tau, dtype=float), np.asarray(n, dtype=float))
    variance = np.where(n > 1, (4 * n + 10) / np.where(n > 1, 9 * n * (n - 1), 1.0), 1.0)  # the program's 1, where n is 1
    z = np.abs(tau) / np.sqrt(variance)
    return np.asarray(np.reshape([math.erfc(value / math.sqrt(2)) for value in z.ravel()], z.shape), dtype=float)
