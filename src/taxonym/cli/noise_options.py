"""The options and commands that have to do with noise, for the parser of the command."""

from __future__ import annotations

import argparse

TYPE_CHECKING = False  # as typing has it, whose import would cost a quarter of the start-up
if TYPE_CHECKING:
    from typing import Any


def noise_options(anonymize: argparse.ArgumentParser) -> None:
    """What belongs to the method noise."""
    noise = anonymize.add_argument_group("of the method noise, which promises no k")
    names = "normal (default), laplace, naive, probabilistic, exponential (ε), geometric (ε)"
    noise.add_argument("--noise-mechanism", metavar="M", help=names)
    noise.add_argument("--alpha", type=float, metavar="A", help="the noise's share of the variance (default: 0.5)")
    noise.add_argument("--epsilon", type=float, metavar="E", help="of each masked cell: local differential privacy")
    noise.add_argument("--budget", type=float, metavar="E", help="what a person's cells may cost (default: one record)")
    noise.add_argument("--min-candidates", type=int, metavar="M", help="concepts that may come out for every value")
    noise.add_argument("--aim", metavar="S", help="keep one statistic better: mean, variance or error")
    noise.add_argument("--outcomes", metavar="O", help="what may come out: all (default), public or usual")
    noise.add_argument("--public", metavar="FILE", help="of --outcomes public: a file with one word on each line")
    noise.add_argument("--avoid", metavar="T,T", help="sensitive topics that never come out, whatever the value")
    noise.add_argument("--correlated", action="store_true", help="errors that vary together as the columns do")
    noise.add_argument("--consistent", action="store_true", help="same person and value, same answer")
    noise.add_argument("--statistics", metavar="FILE", help="what 'taxonym stats' wrote, instead of the data's own")
    noise.add_argument(
        "--category", metavar="ID", help="the domain of all masked columns: what lies under this concept"
    )


def noise_commands(commands: argparse._SubParsersAction[Any], common: argparse.ArgumentParser) -> None:
    """The commands for noise on records that come one at a time."""
    stats = commands.add_parser("stats", parents=[common], help="what noise has to know of a column, as a private file")
    stats.add_argument("input", metavar="INPUT", help="csv, tsv, parquet or jsonl")
    stats.add_argument("--column", action="append", required=True, metavar="C", help="a column; may be repeated")
    stats.add_argument("-o", "--output", required=True, metavar="FILE", help="where to (JSON)")
    stats.add_argument("--plan", metavar="PLAN", help="a plan that says how the columns are read")
    stats.add_argument("--taxonomy", metavar="T,T", help="built-in names or files (without a plan: wordnet)")
    stats.add_argument("--category", metavar="ID", help="the domain: what lies under this concept")
    stats.add_argument("--measure", metavar="C", help="distance between concepts (default: wu-palmer)")
    stats.add_argument("--kind", metavar="K", help="nominal (default), set or text")
    stats.add_argument("--separator", metavar="S", help="what stands between the terms of a set")
    stats.add_argument("--frequencies", action="store_true", help="also how often each value occurs: for baselines")
    stats.set_defaults(run="stats:run")

    stream = commands.add_parser("stream", parents=[common], help="noise on JSON lines, one record at a time")
    stream.add_argument("--plan", required=True, metavar="PLAN", help="a plan whose method is noise")
    stream.add_argument("--stats", metavar="FILE", help="what 'taxonym stats' wrote (default: what the plan names)")
    stream.add_argument("--consistent", action="store_true", help="same person and value, same answer")
    stream.add_argument("--key", metavar="FILE", help="32 random bytes: the same answers in another run, too")
    stream.add_argument("--persons", type=int, default=1_000_000, metavar="N", help="whose budget is kept (1,000,000)")
    stream.add_argument("--seed", type=int, metavar="N", help="fixes every draw, for tests and experiments only")
    stream.set_defaults(run="stream:run")
