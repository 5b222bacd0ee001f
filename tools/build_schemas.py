"""Write the JSON Schemas of plans and reports that ship with the package.

python tools/build_schemas.py
"""

import json
from pathlib import Path
from typing import Any

import taxonym
from taxonym.plan.schema import plan_schema
from taxonym.report.schema import report_schema

FOLDER = Path(taxonym.__file__).parent / "schemas"


def schemas() -> dict[Path, dict[str, Any]]:
    return {FOLDER / "plan.schema.json": plan_schema(), FOLDER / "report.schema.json": report_schema()}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path, schema in schemas().items():
        path.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{path.name}: written")


if __name__ == "__main__":
    main()
