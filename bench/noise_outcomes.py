"""How much does an outcome in a sensitive topic tell of its value? P(value in topic | outcome in topic), by outcomes.

    python bench/noise_outcomes.py [--seeds N]

The bundled queries, each masked for itself over WordNet, k = 5. A few minutes.
"""

import argparse
from pathlib import Path

import numpy as np
from common import section, table

import taxonym
from taxonym.methods.noise.column import noise_columns_of
from taxonym.methods.noise.records import masked_noisily, with_usual_outcomes
from taxonym.plan import Plan
from taxonym.shapes.table.read import prepare
from taxonym.text.sensitive import load_topics

SOURCE = Path(taxonym.__file__).parent / "examples" / "search-log.csv"
ALPHAS = (0.1, 0.3, 0.5)
LEAST = 200  # outcomes in a topic of which a share is told


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seeds", type=int, default=12, metavar="N")
    seeds = arguments.parse_args().seeds
    topics, rows = load_topics(taxonym.load("wordnet")), []
    for alpha in ALPHAS:
        for outcomes in ("all", "usual", "public"):
            plan = Plan.from_dict(
                {
                    "input": {"person": "user", "person_rows": "keep"},
                    "columns": {
                        "user": {"role": "identifier"},
                        "query": {"role": "quasi-identifier", "kind": "text", "taxonomy": "wordnet"},
                    },
                    "method": {"name": "noise", "k": 5, "alpha": alpha},
                    "noise": {"outcomes": outcomes},
                }
            )
            units = prepare(str(SOURCE), plan)
            columns = with_usual_outcomes(noise_columns_of(plan), units, plan)
            both = np.zeros((2, len(topics.names)))
            for seed in range(seeds):
                [made] = masked_noisily(units, columns, plan, np.random.default_rng(seed), None)
                before, after = (topics.matrix[:, columns[0].domain.outer[c]] for c in (made.before, made.after))
                both += (before & after).sum(axis=1), after.sum(axis=1)
            told = [f"{a / b:.3f} of {b:,.0f}" if b > LEAST else "–" for a, b in both.T]
            rows.append((alpha, outcomes, *told))
    section(
        "noise_outcomes",
        "What an outcome in a topic tells",
        "python bench/noise_outcomes.py",
        [f"{seeds} seeds.", table(("α", "outcomes", *topics.names), rows)],
    )


if __name__ == "__main__":
    main()
