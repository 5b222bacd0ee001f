"""Who may ask: one person, in one browser, on this machine.

Every request passes the gate before anything else sees it:

    Host        must be this server's own address: a name that somebody points at 127.0.0.1 is refused
    Origin      must be this server's own, if there is one; whatever changes something must have one
    cookie      is given for the one-time token of the start address, and is asked for everywhere
    CSRF token  is asked of whatever changes something, in a form or in a header
    size        of a form is bounded; an upload is read by who asked for it, bounded there

Every answer forbids the browser to load anything from elsewhere, to run anything that is not a file of ours, to show
the page inside another, and to keep it.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FORM_BYTES = 2_000_000
UPLOAD = "/upload"
START = "/start"
SAFE = ("GET", "HEAD")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# A report brings a stricter policy of its own, by the digests of its scripts, and its style is inside it. In a sandbox
# it has no origin, so that it could ask the studio for nothing.
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox allow-scripts"
)
HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",  # without any, a form of ours would be sent without its origin
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
Complain = Callable[[Exception], None]
_NOT_HERE = "This studio belongs to the terminal that started it. Open the address that is shown there."
# The page that follows the token is asked for by a page of ours: the cookie is not sent where others lead to it.
_WELCOME = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">'
    '<link rel="icon" href="data:,"><title>Taxonym Studio</title><p><a href="/">To the studio</a></p></html>'
)


@dataclass(slots=True)
class Keys:
    """The secrets of one studio: the token, which opens it once; the cookie; what forms must bring along."""

    token: str | None = field(default_factory=lambda: secrets.token_urlsafe(32))
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    def spend(self, token: str) -> bool:
        """Whether this is the token; it is none afterwards."""
        if self.token is None or not compare_digest(token.encode(), self.token.encode()):
            return False
        self.token = None
        return True


class Gate:
    """The application behind its checks; `port` is where the server listens. An error that nobody foresaw goes no
    farther, for its message may hold a person's value; `complain` is told where it arose."""

    def __init__(self, app: ASGIApp, keys: Keys, port: int, complain: Complain | None = None) -> None:
        self.app, self.keys, self.complain = app, keys, complain
        self.hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self.cookie = f"taxonym-studio-{port}"  # cookies do not know ports: another studio has another

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets here
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                more = {**HEADERS, "content-security-policy": POLICY}
                given = [(name.encode(), value.encode()) for name, value in more.items()]
                message["headers"] = [*message["headers"], *(pair for pair in given if pair[0] not in there)]
            await send(message)

        request = Request(scope, receive)
        refusal = self._refused(request)
        if refusal is None and request.url.path == START:
            refusal = self._start(request)
        if refusal is None and not self._known(request):
            refusal = PlainTextResponse(_NOT_HERE, 403)
        if refusal is None and request.method not in SAFE:
            refusal = await self._unwanted(request, scope)
        try:
            await (refusal or self.app)(scope, receive, sent)
        except Exception as error:
            if self.complain is not None:
                self.complain(error)

    def _refused(self, request: Request) -> Response | None:
        """Requests that no page of ours can have sent."""
        headers = request.headers
        if headers.getlist("host") not in ([host] for host in self.hosts):
            return PlainTextResponse("This address is not that of the studio.", 421)
        own = f"http://{headers['host']}"
        origins = headers.getlist("origin")
        if origins not in ([], [own]) or (request.method not in SAFE and not origins):
            return PlainTextResponse("Another site must not ask the studio for anything.", 403)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and request.url.path != START:
            return PlainTextResponse("Another site must not ask the studio for anything.", 403)
        if request.method not in (*SAFE, "POST"):
            return PlainTextResponse("This is not something to ask the studio for.", 405)
        return None

    def _start(self, request: Request) -> Response:
        """The cookie for the token. Who has the cookie already needs no token."""
        if request.method == "GET" and self._known(request):
            return RedirectResponse("/", 303)
        if request.method != "GET" or not self.keys.spend(request.query_params.get("token", "")):
            return PlainTextResponse(_NOT_HERE, 403)
        welcome = HTMLResponse(_WELCOME)
        welcome.set_cookie(self.cookie, self.keys.session, path="/", httponly=True, samesite="strict")
        return welcome

    def _known(self, request: Request) -> bool:
        given = request.cookies.get(self.cookie, "")
        return compare_digest(given.encode(), self.keys.session.encode())

    async def _unwanted(self, request: Request, scope: Scope) -> Response | None:
        """Changes without the page's own token; a form that was read is left in the scope."""
        token = request.headers.get("x-csrf-token", "")
        if request.url.path != UPLOAD:
            body = await _body(request)
            if body is None:
                return PlainTextResponse("This is more than a form can hold.", 413)
            try:
                form = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=50_000)
            except ValueError:
                return PlainTextResponse("This is not a form of the studio.", 400)
            scope["form"] = form
            token = token or dict(form).get("csrf", "")
        if not compare_digest(token.encode(), self.keys.csrf.encode()):
            return PlainTextResponse("This form is not one of this studio. Load the page again.", 403)
        return None


async def _body(request: Request) -> bytes | None:
    """A form as it was sent; None where it is too long, announced or not."""
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced) > FORM_BYTES:
        return None
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > FORM_BYTES:
            return None
    return bytes(read)


def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a form that passed the gate; of several with one name the last."""
    return dict(request.scope["form"])


def all_of(request: Request, name: str) -> list[str]:
    """All fields of one name."""
    return [value for key, value in request.scope["form"] if key == name]
