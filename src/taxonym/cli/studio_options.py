"""The options of the command that opens the studio."""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, whose import would cost start-up
if TYPE_CHECKING:
    import argparse
    from typing import Any


def studio_command(commands: Any, common: argparse.ArgumentParser) -> None:
    studio = commands.add_parser("studio", parents=[common], help="a page in the browser: from a file to a release")
    studio.add_argument("input", nargs="?", metavar="FILE", help="a file or a folder (default: this folder)")
    studio.add_argument("--port", type=int, default=0, metavar="N", help="of 127.0.0.1 (default: any that is free)")
    studio.add_argument("--no-open", action="store_true", help="only print the address")
    studio.add_argument("--demo", action="store_true", help="with the bundled examples, in a folder of their own")
    studio.set_defaults(run="studio:run")
