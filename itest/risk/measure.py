"""Measures a table with pycanon and pandas, for comparison with "pgdeid risk": CSV on standard input, JSON on standard output.

Arguments: quasi-identifiers, joined by commas; the sensitive column; the population; the threshold.
"""

import json
import sys

import numpy as np
import pandas as pd
from pycanon import anonymity
from scipy.stats import nbinom

quasi, sensitive, population, smallest = sys.argv[1].split(","), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
table = pd.read_csv(sys.stdin, dtype=str, keep_default_na=False)
sizes = table.groupby(quasi).size()
fraction = len(table) / population


def expected_inverse(f):
    """E[1/F] where F - f is negative binomial (Benedetti and Franconi 1998; Polettini 2003)."""
    more = np.arange(int(nbinom.isf(1e-13, f, fraction)) + 1)
    return (nbinom.pmf(more, f, fraction) / (f + more)).sum()


inverse = {f: expected_inverse(f) for f in set(sizes)}
json.dump(
    {
        "k": int(anonymity.k_anonymity(table, quasi)),
        "l": int(anonymity.l_diversity(table, quasi, [sensitive])),
        "t": float(anonymity.t_closeness(table, quasi, [sensitive])),
        "classes": len(sizes),
        "unique": int((sizes == 1).sum()),
        "at_risk": int(sizes[sizes < smallest].sum()),
        "average": len(sizes) / len(table),
        "journalist_highest": float(max(inverse.values())),
        "journalist_average": float(sum(f * inverse[f] for f in sizes) / len(table)),
    },
    sys.stdout,
)
