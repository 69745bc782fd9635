"""Scores made up for the questions about measures."""

import numpy as np

import metameasure as mm

BASELINES = ("popularity-C", "popularity-E", "uniform-C", "uniform-E")


def matrix(measure, values, runs=None, topics=None):
    """One measure's scores, topics down and runs across."""
    values = np.asarray(values, dtype=float)
    topics = topics or tuple(f"t{topic}" for topic in range(values.shape[0]))
    return mm.ScoreMatrix(measure, tuple(topics), tuple(runs or (f"r{run}" for run in range(values.shape[1]))), values)


def noisy(topics=40, runs=8, seed=0, noise=1.0, step=0.4):
    """Runs a step apart, the last the best, on topics of different difficulty."""
    rng = np.random.default_rng(seed)
    return rng.normal(0, 1, (topics, 1)) + step * np.arange(runs) + rng.normal(0, noise, (topics, runs))


def mirrored(values, scale=1.0):
    """A measure where higher is better, and its mirror image x -> 1 - x, where lower is."""
    return [matrix("accuracy", values), matrix("mae", 1 - scale * np.asarray(values))]


def three_measures(topics=40, runs=8, seed=0):
    """A sharp measure, a blunt one with the same opinion, and one with an opinion of its own; directions mixed."""
    sharp = noisy(topics, runs, seed)
    rng = np.random.default_rng(seed + 100)
    blunt = noisy(topics, runs, seed + 1, noise=4.0)
    other = rng.normal(0, 1, (topics, runs)) + 0.4 * rng.permutation(runs)
    return [matrix("accuracy", sharp), matrix("cem_ord", blunt), matrix("mae", other)]


def quantification(topics=150, seed=0, measures=("nmd", "rnod", "nvd", "rsnod")):
    """Gold whose mass lies on two neighbouring classes at the upper end, so that all of it on one of them (Popularity) has little
    way to go but is wrong by half; the baselines of Sakai (LQ 2021), each twice, and runs that are gold with noise."""
    rng = np.random.default_rng(seed)
    gold = rng.dirichlet([2.0, 2.0, 4.0, 24.0, 20.0], topics)
    popularity = (gold == gold.max(axis=1, keepdims=True)).astype(float)
    uniform = np.full((topics, 5), 0.2)
    runs = {"popularity-C": popularity, "popularity-E": popularity, "uniform-C": uniform, "uniform-E": uniform}
    for place, noise in enumerate((0.1, 0.3, 0.6)):
        runs[f"noisy-{place}"] = (1 - noise) * gold + noise * rng.dirichlet(np.ones(5), topics)
    cube = {
        measure: np.stack([np.asarray(mm.measures[measure](estimate, gold)) for estimate in runs.values()], axis=1)
        for measure in measures
    }
    return [matrix(measure, values, tuple(runs)) for measure, values in cube.items()], gold, runs


def evidence(scores, gold, runs):
    """The distributions behind such scores."""
    from metameasure.evidence.distributions import Distributions

    estimates = np.stack(list(runs.values()))
    ones = np.ones(estimates.shape[:2])
    return Distributions(mm.Scale.of("1..5"), tuple(runs), scores[0].topics, gold, estimates, ones[0], ones)


def long_file(path, matrices):
    """A file of scores as ``evaluate --scores`` writes it."""
    rows = [
        f"{part.measure},{topic},{run},{score!r}\n"
        for part in matrices
        for topic, row in zip(part.topics, part.values[0].tolist(), strict=True)
        for run, score in zip(part.runs, row, strict=True)
    ]
    path.write_text("measure,topic,run,score\n" + "".join(rows))
    return path


def wide_file(path, part):
    """One measure's scores as another tool may write them."""
    lines = [f"{topic},{','.join(map(repr, row))}" for topic, row in zip(part.topics, part.values[0].tolist(), strict=True)]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([",".join(("topic", *part.runs)), *lines]) + "\n")
    return path
