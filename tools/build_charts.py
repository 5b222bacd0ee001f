"""Build the script that draws the charts of a report: Vega-Lite and what our charts need of Vega, in one file.

    python tools/build_charts.py

It needs node and npm, which fetches the packages by their names and versions. The script holds no part of Vega that
draws maps, trees or networks, and reads expressions without `eval`, so that a report can forbid it.
"""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).parents[1] / "src" / "taxonym" / "render" / "assets"
PACKAGES = {"vega": "6.4.0", "vega-lite": "6.4.3", "vega-interpreter": "2.3.2", "esbuild": "0.28.2"}
ENTRY = """
import { extend } from "vega-util";
import { transforms } from "vega-dataflow";
import * as general from "vega-transforms";
import * as view from "vega-view-transforms";
import * as encode from "vega-encode";
import { parse } from "vega-parser";
import { View } from "vega-view";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
extend(transforms, general, view, encode);
export { parse, View, expressionInterpreter, compile };
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": PACKAGES}))
        run(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock")
        (folder / "entry.js").write_text(ENTRY)
        run(
            folder, "node_modules/.bin/esbuild", "entry.js", "--bundle", "--minify", "--format=iife",
            "--global-name=charts", "--legal-comments=none", "--alias:vega=vega-util", "--charset=ascii",
            "--metafile=parts.json", "--outfile=charts.js",
        )  # fmt: skip
        script = (folder / "charts.js").read_text()
        if "</script" in script.lower() or "<!--" in script:
            raise SystemExit("the script cannot stand in a page as it is: it holds '</script' or '<!--'")
        parts = json.loads((folder / "parts.json").read_text())["outputs"]["charts.js"]["inputs"]
        used = sorted({path.split("/")[1] for path, part in parts.items() if part["bytesInOutput"] and "/" in path})
        notice = licences([folder / "node_modules" / one for one in used])
        if "*/" in notice or "</script" in notice.lower():
            raise SystemExit("the licences cannot stand in a comment of the script")
        ASSETS.mkdir(exist_ok=True)
        (ASSETS / "charts.LICENSE").write_text(notice)
        (ASSETS / "charts.js").write_text(f"/*!\n{notice}*/\n{script}")  # every report passes the script on
        print(f"{ASSETS / 'charts.js'}: {len(notice) + len(script):,} bytes of {len(used)} packages")


def run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True)


def licences(packages: list[Path]) -> str:
    """The licences of packages, each text once, under the names and versions of those that share it."""
    sharing: dict[str, list[str]] = {}
    for package in packages:
        about: dict[str, Any] = json.loads((package / "package.json").read_text())
        files = sorted(path for path in package.iterdir() if path.name.upper().startswith("LICEN"))
        if not files:
            raise SystemExit(f"{package.name}: has no licence file")
        text = "\n".join(line.rstrip() for line in files[0].read_text().strip().splitlines())
        sharing.setdefault(text, []).append(f"{about['name']} {about['version']} ({about['license']})")
    return "\n".join(f"{', '.join(names)}\n\n{text}\n\n{'-' * 72}\n" for text, names in sharing.items())


if __name__ == "__main__":
    main()
