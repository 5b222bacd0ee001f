"""taxonym studio [FILE|FOLDER]"""

import argparse
import sys
import traceback
import webbrowser
from pathlib import Path

from taxonym.errors import MissingExtra

DEMO = "taxonym-studio-demo"


def run(options: argparse.Namespace) -> int:
    try:
        from taxonym.studio.server import demo_folder, serve
    except ImportError as error:
        if (error.name or "").split(".")[0] not in ("jinja2", "starlette", "uvicorn"):
            raise
        raise MissingExtra(f"studio: needs {error.name}. Install it with: pip install 'taxonym[studio]'") from None
    given = Path(options.input or (DEMO if options.demo else "."))
    if options.demo:
        demo_folder(given)

    def announce(address: str) -> None:
        print(address, flush=True)
        print("Open this address in a browser on this machine; it works once. Ctrl-C ends the studio.", flush=True)
        if not options.no_open:
            webbrowser.open(address)

    serve(given, options.port, announce, _place if options.debug else None)
    return 0


def _place(error: Exception) -> None:
    """Where an error arose; its message may hold a person's value."""
    for frame in traceback.extract_tb(error.__traceback__):
        print(f"  {frame.filename}:{frame.lineno} in {frame.name}", file=sys.stderr)
    print(f"taxonym: unforeseen {type(error).__name__}", file=sys.stderr)
