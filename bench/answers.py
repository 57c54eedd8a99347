"""Measures how soon the engine answers in Chromium: loading, positions after random openings, and a stop.

The folders are exported by `ludus export MODEL FOLDER --format web`, and the package is built by `python web/build.py
--engine`.  Loading is measured twice, with an empty cache and with a full one.  The processor time of an answer is that
of all threads of the page; on a busy machine it says more than the seconds.

python bench/answers.py FOLDER ... [--visits 200] [--positions 9] [--device wasm] [--json]
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
LOAD = """async (device) => {
    const { load } = await import("/engine/engine.js");
    const asked = performance.now();
    window.engine = await load("/model/manifest.json", { device });
    return (performance.now() - asked) / 1000;
}"""
ANSWER = """async ({ visits, plies, seed }) => {
    const [{ spec }] = engine.manifest.games;
    const rules = await engine.rules(spec);
    let [state, number] = [rules.start, seed];
    const actions = [];
    while (actions.length < plies && !rules.outcome(state)) {
        number = (number * 48271) % 0x7fffffff;
        const legal = rules.legal(state);
        const action = legal[number % legal.length];
        if (rules.outcome(rules.apply(state, action))) break;
        state = rules.apply(state, action);
        actions.push(action);
    }
    const asked = performance.now();
    await engine.think({ game: spec, actions }, { visits });
    return (performance.now() - asked) / 1000;
}"""
STOP = """async () => {
    const thinking = engine.think({ game: engine.manifest.games[0].spec, actions: [] }, { seconds: 60 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const asked = performance.now();
    engine.stop();
    await thinking;
    return performance.now() - asked;
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
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        session = browser.new_browser_cdp_session()
        loads = [page.evaluate(LOAD, options.device) for _ in range(2)]
        device = page.evaluate("engine.device")
        seconds, cpu_s = list[float](), list[float]()
        for seed in range(1, options.positions + 1):
            before = spent(session)
            asked = {"visits": options.visits, "plies": 2 + seed % 7, "seed": 7919 * seed}
            seconds.append(page.evaluate(ANSWER, asked))
            cpu_s.append(spent(session) - before)
        stop_ms = page.evaluate(STOP)
        browser.close()
        server.shutdown()
    return {
        "model": folder.name,
        "device": device,
        "first_load_s": round(loads[0], 2),
        "later_load_s": round(loads[1], 2),
        "first_answer_s": round(seconds[0], 2),
        "median_answer_s": round(statistics.median(seconds), 2),
        "slowest_answer_s": round(max(seconds), 2),
        "median_answer_cpu_s": round(statistics.median(cpu_s), 2),
        "stop_ms": round(stop_ms),
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
    parser.add_argument("--positions", type=int, default=9)
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
