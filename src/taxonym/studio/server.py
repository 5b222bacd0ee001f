"""All of it as a web server, on this machine only."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from taxonym.errors import BadInput, TaxonymError
from taxonym.studio.gate import START, Complain, Gate, Keys
from taxonym.studio.opened import SUFFIX, OpenedFolder
from taxonym.studio.pages import Pages, asset
from taxonym.studio.screens import before_and_after, choose, file, hierarchy, history, release, run, words
from taxonym.studio.state import Studio

HOST = "127.0.0.1"
_ASSETS = {
    "studio.css": "text/css",
    "studio.js": "text/javascript",
    "htmx.js": "text/javascript",
    "charts.js": "text/javascript",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


def application(studio: Studio, keys: Keys, port: int, complain: Complain | None = None) -> ASGIApp:
    """The studio behind its gate."""
    pages = Pages(studio, keys)
    known = {name: asset(name) for name in _ASSETS}

    def served(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in known:
            return PlainTextResponse("There is no such file.", 404)
        return Response(known[name], media_type=_ASSETS[name], headers={"cache-control": "private, max-age=3600"})

    routes = [Route("/assets/{name}", served)]
    for screen in (file, words, hierarchy, choose, before_and_after, run, release, history):
        routes += screen.routes(pages)

    def missing(request: Request, error: Exception) -> Response:
        return PlainTextResponse("There is no such page in the studio.", 404)

    def trouble(request: Request, error: Exception) -> Response:
        said = str(error) if isinstance(error, TaxonymError) else f"Unforeseen {type(error).__name__}; our fault."
        return PlainTextResponse(said, 400 if isinstance(error, TaxonymError) else 500)

    handlers: dict[Any, Callable[[Request, Exception], Response]] = {
        404: missing,
        TaxonymError: trouble,
        Exception: trouble,
    }
    return Gate(Starlette(routes=routes, exception_handlers=handlers), keys, port, complain)


def opened(given: Path) -> tuple[OpenedFolder, Path | None]:
    """The folder of a file, or a folder itself; and the file, if one was named."""
    if not given.exists():
        raise BadInput(f"{given}: there is no such file or folder.")
    given = given.resolve()
    if given.is_dir() and given.name.endswith(SUFFIX):  # a project: its file lies beside it
        given = given.with_name(given.name.removesuffix(SUFFIX))
        if not given.exists():
            raise BadInput(f"{given}: the file of this project is not there any more.")
        return OpenedFolder(given.parent), given
    return (OpenedFolder(given), None) if given.is_dir() else (OpenedFolder(given.parent), given)


def serve(given: Path, port: int, announce: Callable[[str], None], complain: Complain | None = None) -> None:
    """Serve a file or folder until the terminal ends it; `announce` is told the address with the token, `complain` of
    errors that nobody foresaw."""
    folder, source = opened(given)
    studio, keys = Studio(folder), Keys()
    try:
        settings = uvicorn.Config(
            "",
            host=HOST,
            port=port,
            log_config=None,  # addresses may tell what a person looks at: nothing is logged
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        bound = _bound(settings)
        port = bound.getsockname()[1]
        settings.app = application(studio, keys, port, complain)
        if source is not None:
            studio.open(folder.name_of(source))
        server = uvicorn.Server(settings)
        _end_with_terminal(server)

        async def main() -> None:
            began = asyncio.ensure_future(server.serve(sockets=[bound]))
            while not server.started and not began.done():
                await asyncio.sleep(0.01)
            if not began.done():
                announce(f"http://{HOST}:{port}{START}?token={keys.token}")
            await began

        asyncio.run(main())
    finally:
        studio.close()


def _bound(settings: uvicorn.Config) -> Any:
    """A socket on this machine only; port 0 is any that is free."""
    try:
        if not 0 <= settings.port < 1 << 16:
            raise SystemExit
        return settings.bind_socket()
    except SystemExit:
        raise BadInput(f"--port {settings.port}: cannot be used. Choose another, or leave it out.") from None


def _end_with_terminal(server: uvicorn.Server) -> None:
    """The studio goes when its terminal does."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGHUP"):
        return

    def stop(*_: object) -> None:
        server.should_exit = True

    signal.signal(signal.SIGHUP, stop)


def demo_folder(folder: Path) -> Path:
    """The bundled examples in a folder, for who wants to try; what is there already stays."""
    from importlib.resources import files

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for one in (files("taxonym") / "examples").iterdir():
            if one.is_file() and not os.path.lexists(folder / one.name):
                (folder / one.name).write_bytes(one.read_bytes())
    except OSError as error:
        raise BadInput(f"{folder}: cannot be made ({error.strerror}). Choose another folder.") from None
    return folder
