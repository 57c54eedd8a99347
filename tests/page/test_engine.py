"""The engine's package in Chromium: the example page of its README, with a shipped model, plays and thinks."""

import functools
import importlib.util
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from ludus.site.safety.headers import HEADERS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "web/engine"
THINK = """async ({ url, limits, stopAfterMs }) => {
    const { load } = await import("/engine/engine.js");
    const engine = await load(url);
    const [{ spec }] = engine.manifest.games;
    let updates = 0;
    const thinking = engine.think({ game: spec, actions: [] }, limits, () => updates++);
    let stoppedMs = 0;
    if (stopAfterMs) {
        await new Promise((resolve) => setTimeout(resolve, stopAfterMs));
        const before = performance.now();
        engine.stop();
        await thinking;
        stoppedMs = performance.now() - before;
    }
    const found = await thinking;
    const next = await engine.think({ game: spec, actions: [found.action] }, { visits: found.visits });
    const legal = (await engine.rules(spec)).legal((await engine.rules(spec)).start);
    engine.close();
    return { found, next, legal, updates, stoppedMs, device: engine.device };
}"""


class Served(SimpleHTTPRequestHandler):
    """Serves a folder with the site's security headers."""

    def end_headers(self) -> None:
        """Add the headers."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parent's name
        """Write no log."""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a folder with the package, an exported model, and the README's page."""
    spec = importlib.util.spec_from_file_location("build_page", ROOT / "web/build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    build.build_engine()
    folder = tmp_path_factory.mktemp("static")
    shutil.copytree(PACKAGE / "dist", folder / "engine")
    command = [
        sys.executable,
        "-m",
        "ludus",
        "export",
        ROOT / "models/connect4",
        folder / "connect4",
        "--format",
        "web",
    ]
    subprocess.run(command, check=True)
    (text,) = re.findall(r"```html\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    (script,) = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    (folder / "page.js").write_text(script)  # the policy forbids scripts inside the page
    (folder / "index.html").write_text(text.replace(f'"module">{script}', '"module" src="page.js">'))
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Served, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    """The README's page; fails the test if it logs an error."""
    complaints: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    yield page
    page.close()
    assert [each for each in complaints if not each.startswith("Failed to load resource")] == []  # there is no icon


@pytest.mark.full
def test_the_page_of_the_readme_plays_a_game_until_it_ends(page):
    status = page.get_by_role("status")
    for turn in range(21):
        expect(status).to_have_text(re.compile("Your turn|won|drawn"))
        if "Your turn" not in status.inner_text():
            break
        column = page.get_by_role("button", name=re.compile(rf"^column {1 + turn % 7}$")).first
        (column if column.count() else page.get_by_role("button", name=re.compile(r"^column \d$")).first).click()
        expect(page.locator(".disc0")).to_have_count(turn + 1)
    expect(status).to_have_text("The engine has won.")


@pytest.mark.full
def test_a_shipped_model_thinks_in_a_worker_and_keeps_its_tree(page):
    told = page.evaluate(THINK, {"url": "/connect4/manifest.json", "limits": {"visits": 200, "lines": 2, "every": 0}})
    found, following = told["found"], told["next"]
    assert found["visits"] >= 200
    assert found["action"] == 3, "the middle is the only winning start"
    assert found["lines"][0]["actions"][0] == 3
    assert len(found["lines"][1]["actions"]) > 1
    assert told["updates"] > 0
    assert told["legal"] == [*range(7)]
    assert following["kept"] > 10, "the subtree of the played action"
    assert told["device"] == "wasm", "headless Chromium has no graphics processor"


@pytest.mark.full
def test_stop_ends_a_search_without_limits(page):
    limits = {"visits": 20_000, "seconds": 600}
    told = page.evaluate(THINK, {"url": "/connect4/manifest.json", "limits": limits, "stopAfterMs": 300})
    assert 2 <= told["found"]["visits"] < 20_000
