"""taxonym taxonomy info, check, compile"""

import argparse
from dataclasses import asdict
from pathlib import Path

from taxonym.commands.shared import chosen_taxonomy, show_json
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
    notes: list[str] = []
    tax = chosen_taxonomy(options.file, options, notes)
    notes += remarks(tax)
    if options.json:
        return show_json({"taxonomy": tax.name, "sound": True, "concepts": len(tax), "remarks": notes})
    print(f"{tax.name}: sound, {len(tax):,} concepts.")
    for note in notes:
        print(f"- {note}")
    return 0


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
