"""What was done in the studio, as a command and as a Python script: both give the same release."""

import os
import shlex
from pathlib import Path

from taxonym.plan import Plan
from taxonym.studio.project import PLAN, Project
from taxonym.studio.tasks import REPORT, TRAIL, release_name


def command_of(project: Project, plan: Plan) -> str:
    """The command that makes the release, to be typed in the folder that was opened."""
    home = _below(project, project.home)
    parts = [
        "taxonym", "anonymize", "--plan", f"{home}/{PLAN}", "-o", release_name(str(project.source), plan),
        "--report", REPORT, "--trail", TRAIL,
    ]  # fmt: skip
    return " ".join(map(shlex.quote, parts))


def script_of(project: Project, plan: Plan) -> str:
    """The same in Python."""
    home, source = _below(project, project.home), _below(project, project.source)
    return f'''"""Makes the release of {_plain(source)}. Run it in the folder where that file lies."""

import taxonym

if __name__ == "__main__":
    plan = taxonym.read_plan({f"{home}/{PLAN}"!r})
    release = taxonym.anonymize({source!r}, plan)
    release.write({release_name(str(project.source), plan)!r}, reports=[{REPORT!r}], trail={TRAIL!r})
    print(release.report["verdict"])
'''


def _below(project: Project, place: Path) -> str:
    return Path(os.path.relpath(place, project.opened.path)).as_posix()


def _plain(name: str) -> str:
    """A name inside a docstring."""
    return "".join(c if c.isalnum() or c in "-_. /()" else "_" for c in name)
