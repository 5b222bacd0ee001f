"""The command `taxonym`: read, call, print.

Exit codes: 0 done, 1 a promise is not kept or cannot be, 2 bad usage or bad input. Results go to stdout, everything
else to stderr. Heavy modules are imported by the command that needs them, so that --help stays instant.
"""

from __future__ import annotations

import argparse
import os
import sys

from taxonym.errors import TaxonymError, UnknownConcept

TYPE_CHECKING = False  # as typing has it, whose import would cost a quarter of the start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from taxonym.knowledge.taxonomy import Taxonomy


class _Parser(argparse.ArgumentParser):
    """Complains in one line, as the rest of the command does."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"taxonym: error: {message}. See '{self.prog} --help'.\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    options = _parser().parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except TaxonymError as error:
        return _complain(str(error), error.exit_code, options.debug)
    except BrokenPipeError:  # the reader of our output (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _complain("stopped by the keyboard; nothing was changed", 130, options.debug)
    except OSError as error:
        return _complain(f"{error.filename or 'a file'}: {error.strerror}", 2, options.debug)
    except Exception as error:  # the message of an unforeseen error may hold a person's value: only its kind is shown
        hint = "" if options.debug else " Run again with --debug for the place."
        return _complain(f"unforeseen {type(error).__name__}; this is our fault.{hint}", 2, options.debug)


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

    demo = commands.add_parser("demo", parents=[common], help="a short tour on the bundled WordNet")
    demo.set_defaults(run=_demo)

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
    distance.set_defaults(run=_distance)

    concepts = commands.add_parser("concepts", parents=[common, chosen, reading], help="what terms mean")
    concepts.add_argument("text", nargs="+", metavar="TEXT", help="a term to look up")
    concepts.add_argument("--explain", action="store_true", help="with definitions and the way up to the root")
    concepts.set_defaults(run=_concepts)

    taxonomy = commands.add_parser("taxonomy", help="look at, check and compile taxonomies")
    actions = taxonomy.add_subparsers(title="actions", metavar="ACTION", required=True)
    for name, run, text in (
        ("info", _taxonomy_info, "what is in it"),
        ("check", _taxonomy_check, "what is wrong with it, or may surprise"),
        ("compile", _taxonomy_compile, "write it as a binary file that loads at once"),
    ):
        action = actions.add_parser(name, parents=[common, reading], help=text)
        action.add_argument("file", metavar="FILE", help="a file, a folder or a built-in name")
        action.set_defaults(run=run)
        if name == "compile":
            action.add_argument("-o", "--output", metavar="OUT", help="where to (default: FILE with .taxonym)")
    return parser


# ---------------------------------------------------------------------- commands


def _demo(options: argparse.Namespace) -> int:
    from taxonym.demo import tour

    steps = tour()
    if options.json:
        return _show_json([step.data for step in steps])
    for step in steps:
        print(f"{step.title}\n{'-' * len(step.title)}\n{step.text}\n")
    return 0


def _distance(options: argparse.Namespace) -> int:
    from taxonym.distance.registry import DISTANCES, concept_distance

    tax = _load(options.taxonomy, options)
    measures = list(DISTANCES) if options.measure == "all" else [options.measure]
    pairs = [(a, b) for a in _meanings(tax, options.a, options.sense) for b in _meanings(tax, options.b, options.sense)]
    results = []
    for measure in measures:
        d, a, b = min((concept_distance(tax, a, b, measure, content=options.content), a, b) for a, b in pairs)
        results.append({"measure": measure, "distance": d, "a": _named(tax, a), "b": _named(tax, b)})
    if options.json:
        return _show_json(
            {"taxonomy": tax.name, "results": results} if len(results) > 1 else {"taxonomy": tax.name, **results[0]}
        )
    for r in results:
        print(f"{r['distance']:.4f}  {r['measure']:<17} {r['a']['id']}  –  {r['b']['id']}")  # type: ignore[index]
    return 0


def _concepts(options: argparse.Namespace) -> int:
    tax = _load(options.taxonomy, options)
    found = [
        {"term": term, "concepts": [_named(tax, c, options.explain) for c in tax.codes(term)]} for term in options.text
    ]
    if options.json:
        return _show_json({"taxonomy": tax.name, "terms": found})
    for entry in found:
        print(entry["term"] + ("" if entry["concepts"] else f": unknown to {tax.name}"))
        for concept in entry["concepts"]:
            print(f"  {concept['id']:<24} {', '.join(concept['labels'])}")
            if options.explain:
                print(f"    {concept['gloss']}\n    {' < '.join(concept['way_up'])}")
    return 0


def _taxonomy_info(options: argparse.Namespace) -> int:
    from dataclasses import asdict

    from taxonym.knowledge.check import facts

    found = asdict(facts(_load(options.file, options)))
    if options.json:
        return _show_json(found)
    for name, value in found.items():
        shown = f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if type(value) is int else value
        print(f"{name.replace('_', ' '):<17} {'yes' if value is True else 'no' if value is False else shown}")
    return 0


def _taxonomy_check(options: argparse.Namespace) -> int:
    from taxonym.knowledge.check import remarks

    notes: list[str] = []
    tax = _load(options.file, options, notes)
    notes += remarks(tax)
    if options.json:
        return _show_json({"taxonomy": tax.name, "sound": True, "concepts": len(tax), "remarks": notes})
    print(f"{tax.name}: sound, {len(tax):,} concepts.")
    for note in notes:
        print(f"- {note}")
    return 0


def _taxonomy_compile(options: argparse.Namespace) -> int:
    from pathlib import Path

    from taxonym.knowledge import compiled

    tax = _load(options.file, options)
    source = Path(Path(options.file).name.removesuffix(".gz"))
    path = Path(options.output) if options.output else source.with_suffix(compiled.SUFFIX)
    compiled.write(tax, path)
    found = {"file": str(path), "bytes": path.stat().st_size, "concepts": len(tax), "fingerprint": tax.fingerprint}
    if options.json:
        return _show_json(found)
    print(f"{path}: {len(tax):,} concepts, {found['bytes']:,} bytes. Load it with --taxonomy {path}.")
    return 0


# ---------------------------------------------------------------------- shared


def _load(source: str, options: argparse.Namespace, notes: list[str] | None = None) -> Taxonomy:
    from taxonym.knowledge.catalog import load
    from taxonym.terminal import Bar

    chosen: dict[str, Any] = {}
    if options.language:
        chosen["language"] = options.language
    if options.relations:
        chosen["relations"] = tuple(options.relations.split(","))
    if options.columns:
        pairs = [part.partition("=") for part in options.columns.split(",")]
        named = {role.strip(): column.strip() for role, equals, column in pairs if equals}
        chosen["columns"] = named or [role.strip() for role, _, _ in pairs]
    return load(source, format=options.format, join_roots=options.join_roots, notes=notes, progress=Bar(), **chosen)


def _meanings(tax: Taxonomy, word: str, sense: str) -> list[int]:
    """The concept with this id, else the concepts with this label."""
    try:
        return [tax.code(word)]
    except UnknownConcept:
        codes = tax.codes(word)
        if not codes:
            raise UnknownConcept(
                f"{tax.name}: no concept has the id or label {word!r}. Look for it with 'taxonym concepts'."
            ) from None
        return codes if sense == "best" else codes[:1]


def _named(tax: Taxonomy, code: int, explain: bool = False) -> dict[str, Any]:
    about: dict[str, Any] = {"id": tax.id(code), "code": code, "label": tax.label(code), "labels": tax.labels(code)}
    if explain:
        way = [code]
        while tax.parents(way[-1]):
            way.append(tax.parents(way[-1])[0])
        about |= {"gloss": tax.gloss(code), "depth": tax.depth(code), "way_up": [tax.label(c) for c in way]}
    return about


def _show_json(value: object) -> int:
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
