"""Measures how soon the engine answers in Chromium: loading, the moves of one game, each by a new search, and a stop.

The folders are exported by `ludus export MODEL FOLDER --format web`, and the package is built by `python web/build.py
--engine`.  Loading is measured twice, with an empty cache and with a full one.  `cpu_s` is the processor time of the
later loading and all answers.

python bench/answers.py FOLDER ... [--visits 200] [--moves 10] [--device wasm] [--json]
"""

import argparse
import functools
import json
import os
import shutil
import statistics
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, sync_playwright

from ludus.selfplay.measure import describe_machine
from ludus.site.safety.headers import HEADERS

PACKAGE = Path(__file__).parents[1] / "web/engine/dist"
MEASURE = """async ({ visits, moves, device }) => {
    const { load } = await import("/engine/engine.js");
    const before = performance.now();
    const engine = await load("/model/manifest.json", { device });
    const loadS = (performance.now() - before) / 1000;
    const [{ spec }] = engine.manifest.games;
    const rules = await engine.rules(spec);
    const [actions, seconds] = [[], []];
    while (seconds.length < moves && !rules.outcome(rules.state(actions))) {
        const asked = performance.now();
        const found = await engine.think({ game: spec, actions }, { visits, seconds: Infinity });
        seconds.push((performance.now() - asked) / 1000);
        actions.push(...found.best);
        await engine.think({ game: spec, actions: [rules.legal(rules.start).at(-1)] }, { visits: 2 }); // drops the tree
    }
    const thinking = engine.think({ game: spec, actions: [] }, { seconds: 60 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const stopped = performance.now();
    engine.stop();
    await thinking;
    const stopMs = performance.now() - stopped;
    engine.close();
    return { loadS, seconds, stopMs, device: engine.device, threads: engine.threads };
}"""


class Served(SimpleHTTPRequestHandler):
    """Serves the package as `/engine` and a model as `/model`, with the site's security headers."""

    def __init__(self, *arguments: Any, model: Path, **more: Any) -> None:
        """Serve this folder of a model."""
        self._model = model
        super().__init__(*arguments, **more)

    def translate_path(self, path: str) -> str:
        """Return the file of an address."""
        top, _, rest = path.lstrip("/").partition("/")
        return str({"engine": PACKAGE, "model": self._model}.get(top, PACKAGE / "none") / rest)

    def do_GET(self) -> None:
        """Send a file, or an empty page."""
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()

    def end_headers(self) -> None:
        """Add the site's headers, and let browsers keep all files."""
        for name, value in (HEADERS | {"cache-control": "public, max-age=31536000, immutable"}).items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *_said: object) -> None:  # noqa: A002 - the parent's name
        """Write no log."""


def measure(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Measure one model."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    handler = functools.partial(Served, model=folder)
    asked = {"visits": options.visits, "moves": options.moves, "device": options.device}
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        first = page.evaluate(MEASURE, asked | {"moves": 1})
        session = browser.new_browser_cdp_session()
        before = spent(session)
        found = page.evaluate(MEASURE, asked)
        cpu_s = spent(session) - before
        browser.close()
        server.shutdown()
    seconds = found["seconds"]
    return {
        "model": folder.name,
        "device": found["device"],
        "threads": found["threads"],
        "first_load_s": round(first["loadS"], 2),
        "later_load_s": round(found["loadS"], 2),
        "first_answer_s": round(seconds[0], 2),
        "median_answer_s": round(statistics.median(seconds), 2),
        "slowest_answer_s": round(max(seconds), 2),
        "stop_ms": round(found["stopMs"]),
        "cpu_s": round(cpu_s, 2),
        "answers": len(seconds),
    }


def spent(session: CDPSession) -> float:
    """Return the processor time of the browser's processes that draw pages and run their workers."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(each["cpuTime"] for each in processes if each["type"] == "renderer")


def main() -> None:
    """Measure each folder; print a row for it."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--moves", type=int, default=10)
    parser.add_argument("--device", default="auto", choices=("auto", "wasm", "webgpu"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [measure(folder, options) for folder in options.folders]
    if options.json:
        print(json.dumps({"bench": "answers", "visits": options.visits, "rows": rows} | describe_machine()))
        return
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    sys.exit(main())
