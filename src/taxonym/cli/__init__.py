"""The command `taxonym`: read, call, print.

Exit codes: 0 done, 1 a promise is not kept or cannot be, 2 bad usage or bad input. Results go to stdout, everything
else to stderr. Heavy modules are imported by the command that needs them, so that --help stays instant.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import warnings
from contextlib import contextmanager

from taxonym.cli.noise_options import noise_commands, noise_options
from taxonym.cli.studio_options import studio_command
from taxonym.cli.taxonomy_options import TABLES, WRITTEN, source_options, taxonomy_commands
from taxonym.errors import TaxonymError, TaxonymWarning

TYPE_CHECKING = False  # as typing has it, whose import would cost a quarter of the start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import NoReturn


class _Parser(argparse.ArgumentParser):
    """Complains in one line, as the rest of the command does."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"taxonym: error: {message}. See '{self.prog} --help'.\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    try:
        options = _parser().parse_args(arguments)
    except KeyboardInterrupt:
        return _complain("stopped by the keyboard; nothing was changed", 130, False)
    try:
        with warnings.catch_warnings(), _stoppable():
            warnings.showwarning = _note
            return _run(options)
    except TaxonymError as error:
        return _complain(str(error), error.exit_code, options.debug)
    except BrokenPipeError:  # the reader of our output (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt as stop:
        done = "after all files were written" if getattr(options, "written", False) else "; nothing was changed"
        if left := getattr(options, "left", None):
            done = f"; {left}"
        how, code = ("by the system", 143) if isinstance(stop, _Terminated) else ("by the keyboard", 130)
        return _complain(f"stopped {how}{' ' * done.startswith('a')}{done}", code, options.debug)
    except OSError as error:
        done = ", after all files were written" if getattr(options, "written", False) else ""
        return _complain(f"{error.filename or 'standard output'}: {error.strerror}{done}", 2, options.debug)
    except Exception as error:  # the message of an unforeseen error may hold a person's value: only its kind is shown
        hint = "" if options.debug else " Run again with --debug for the place."
        return _complain(f"unforeseen {type(error).__name__}; this is our fault.{hint}", 2, options.debug)


def _run(options: argparse.Namespace) -> int:
    """The command, with files in the place of dashes."""
    options.piped_in = options.piped_out = False
    if "-" not in (getattr(options, name, None) for name in ("input", "original", "release", "file", "output")):
        return _command(options.run)(options)
    from taxonym.cli.streams import piped

    with piped(options) as named:
        try:
            return _command(options.run)(options)
        except TaxonymError as error:
            error.args = (named(str(error)), *error.args[1:])
            raise


def _command(where: str) -> Callable[[argparse.Namespace], int]:
    """The function of a command, module:function in this folder; imported when it is called for."""
    from importlib import import_module

    module, function = where.split(":")
    found: Callable[[argparse.Namespace], int] = getattr(import_module(f"taxonym.cli.{module}"), function)
    return found


class _Terminated(KeyboardInterrupt):
    """The system wants the process to end."""


@contextmanager
def _stoppable() -> Iterator[None]:
    """A request to end (SIGTERM) is heard as the keyboard is, so that nothing is left behind."""

    def stop(*_: object) -> None:
        raise _Terminated

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not the main thread: somebody else decides
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _note(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: object = None,
) -> None:
    """A warning as a line for people; those of other packages with their place."""
    where = "" if issubclass(category, TaxonymWarning) else f"{filename}:{lineno}: {category.__name__}: "
    print(f"taxonym: note: {where}{message}", file=sys.stderr)


