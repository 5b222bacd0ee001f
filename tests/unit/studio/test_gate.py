"""Who may ask: what is refused, and what every answer forbids."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from taxonym.studio.gate import FORM_BYTES, Keys
from taxonym.studio.opened import MOST_BYTES, OpenedFolder
from taxonym.studio.server import application
from taxonym.studio.state import Studio
from tests.unit.studio.common import HOME, PORT, Seat


@pytest.fixture
def door(tmp_path: Path) -> Iterator[tuple[TestClient, Keys]]:
    """A studio that nobody has entered yet."""
    studio, keys = Studio(OpenedFolder(tmp_path)), Keys()
    with TestClient(application(studio, keys, PORT), base_url=HOME, follow_redirects=False) as client:
        yield client, keys
    studio.close()


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Seat]:
    """A studio that somebody has entered; nothing is open in it."""
    made = Seat(tmp_path)
    yield made
    made.close()


def test_the_token_opens_once_and_gives_a_cookie_that_no_script_and_no_other_site_gets(
    door: tuple[TestClient, Keys],
) -> None:
    client, keys = door
    token = keys.token
    welcome = client.get(f"/start?token={token}")
    cookie = welcome.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert token not in cookie
    assert client.get("/").status_code == 200
    assert client.get(f"/start?token={token}").status_code == 303  # who is in is let in
    client.cookies.clear()
    assert client.get(f"/start?token={token}").status_code == 403  # replayed by somebody else
    assert client.get("/").status_code == 403


@pytest.mark.parametrize("path", ["/", "/words", "/release/download/release", "/assets/studio.css", "/job/1", "/x"])
def test_nothing_is_told_without_the_cookie(door: tuple[TestClient, Keys], path: str) -> None:
    client, _ = door
    answer = client.get(path)
    assert answer.status_code == 403
    assert answer.text.startswith("This studio belongs to the terminal")
    client.cookies.set(f"taxonym-studio-{PORT}", "guess")
    assert client.get(path).status_code == 403


@pytest.mark.parametrize("token", ["", "x", "?" * 43])
def test_a_wrong_token_opens_nothing_and_the_right_one_still_does(door: tuple[TestClient, Keys], token: str) -> None:
    client, keys = door
    assert client.get("/start", params={"token": token}).status_code == 403
    assert client.get("/start", params={"token": keys.token}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", f"[::1]:{PORT}", ""]
)
def test_a_foreign_host_is_refused_even_with_the_cookie(seat: Seat, host: str) -> None:
    assert seat.client.get("/", headers={"host": host}).status_code == 421
    assert seat.client.get("/", headers={"host": f"localhost:{PORT}"}).status_code in (200, 403)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1"])
def test_a_foreign_origin_is_refused_for_looking_and_for_changing(seat: Seat, origin: str) -> None:
    assert seat.client.get("/", headers={"origin": origin}).status_code == 403
    form = {"csrf": seat.keys.csrf, "private": "on"}
    assert seat.client.post("/private", data=form, headers={"origin": origin}).status_code == 403
    assert not seat.studio.private


def test_a_form_from_another_site_changes_nothing(seat: Seat) -> None:
    for headers, form in (
        ({}, {"csrf": seat.keys.csrf}),  # no origin at all
        ({"origin": HOME}, {}),  # no token
        ({"origin": HOME}, {"csrf": "guess"}),
        ({"origin": HOME, "sec-fetch-site": "cross-site"}, {"csrf": seat.keys.csrf}),
        ({"origin": HOME, "x-csrf-token": "guess"}, {"csrf": seat.keys.csrf}),
    ):
        answer = seat.client.post("/private", data={**form, "private": "on"}, headers=headers)
        assert answer.status_code == 403, headers
    assert not seat.studio.private
    assert seat.post("/private", private="on").status_code == 200
    assert seat.studio.private


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_nothing_but_looking_and_forms_is_answered(seat: Seat, method: str) -> None:
    assert seat.client.request(method, "/", headers={"origin": HOME}).status_code == 405


@pytest.mark.parametrize("path", ["/", "/start", "/assets/studio.js", "/nothing", "/release"])
def test_every_answer_forbids_scripts_frames_and_anything_from_elsewhere(seat: Seat, path: str) -> None:
    headers = seat.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "server" not in headers


def test_an_upload_of_ten_gigabytes_that_is_announced_is_refused_before_it_comes(seat: Seat) -> None:
    come = 0

    def body() -> Iterator[bytes]:
        nonlocal come
        for _ in range(1000):
            come += 1
            yield b"x" * 1000

    sent = {"origin": HOME, "x-csrf-token": seat.keys.csrf, "x-file-name": "big.csv", "content-length": str(10**10)}
    answer = seat.client.post("/upload", content=body(), headers=sent)
    assert answer.status_code == 413
    assert f"{MOST_BYTES:,}" in answer.text
    assert not list(seat.studio.opened.path.glob("*big*"))


def test_a_form_that_is_too_long_is_refused_announced_or_not(seat: Seat) -> None:
    headers = {"origin": HOME, "x-csrf-token": seat.keys.csrf}
    assert seat.client.post("/private", content=b"x" * (FORM_BYTES + 1), headers=headers).status_code == 413
    pieces = (b"x" * 100_000 for _ in range(FORM_BYTES // 100_000 + 2))
    assert seat.client.post("/private", content=pieces, headers=headers).status_code == 413


def test_an_upload_needs_the_token_too(seat: Seat) -> None:
    sent = {"origin": HOME, "x-file-name": "new.csv"}
    assert seat.client.post("/upload", content=b"a\n1\n", headers=sent).status_code == 403
    assert not list(seat.studio.opened.path.glob("new*"))


def test_an_error_that_nobody_foresaw_tells_its_kind_and_not_its_message(
    seat: Seat, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("somebody's value")

    monkeypatch.setattr(OpenedFolder, "data", fail)
    answer = seat.client.get("/")
    assert answer.status_code == 500
    assert "RuntimeError" in answer.text
    assert "somebody" not in answer.text + "".join(capfd.readouterr())
