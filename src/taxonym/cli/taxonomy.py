"""taxonym taxonomy info, check, compile, cut"""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from taxonym.cli.shared import chosen_taxonomy, show_json
from taxonym.errors import BadPlan, UnknownTerms
from taxonym.knowledge import compiled
from taxonym.knowledge.check import facts, remarks


def info(options: argparse.Namespace) -> int:
    found = asdict(facts(chosen_taxonomy(options.file, options)))
    if options.json:
        return show_json(found)
    for name, value in found.items():
        shown = f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" if type(value) is int else value
        print(f"{name.replace('_', ' '):<17} {'yes' if value is True else 'no' if value is False else shown}")
    return 0


def check(options: argparse.Namespace) -> int:
    if bool(options.data or options.plan) != bool(options.column):
        raise BadPlan("check: name both the file with --data and its column with --column, or neither.")
    notes: list[str] = []
    tax = chosen_taxonomy(options.file, options, notes)
    notes += remarks(tax)
    missing: UnknownTerms | None = None
    if options.column:
        from taxonym.cli.hierarchy import against, private_lines

        try:
            notes += against(options)
        except UnknownTerms as error:
            missing = error
    if options.json:
        found = {"taxonomy": tax.name, "sound": True, "concepts": len(tax), "remarks": notes}
        if missing:
            shown = options.show_values
            found["missing"] = [{"row": row} | ({"value": value} if shown else {}) for row, value in missing.terms]
        show_json(found)
    else:
        print(f"{tax.name}: sound, {len(tax):,} concepts.")
        for note in notes:
            print(f"- {note}")
    if missing is None:
        return 0
    if options.show_values and not options.json:
        print("\n".join(private_lines(missing)), file=sys.stderr)
    raise missing


def cut(options: argparse.Namespace) -> int:
    from taxonym.cli.hierarchy import make

    return make(options)


def compile(options: argparse.Namespace) -> int:
    tax = chosen_taxonomy(options.file, options)
    source = Path(Path(options.file).name.removesuffix(".gz"))
    path = Path(options.output) if options.output else source.with_suffix(compiled.SUFFIX)
    compiled.write(tax, path)
    found = {"file": str(path), "bytes": path.stat().st_size, "concepts": len(tax), "fingerprint": tax.fingerprint}
    if options.json:
        return show_json(found)
    print(f"{path}: {len(tax):,} concepts, {found['bytes']:,} bytes. Load it with --taxonomy {path}.")
    return 0
