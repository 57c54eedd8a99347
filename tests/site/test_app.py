"""HTTP responses to valid and invalid requests, and serving the page."""

import asyncio
import gzip
import json

import httpx
import pytest

from ludus.site.app import create_app


class Browser:
    """Asks the application without a network."""

    def __init__(self, app):
        self.app = app

    def ask(self, method, path, **more):
        async def exchange():
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://site") as client:
                return await client.request(method, path, **more)

        return asyncio.run(exchange())

    def get(self, path):
        return self.ask("GET", path)


@pytest.fixture
def site(tmp_path):
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<title>Ludus</title>")
    (page / "assets" / "app.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    return Browser(create_app(page=page))


def test_nothing_is_told_of_the_site_s_inside(site):
    assert [site.get(f"/api/{path}").status_code for path in ("openapi.json", "docs")] == [404, 404]
    assert "openapi" not in site.get("/openapi.json").text, "it is a page like any other address"


def test_a_site_without_bots_has_games_for_two_persons(site):
    games = site.get("/api/catalogue").json()["games"]
    assert {"connect4", "tictactoe", "wallgame"} <= {game["game"] for game in games}
    assert all(game["bots"] == [] for game in games)


RACK = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}


def play(**changes):
    return json.dumps({"botId": "c:b", "config": RACK} | changes).encode()


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (b"", 400, "cannot be read"),
        (b"not json", 400, "cannot be read"),
        (b"[]", 400, "cannot be read"),
        (play(botId=1), 400, "botId"),
        (play(config={"game": "connect4"}), 400, "config.boardWidth: Field required"),
        (play(config=RACK | {"boardWidth": 2}), 400, "boardWidth"),
        (play(config=RACK | {"boardWidth": True}), 400, "boardWidth"),
        (play(hostIsPlayer1=2), 400, "hostIsPlayer1"),
        (play(), 404, "bot"),
        (b"x" * 70_000, 413, "too long"),
    ],
)
def test_a_bad_request_for_a_game_gets_one_sentence(site, body, status, sentence):
    answer = site.ask("POST", "/api/bots/play", content=body)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_who_leaves_in_the_middle_of_a_request_is_no_fault_of_the_site(site):
    begun = iter([{"type": "http.request", "body": b'{"bot', "more_body": True}])
    answers = []

    async def receive():
        return next(begun, {"type": "http.disconnect"})

    async def send(message):
        answers.append(message)

    headers = [(b"host", b"site"), (b"content-length", b"200")]
    where = {"path": "/api/bots/play", "raw_path": b"/api/bots/play", "root_path": "", "query_string": b""}
    caller = {"client": ("127.0.0.1", 1), "server": ("site", 80), "scheme": "http", "http_version": "1.1"}
    scope = {"type": "http", "method": "POST", "headers": headers, "asgi": {"version": "3.0"}, **where, **caller}
    asyncio.run(site.app(scope, receive, send))
    assert answers[0]["status"] == 400


def test_pages_of_other_sites_cannot_open_games(site):
    answer = site.ask("POST", "/api/games", content=b"{}", headers={"origin": "http://evil.example"})
    assert answer.status_code == 403


@pytest.mark.parametrize("path", ["/api/nothing", "/api/", "/api/games/none/plies/x/y"])
def test_an_unknown_address_is_told_as_json(site, path):
    answer = site.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize("path", ["/", "/game/abc", "/games/deep/link", "/assets/none"])
def test_addresses_that_the_page_understands_get_the_page(site, path):
    answer = site.get(path)
    assert (answer.status_code, answer.text) == (200, "<title>Ludus</title>")
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-cache"


def test_built_files_are_served_and_kept(site):
    answer = site.get("/assets/app.js")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]


def test_webassembly_is_sent_compressed(tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>Ludus</title>")
    (tmp_path / "assets" / "game.wasm.gz").write_bytes(gzip.compress(b"\0asm" * 100))
    site = Browser(create_app(page=tmp_path))
    answer = site.get("/assets/game.wasm")
    assert answer.content == b"\0asm" * 100  # decompressed
    assert answer.headers["content-type"] == "application/wasm"
    assert "immutable" in answer.headers["cache-control"]
    assert int(answer.headers["content-length"]) < 100
    assert site.get("/assets/none.wasm").status_code == 404


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_machine_that_asks_with_head_is_not_told_of_the_page(site, path):
    head, whole = site.ask("HEAD", path), site.get(path)
    assert (head.status_code, head.headers["content-type"]) == (whole.status_code, "application/json")


@pytest.mark.parametrize(
    "path", ["/assets/none.js", "/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"]
)
def test_files_that_are_not_the_pages_are_not_served(site, path):
    answer = site.get(path)
    assert "secret" not in answer.text
    assert answer.status_code in (200, 404)


@pytest.mark.parametrize("path", ["/", "/training", "/index.html"])
def test_the_page_is_told_whether_the_site_grows_a_run(tmp_path, path):
    (tmp_path / "index.html").write_text('<!doctype html>\n<html lang="en">')
    assert "data-grows" not in Browser(create_app(page=tmp_path)).get(path).text
    grows = Browser(create_app(page=tmp_path, grown=object())).get(path)
    assert grows.text == '<!doctype html>\n<html data-grows lang="en">'
    assert grows.headers["cache-control"] == "no-cache"


def test_without_a_build_a_sentence_says_what_to_do(tmp_path):
    site = Browser(create_app(page=tmp_path / "none"))
    answer = site.get("/")
    assert (answer.status_code, answer.headers["content-type"]) == (503, "text/plain; charset=utf-8")
    assert "not built" in answer.text
    assert site.get("/api/catalogue").status_code == 200
