"""What [RodriguezGarcia2015, §IV] prints: the data, and Tables I to IV."""

from typing import Any

CATEGORY = "person.n.01"

# The attribute occupation of the Adult data: our concepts (by their ids in WordNet 3.0), the paper's terms, records.
# Where the first sense of a term is no person or does not give what is printed, the sense that does.
OCCUPATIONS = [
    ("defender.n.01", "protector", 644),
    ("official.n.01", "functionary", 3295),
    ("salesperson.n.01", "salesperson", 3584),
    ("technician.n.01", "technician", 912),
    ("carrier.n.01", "carrier", 1572),
    ("agricultural_laborer.n.01", "farmer", 989),
    ("cleaner.n.03", "cleaner", 1350),
    ("clerk.n.01", "clerk", 3721),
    ("administrator.n.03", "executive", 3992),
    ("craftsman.n.03", "craftsman", 4030),
    ("specialist.n.01", "specialist", 4038),
    ("serviceman.n.01", "serviceman", 6),
    ("mill-hand.n.01", "factory worker", 1966),
    ("housekeeper.n.01", "housekeeper", 143),
]
RECORDS = 30242
SAMPLE = {"craftsman": 46, "cleaner": 20, "farmer": 12, "technician": 22}

# Mean and variance of both.
STATISTICS = {"occupation": ("employee", 0.23), "sample": ("craftsman", 0.13)}

# Distances between means that Tables II to IV print.
DISTANCES = [
    ("skilled_worker.n.01", "employee.n.01", 0.33),
    ("skilled_worker.n.01", "craftsman.n.03", 0.14),
    ("laborer.n.01", "craftsman.n.03", 0.56),
    ("technician.n.01", "craftsman.n.03", 0.25),
]

ALPHAS = (0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
TABLE_1: dict[str, list[Any]] = {
    "mean": ["employee"] * 6,
    "shift": [0.0] * 6,
    "variance": [0.03, 0.05, 0.07, 0.10, 0.11, 0.23],
    "actual": [0.19, 0.23, 0.26, 0.28, 0.30, 0.35],
    "target": [0.12, 0.17, 0.21, 0.24, 0.27, 0.35],
}
TABLE_3: dict[str, list[Any]] = {
    "mean": ["craftsman", "craftsman", "skilled worker", "craftsman", "skilled worker", "skilled worker"],
    "shift": [0.0, 0.0, 0.14, 0.0, 0.14, 0.14],
    "variance": [0.0, 0.01, 0.03, 0.03, 0.04, 0.07],
    "actual": [0.14, 0.18, 0.20, 0.23, 0.24, 0.35],
    "target": [0.09, 0.13, 0.15, 0.19, 0.20, 0.29],
}
# mean of the masked sample, its distance to the original mean, actual "RMSE"
TABLE_2 = {
    "naive": ("skilled worker", 0.33, 0.56),
    "probabilistic": ("employee", 0.0, 0.54),
    "normal": ("employee", 0.0, 0.35),
}
TABLE_4 = {
    "naive": ("laborer", 0.56, 0.37),
    "probabilistic": ("technician", 0.25, 0.35),
    "normal": ("skilled worker", 0.14, 0.35),
}
