"""Two systems, one gold standard: equally accurate, and yet one is better. Which measures see it?

The counts are those of Amigó et al. (2020), Figure 3: rows gold, columns predicted.
"""

import metameasure as mm

CLASSES = ["negative", "neutral", "positive"]
SYSTEMS = {
    "A": [[5, 1, 4], [5, 50, 5], [7, 8, 15]],
    "B": [[7, 1, 2], [12, 45, 3], [4, 8, 18]],
}

if __name__ == "__main__":
    print(f"{'measure':20} {'A':>8} {'B':>8}   better")
    for name in ("accuracy", "f1_macro", "kappa_linear", "mae_macro", "alpha_ordinal", "cem_ord", "mutual_information"):
        measure = mm.measures[name]
        a, b = (float(measure(counts, classes=CLASSES)) for counts in SYSTEMS.values())
        gain = (b - a) if measure.better == "higher" else (a - b)
        print(f"{name:20} {a:8.4f} {b:8.4f}   {'neither' if abs(gain) < 1e-12 else 'B' if gain > 0 else 'A'}")