def _complain(message: str, code: int, debug: bool) -> int:
    if debug:
        import traceback

        for frame in traceback.extract_tb(sys.exc_info()[2]):
            print(f"  {frame.filename}:{frame.lineno} in {frame.name}", file=sys.stderr)
    print(f"taxonym: error: {message}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    from taxonym import __version__

    common = _Parser(add_help=False)
    common.add_argument("--debug", action="store_true", help="show where in the code an error arose")
    common.add_argument("--json", action="store_true", help="one JSON document on stdout")
    chosen = _Parser(add_help=False)
    chosen.add_argument(
        "--taxonomy", default="wordnet", metavar="T", help="a built-in name or a file (default: wordnet)"
    )
    reading = _Parser(add_help=False)
    reading.add_argument("--format", metavar="F", help="format of the taxonomy file, where it cannot be guessed")
    reading.add_argument(
        "--columns", metavar="C,C", help="columns of a CSV file: child=…,parent=…,label=… or the level columns"
    )
    reading.add_argument("--language", metavar="TAG", help="language of the labels, where the file has several")
    reading.add_argument(
        "--relations", metavar="R,R", help="links that lead upwards, where the file has several kinds (is_a,part_of)"
    )
    reading.add_argument(
        "--join-roots", nargs="?", const=True, default=False, metavar="LABEL", help="put several roots under one"
    )

    parser = _Parser(
        prog="taxonym",
        description="Publish data made of words so that its meaning survives and no one in it is singled out.",
    )
    parser.add_argument("--version", action="version", version=f"taxonym {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    demo = commands.add_parser("demo", parents=[common], help="the main job on bundled example data")
    demo.add_argument("--out", default="taxonym-demo", metavar="DIR", help="where to write (default: taxonym-demo)")
    demo.add_argument("--seed", type=int, metavar="N", help="fixes every draw, for tests and experiments only")
    demo.set_defaults(run="demo:run")

    warm = commands.add_parser("warm", parents=[common], help="compile everything once, so that no later run has to")
    warm.set_defaults(run="warm:run")

    studio_command(commands, common)
    _release_commands(commands, common)
    noise_commands(commands, common)

    distance = commands.add_parser(
        "distance", parents=[common, chosen, reading], help="how far apart two terms or concepts are"
    )
    distance.add_argument("a", metavar="A", help="a term (its first sense is taken) or the id of a concept")
    distance.add_argument("b", metavar="B", help="another")
    distance.add_argument(
        "--measure", default="jaccard", metavar="C", help="the distance (default: jaccard); 'all' shows every one"
    )
    distance.add_argument(
        "--content",
        default="seco",
        metavar="IC",
        help="information content for resnik, lin and jiang-conrath: seco, sanchez, corpus",
    )
    distance.add_argument(
        "--sense",
        choices=("first", "best"),
        default="first",
        help="of several senses take the first, or the closest pair",
    )
    distance.set_defaults(run="distance:run")

    concepts = commands.add_parser(
        "concepts", parents=[common, reading, source_options(_Parser)], help="what text maps to, and why"
    )
    concepts.add_argument("--taxonomy", metavar="T,T", help="built-in names or files (default: the plan's, or wordnet)")
    concepts.add_argument("text", nargs="*", metavar="TEXT", help="a text to look at")
    concepts.add_argument("--explain", action="store_true", help="why, with definitions and the way up to the root")
    concepts.add_argument("--all-senses", action="store_true", help="also what else the labels found may mean")
    concepts.add_argument("--senses", metavar="P", help="how senses are chosen: column, first, context, best-pair")
    concepts.add_argument("--overrides", metavar="FILE", help="a table term,concept whose lines always win")
    concepts.add_argument("--category", metavar="ID,ID", help="only concepts under these")
    concepts.add_argument("--parts", metavar="n,v", help="nouns, verbs or both (default: n)")
    concepts.add_argument("--related", metavar="WHERE", help="adjectives and verbs as their nouns: alone, all or none")
    concepts.add_argument("--prefer", default="order", metavar="H", help="of several taxonomies: order, or specific")
    concepts.add_argument("--spelling", type=int, metavar="N", help="correct up to N letters (0, 1 or 2)")
    concepts.add_argument(
        "--topics", nargs="?", const="wordnet", metavar="FILE", help="name sensitive topics (shipped: wordnet)"
    )
    concepts.add_argument("--file", metavar="F", help="look at a column of this file instead: csv, tsv, parquet, jsonl")
    concepts.add_argument("--column", metavar="C", help="the column")
    concepts.add_argument("--document", metavar="F", help="the term vector of a document: txt, md, html, pdf, docx …")
    concepts.add_argument("--plan", metavar="PLAN", help="a plan that says how the column is read")
    concepts.add_argument("--kind", metavar="K", help="nominal, set or text (default: as the plan says, or a guess)")
    concepts.add_argument("--separator", metavar="S", help="what stands between the terms of a set")
    concepts.add_argument("--limit", type=int, metavar="N", help="lines of the table (default: 40; 0: all)")
    concepts.add_argument("--against", metavar="P,P", help="policies to compare with (default: all others), or none")
    concepts.add_argument("--suggest", metavar="OUT", help="write what unknown words may mean, as overrides to edit")
    concepts.add_argument("--unknown", metavar="OUT", help="write the phrases without a concept, by number of records")
    concepts.add_argument(
        "--min-records", type=int, metavar="N", help="never show what fewer records share (default: the plan's k, or 5)"
    )
    concepts.set_defaults(run="concepts:run")

    reproduce = commands.add_parser(
        "reproduce", parents=[common], help="what the source papers print, beside what comes out here"
    )
    reproduce.add_argument("paper", nargs="?", default="all", metavar="PAPER", help="000 to 004, or all (default)")
    reproduce.set_defaults(run="reproduce:run")

    taxonomy_commands(commands, common, reading, _Parser)
    return parser


def _release_commands(commands: argparse._SubParsersAction[_Parser], common: _Parser) -> None:
    """The commands that make a release and look at one."""
    source = source_options(_Parser)
    known = _Parser(add_help=False)
    known.add_argument("--plan", metavar="PLAN", help="a plan (TOML); draft one with 'taxonym plan'")
    known.add_argument("--taxonomy", metavar="T,T", help="built-in names or files (without a plan: wordnet)")
    known.add_argument("--seed", type=int, metavar="N", help="fixes every draw, for tests and experiments only")

    plan = commands.add_parser("plan", parents=[common, source], help="draft a plan for a file, and say why")
    plan.add_argument("input", metavar="INPUT", help="a table, a log, or a folder of documents")
    plan.add_argument("-o", "--output", metavar="PLAN", help="write it there (default: print it)")
    plan.add_argument("--taxonomy", metavar="T,T", help="taxonomies to try, alone and together (default: wordnet)")
    plan.add_argument("-k", type=int, metavar="K", help="persons per class; the draft shows nothing that fewer share")
    answers = plan.add_mutually_exclusive_group()
    answers.add_argument("--ask", action="store_true", help="ask what the draft is unsure of")
    answers.add_argument("--yes", action="store_true", help="take the safe answer to every question")
    plan.set_defaults(run="plan:run")

    anonymize = commands.add_parser(
        "anonymize",
        aliases=["anonymise"],
        parents=[common, known, source],
        help="publish a file: groups of at least k persons that are published alike",
    )
    anonymize.add_argument(
        "input", nargs="?", metavar="INPUT", help=f"{TABLES}; or, with --kind, a log or a folder of documents"
    )
    anonymize.add_argument(
        "-o", "--output", metavar="OUT", help="the release: csv, tsv, parquet, jsonl or json, also .gz or .zst; or -"
    )
    anonymize.add_argument("--output-format", choices=WRITTEN, help="of what goes to standard output (-o -)")
    anonymize.add_argument("--kind", metavar="KIND", help="without a plan: querylog, accesslog or documents")
    anonymize.add_argument("-k", type=int, metavar="K", help="persons per class (default: 5)")
    anonymize.add_argument("--method", metavar="M", help="refined (default), mdav, adaptive-mdav, generalize, noise")
    anonymize.add_argument("--aggregate", metavar="A", help="distance between sets (default: min-sum)")
    anonymize.add_argument("--measure", metavar="C", help="distance between concepts (default: jaccard)")
    anonymize.add_argument("--threshold", type=float, metavar="S", help="of 'matching' and 'redaction' (default: 0.8)")
    anonymize.add_argument("--topics", metavar="T,T", help="sensitive topics, or 'all'; see docs/topics.md")
    anonymize.add_argument("--known-items", type=int, metavar="M", help="the support rule's m (default: 2)")
    anonymize.add_argument("--consensus", action="store_true", help="publish only what half of a group holds")
    anonymize.add_argument("--l", type=int, metavar="L", help="also promise l-diversity: L different values in a class")
    anonymize.add_argument("--t", type=float, metavar="T", help="also promise t-closeness: no class farther than T")
    anonymize.add_argument("--representative", metavar="R", help="best (default), redaction, medoid or per-record")
    anonymize.add_argument("--growth", type=float, metavar="G", help="of 'adaptive-mdav': how far groups grow (1)")
    anonymize.add_argument("--recoding", metavar="R", help="of 'generalize': local (default), full-domain or items")
    anonymize.add_argument("--cost", metavar="C", help="of 'generalize': steps (default), content or ncp")
    anonymize.add_argument("--suppress", type=float, metavar="S", help="share of records it may leave out (default: 0)")
    noise_options(anonymize)
    anonymize.add_argument("--keep-order", action="store_true", help="keep the rows in the order of the input")
    anonymize.add_argument("--no-baselines", action="store_true", help="do not measure other ways to form groups")
    anonymize.add_argument("--show-values", action="store_true", help="show unknown terms that stop a run: private")
    anonymize.add_argument(
        "--report", action="append", default=[], metavar="FILE", help="write the report, .html or .json; or one of each"
    )
    anonymize.add_argument("--trail", metavar="FILE", help="write the private trail: who became which row")
    anonymize.add_argument(
        "--private-report",
        metavar="FILE",
        help="write the report with exact figures (JSON or .html), for its owner only",
    )
    anonymize.add_argument("--strict", action="store_true", help="write nothing where the run warns of anything")
    anonymize.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores); changes no result")
    anonymize.add_argument("--max-memory", metavar="SIZE", help="ceiling for memory, such as 4G; see docs/anonymize.md")
    anonymize.add_argument(
        "--work", metavar="DIR", help="a folder for work files: large inputs, and going on after a kill"
    )
    anonymize.add_argument("--engine", choices=["local", "spark"], default="local", help="where it runs")
    anonymize.add_argument("--master", metavar="URL", help="of 'spark': local[2], spark://HOST:7077, yarn, k8s://…")
    anonymize.add_argument(
        "--conf", action="append", default=[], metavar="K=V", help="of 'spark': a setting of Spark; may be repeated"
    )
    anonymize.set_defaults(run="anonymize:run")

    verify = commands.add_parser(
        "verify", parents=[common, source], help="recount the classes of a release; exit 0 or 1"
    )
    verify.add_argument("release", metavar="RELEASE", help="the release")
    verify.add_argument("-k", type=int, metavar="K", help="persons per class; noise promises none, and needs --plan")
    verify.add_argument("--plan", metavar="PLAN", help="says which columns are confidential")
    verify.add_argument("--kind", metavar="KIND", help="without a plan: querylog, accesslog or documents")
    verify.add_argument("--original", metavar="FILE", help="the original: persons, support rule, l, t, every class")
    verify.add_argument("--trail", metavar="FILE", help="the private trail of the run")
    verify.add_argument("--report", metavar="FILE", help="a report, .json or .html: does it belong to the release?")
    verify.add_argument("--codebook", metavar="FILE", help="what its words stand for (default: RELEASE.codebook.csv)")
    verify.add_argument("--keep-order", action="store_true", help="rows are in the order of the original")
    verify.set_defaults(run="verify:run")

    loss = commands.add_parser("loss", parents=[common, known, source], help="how far a release is from its original")
    loss.add_argument("original", metavar="ORIGINAL", help="the original")
    loss.add_argument("release", metavar="RELEASE", help="the release")
    loss.add_argument("--kind", metavar="KIND", help="without a plan: querylog, accesslog or documents")
    loss.add_argument("--trail", metavar="FILE", help="the private trail of the run, to bring rows together")
    loss.add_argument("--codebook", metavar="FILE", help="what its words stand for (default: RELEASE.codebook.csv)")
    loss.add_argument("--keep-order", action="store_true", help="the release was not shuffled: rows go by their places")
    loss.add_argument("--measure", metavar="C", help="judge by this distance between concepts (default: the plan's)")
    loss.add_argument("--aggregate", metavar="A", help="judge by this distance between sets (default: the plan's)")
    loss.set_defaults(run="loss:run")

    risk = commands.add_parser(
        "risk", parents=[common, known, source], help="what an intruder can find out from a release"
    )
    risk.add_argument("original", metavar="ORIGINAL", help="the original")
    risk.add_argument("release", metavar="RELEASE", help="the release")
    risk.add_argument("--kind", metavar="KIND", help="without a plan: querylog, accesslog or documents")
    risk.add_argument("--trail", metavar="FILE", help="the private trail of the run, to bring rows together")
    risk.add_argument("--codebook", metavar="FILE", help="what its words stand for (default: RELEASE.codebook.csv)")
    risk.add_argument("--keep-order", action="store_true", help="rows are in the order of the original")
    risk.add_argument("--measure", metavar="C", help="the intruder's distance between concepts (default: the plan's)")
    risk.add_argument("--aggregate", metavar="A", help="the intruder's distance between sets (default: the plan's)")
    risk.add_argument("--knows", type=int, metavar="M", help="also an intruder who knows M random items of everybody")
    risk.add_argument("--intruder", metavar="FILE", help="what the intruder has: some of the persons, and others")
    risk.add_argument("--intruder-taxonomy", metavar="T,T", help="what the intruder reads words with")
    risk.add_argument("--sample", type=int, metavar="N", help="link N random persons only")
    risk.add_argument("--one-to-one", action="store_true", help="also link everybody to another row, all at once")
    risk.set_defaults(run="risk:run")

    compare = commands.add_parser(
        "compare", parents=[common, source], help="try method, distance and k; recommend a setting"
    )
    compare.add_argument("input", nargs="?", metavar="INPUT", help="a table, a log or documents")
    compare.add_argument("--plan", metavar="PLAN", help="a plan (TOML); draft one with 'taxonym plan'")
    compare.add_argument("--kind", metavar="KIND", help="without a plan: querylog, accesslog or documents")
    compare.add_argument(
        "-o", "--output", required=True, metavar="DIR", help="folder; a killed sweep goes on there; with --take a file"
    )
    compare.add_argument("-k", metavar="K,K", help="persons per class (default: 2,3,5,10)")
    compare.add_argument("--method", metavar="M,M", help="default: all that the columns allow")
    compare.add_argument("--aggregate", metavar="A,A", help="distances between sets (default: the plan's)")
    compare.add_argument("--measure", metavar="C,C", help="distances between concepts (default: the plan's)")
    compare.add_argument("--take", type=int, metavar="N", help="write the plan of setting N to -o PLAN; try nothing")
    compare.add_argument("--max-risk", type=float, metavar="P", help="percent that a recommended risk may reach")
    compare.add_argument("--mine", action="store_true", help="also what data mining finds over k (logs and documents)")
    compare.add_argument("--sample", type=int, metavar="N", help="persons who are linked at most (default: 10,000)")
    compare.add_argument("--workers", type=int, metavar="N", help="processes (default: all cores)")
    compare.add_argument("--seed", type=int, metavar="N", help="fixes every draw, for tests and experiments only")
    compare.set_defaults(run="compare:run")

    mine = commands.add_parser("mine", parents=[common], help="what data mining still finds in a release")
    mine.add_argument("original", metavar="ORIGINAL", help="the original")
    mine.add_argument("release", metavar="RELEASE", help="the release")
    mine.add_argument("--kind", required=True, metavar="KIND", help="querylog, accesslog or documents")
    mine.add_argument("--plan", metavar="PLAN", help="the plan of the run (default: the trail's)")
    mine.add_argument("--trail", metavar="FILE", help="the private trail of the run, to compare clusters of records")
    mine.add_argument("--clusters", metavar="N,N", help="numbers of clusters (default: 2,5,10,20,50,100)")
    mine.add_argument("--top", type=int, metavar="N", help="follow the N most frequent values (default: 10)")
    mine.add_argument("--runs", type=int, metavar="N", help="clusterings with other beginnings (default: 3)")
    mine.add_argument("--seed", type=int, metavar="N", help="fixes every draw, for tests and experiments only")
    mine.set_defaults(run="mine:run")
