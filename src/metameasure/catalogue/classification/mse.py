"""Mean squared error, over items and over gold classes, and its root."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.classification.mae import mean_over_classes, mean_over_items
from metameasure.catalogue.classification.tables import distances
from metameasure.catalogue.facts import SPAN, SPAN_SQUARED
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import CLOSEST
from metameasure.catalogue.sources import AMIGO_2020, BACCIANELLA_2009, HYNDMAN_2006


@measure(
    id="mse",
    asks=CLOSEST,
    like={"sklearn": "mean_squared_error()"},
    chance="linear",
    title="Mean squared error",
    aliases=("mean_squared_error",),
    symbol="MSE",
    better="lower",
    range=(0, SPAN_SQUARED),
    scale="interval",
    formula="MSE = Σ_gp (v_g - v_p)² c_gp / N",
    source=(AMIGO_2020.at("Section 4.2"), BACCIANELLA_2009),
    use="As mae, where one large error is worse than several small ones.",
)
def mse(counts: Array, *, values: Array) -> Array:
    return mean_over_items(counts, distances(values) ** 2)


@measure(
    id="mse_macro",
    asks=CLOSEST,
    chance="linear",
    title="Macro-averaged mean squared error",
    symbol="MSE^M",
    better="lower",
    range=(0, SPAN_SQUARED),
    scale="interval",
    formula="MSE^M = (1/|C+|) Σ_{g in C+} Σ_p (v_g - v_p)² c_gp / G_g",
    source=(AMIGO_2020.at("Section 4.2"), BACCIANELLA_2009),
    use="As mae_macro, where one large error is worse than several small ones.",
)
def mse_macro(counts: Array, *, values: Array) -> Array:
    return mean_over_classes(counts, distances(values) ** 2)


@measure(
    id="rmse",
    asks=CLOSEST,
    like={"sklearn": "root_mean_squared_error()"},
    title="Root of the mean squared error",
    symbol="RMSE",
    better="lower",
    range=(0, SPAN),
    scale="interval",
    aliases=("root_mean_squared_error",),
    formula="RMSE = sqrt(Σ_gp (v_g - v_p)² c_gp / N)",
    source=(HYNDMAN_2006.at("Section 2.1"),),
    use="mse in the unit of the class values. On one topic it ranks runs as mse does; its mean over topics need not.",
)
def rmse(counts: Array, *, values: Array) -> Array:
    return namespace(counts).sqrt(mean_over_items(counts, distances(values) ** 2))
