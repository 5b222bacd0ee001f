"""The options that say how files are read, and the commands that look at taxonomies."""

from __future__ import annotations

import argparse

TYPE_CHECKING = False  # as typing has it, whose import would cost start-up
if TYPE_CHECKING:
    from typing import Any

WRITTEN = ("csv", "tsv", "jsonl", "json", "parquet")
READ = (*WRITTEN, "excel", "sav", "zsav", "por", "dta", "sas7bdat", "xpt")
TABLES = "csv, tsv, parquet, jsonl, json, xlsx, sav, dta, sas7bdat, also .gz or .zst; - is standard input"


def source_options(parser: type[argparse.ArgumentParser]) -> Any:
    """How a file with data is read, where its name does not tell."""
    source = parser(add_help=False)
    source.add_argument("--input-format", choices=READ, help="format of the data, if its name does not tell")
    source.add_argument("--sheet", metavar="NAME", help="the sheet of an Excel workbook that has several")
    source.add_argument("--max-unpacked", metavar="SIZE", help="what a packed file may hold (default: 4G)")
    return source


def taxonomy_commands(
    commands: Any,
    common: argparse.ArgumentParser,
    reading: argparse.ArgumentParser,
    parser: type[argparse.ArgumentParser],
) -> None:
    """The commands that look at taxonomies and make others of them."""
    taxonomy = commands.add_parser("taxonomy", help="look at, check, compile and cut taxonomies")
    actions = taxonomy.add_subparsers(title="actions", metavar="ACTION", required=True)
    column = parser(add_help=False)
    column.add_argument("--data", metavar="INPUT", help="a file with a column of values: csv, tsv, parquet, jsonl")
    column.add_argument("--column", metavar="C", help="the column")
    column.add_argument("--plan", metavar="PLAN", help="a plan that says how the column is read")
    column.add_argument("--kind", metavar="K", help="nominal, set, text, number or date (default: a guess)")
    column.add_argument("--separator", metavar="S", help="what stands between the terms of a set")
    for name, run, text in (
        ("info", "taxonomy:info", "what is in it"),
        ("check", "taxonomy:check", "what is wrong with it, or may surprise; are the values of a column in it"),
        ("compile", "taxonomy:compile", "write it as a binary file that loads at once"),
        ("cut", "taxonomy:cut", "make a small hierarchy, to be edited, for the values of a column"),
    ):
        more = [column] if name in ("check", "cut") else []
        action = actions.add_parser(name, parents=[common, reading, *more], help=text)
        action.add_argument(
            "file", metavar="FILE", help="a file, a folder or a built-in name", nargs="?" if name == "cut" else None
        )
        action.set_defaults(run=run)
        if name == "check":
            action.add_argument("--show-values", action="store_true", help="show missing values: for the owner's eyes")
        if name == "compile":
            action.add_argument("-o", "--output", metavar="OUT", help="where to (default: FILE with .taxonym)")
        if name == "cut":
            action.add_argument("-o", "--output", metavar="OUT", help="where to, as CSV (default: print it)")
            action.add_argument("--levels", type=int, default=3, metavar="D", help="levels above a value (default: 3)")
            action.add_argument(
                "--senses", metavar="P", help="how senses are chosen: column, first, context, best-pair"
            )
            action.add_argument("--overrides", metavar="FILE", help="a table term,concept whose lines always win")
            action.add_argument("--category", metavar="ID", help="only concepts under this")
            action.add_argument("--spelling", type=int, metavar="N", help="correct up to N letters (0, 1 or 2)")
