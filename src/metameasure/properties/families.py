"""Families of measures, as papers group them in their tables."""

from __future__ import annotations

from collections.abc import Sequence

# Amigó et al. (2020), Table 2; what is not in it stands with its like. Then Sakai (LQ 2021), Table 1.
FAMILIES = {
    "Classification": (
        *("accuracy", "accuracy@n", "macro_recall", "kappa", "f1_macro", "f1", "hmpr", "recall", "precision", "mcc"),
        "macro_precision",
    ),
    "Value prediction": (
        *("mae", "mse", "mae_macro", "mse_macro", "mae_worst", "kappa_linear", "kappa_quadratic", "kappa_weighted"),
        *("threshold_loss", "cosine", "rmse"),
    ),
    "Agreement": ("alpha_nominal", "alpha_ordinal", "alpha_interval"),
    "Correlation": ("pearson", "spearman", "kendall_b", "kendall_a", "gamma"),
    "Clustering": (
        *("reliability", "sensitivity", "reliability_sensitivity_f", "mutual_information", "purity", "inverse_purity"),
    ),
    "Path based": ("oci",),
    "CEM": ("cem_nom", "cem_int", "cem_ord", "cem_flat"),
    "Ordinal quantification": ("nmd", "emd", "rsnod", "rnod", "rnadw", "od", "sod", "adw", "rps"),
    "Nominal quantification": ("nvd", "rnss", "jsd", "kld", "nss", "variational_distance"),
}  # fmt: skip
OTHERS = "Others"


def family_of(measure: str) -> str:
    """The family of a measure, by its id; parameters do not matter."""
    plain = measure.partition("@")[0]
    return next((family for family, members in FAMILIES.items() if {measure, plain, f"{plain}@n"} & {*members}), OTHERS)


def by_family(measures: Sequence[str]) -> dict[str, list[str]]:
    """Measures by their families, in the order of the papers' tables; one unnamed group, where all are of one family."""
    groups = {
        family: members for family in (*FAMILIES, OTHERS) if (members := [one for one in measures if family_of(one) == family])
    }
    return groups if len(groups) > 1 else {"": list(measures)}
