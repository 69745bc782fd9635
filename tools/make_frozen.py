"""The small score matrices that studies put every question of ``meta`` to. What must come out is computed by other code.

python tools/make_frozen.py                     writes src/metameasure/studies/frozen_scores/*.csv anew
python tests/frozen_reference.py --write        then computes what must come out, without metameasure

Seeds were chosen so that few p-values lie near .05, where two draws of permutations may decide differently.
"""

from __future__ import annotations

import warnings

import metameasure as mm
from metameasure.studies.frozen import FOLDER

MADE = {
    "tweets": (
        {
            "like": "sem17t4c",
            "kinds": ["noisy=.25,.45", "rand=.3,.45", "biased=.4", "prox=.4", "maj=.5", "tdisp=.35", "constant=0,1"],
            "topics": 13,
            "items": 30,
            "seed": 18,
        },
        "alpha_ordinal,alpha_interval,hmpr,f1_macro,mae_macro,kappa_linear,cem_ord,accuracy,mae",
    ),
    "dialogues": (
        {
            "like": "dialeval1",
            "kinds": ["noisy=.5,.8", "popularity=C,E", "uniform=C,E", "smoothed=.6", "shifted=.6"],
            "topics": 50,
            "centre": 3.0,
            "seed": 93,
        },
        "nmd,rsnod,rnod,nvd,rnss,jsd",
    ),
    "cases": (
        {
            "like": "amigo",
            "kinds": ["maj=.3,.7", "rand=.2,.6", "prox=.4,.9", "tdisp=.3,.8", "odisp=.5,1"],
            "topics": 12,
            "items": 60,
            "seed": 2,
        },
        "accuracy,kendall_a,mutual_information,f1_macro,mae,mae_macro,cem_ord,cem_flat",
    ),
    "experiments": (
        {"like": "qe78", "kinds": ["noisy=.5,1.5,3", "tied=.2,.6", "rand=.3,.7", "top=.9"], "topics": 25, "seed": 0},
        "mrr,tau@wmt12,tau@wmt14,ndcg,err,average_predicted_rank",
    ),
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (task, measures) in MADE.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mm.simulate(**task).evaluate(measures).save(FOLDER / f"{name}.csv")
