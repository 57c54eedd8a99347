"""Compares the speed of the search alone as machine code, and as WebAssembly in node and in Chromium.

Each searches one tree from the start of a game again and again, with a table of random evaluations in place of the
network, 8 leaves in a batch and no cache.  Figures are medians, in visits per second on one thread.

python bench/browser.py [--game SPEC ...] [--visits 4000] [--seconds 2] [--runs 3] [--no-chromium] [--json]
"""

import argparse
import http.server
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ludus.browser.manifest import game_part
from ludus.games.game import Game
from ludus.games.registry import own_game
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator
from ludus.players.thinking.plan import SEAT_LEAVES
from ludus.search.settings import SearchSettings
from ludus.selfplay.measure import describe_machine, measure_deep_search

HERE = Path(__file__).parent
ENGINE = HERE.parent / "web" / "engine" / "src"
GAMES = (
    "tictactoe",
    "connect4:ahead",
    "wallgame:classic:8x8:ways",
    "chess",
    "go:9x9:chinese:liberties",
    "gomoku:15x15:threats:fours",
    "examples/breakthrough.py",
)
STRIP = (
    "const fs=require('fs');const{stripTypeScriptTypes:s}=require('module');for(const[from,to]of JSON.parse("
    "process.argv[1]))fs.writeFileSync(to,s(fs.readFileSync(from,'utf8')).replace(/(from \"[^\"]*)\\.ts\"/g,'$1.js\"'))"
)
PAGE = """import { FUNCTION } from "./SCRIPT";
const bytes = async (name) => await (await fetch("./" + name)).arrayBuffer();
globalThis.run = async (...more) => {
  const job = await (await fetch("./job.json")).json();
  const [module, logits, outcomes] = await Promise.all([job.game.module, "logits", "outcomes"].map(bytes));
  return FUNCTION({ job, module, logits: new Float32Array(logits), outcomes: new Float32Array(outcomes) }, ...more);
};
globalThis.ready = true;
"""


def main() -> None:
    """Measure each game; print a row for it."""
    options = read_options()
    rows = []
    for spec in options.game or GAMES:
        game = own_game(spec)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_job(game, folder, options.visits)
            runs = [once(game, folder, options) for _ in range(options.runs)]
        row = {kind: round(statistics.median(run[kind] for run in runs)) for kind in runs[0]}
        row |= {f"{kind} %": round(100 * row[kind] / row["native"]) for kind in row if kind != "native"}
        rows.append({"game": spec} | row)
        if not options.json:
            print(
                "  ".join(f"{name} {value:,}" if name != "game" else f"{value:26}" for name, value in rows[-1].items())
            )
    if options.json:
        print(json.dumps({"bench": "browser", "visits": options.visits, "rows": rows} | describe_machine()))


def once(game: Game, folder: Path, options: argparse.Namespace) -> dict[str, float]:
    """Return the visits per second of each kind, one after the other."""
    found = {
        "native": measure_deep_search(game, leaves=SEAT_LEAVES, visits=options.visits, seconds=options.seconds),
        "node": in_node(folder, options.seconds),
    }
    return found if options.no_chromium else found | {"chromium": float(in_chromium(folder, str(options.seconds)))}


def write_job(game: Game, folder: Path, visits: int) -> None:
    """Write the module, the tables of evaluations, and the page."""
    part = game_part(game, SearchSettings(cache_entries=0), folder)
    (folder / "job.json").write_bytes(msgspec.json.encode({"game": part, "visits": visits, "leaves": SEAT_LEAVES}))
    table = NullEvaluator(Shapes.of(game), rows=1 << 10)
    (folder / "logits").write_bytes(table._logits.tobytes())
    (folder / "outcomes").write_bytes(table._outcomes.tobytes())
    write_page(folder, HERE / "browser.ts", "measure", ["layout", "module", "rules", "tree", "winning"])


def write_page(folder: Path, script: Path, function: str, modules: list[str]) -> None:
    """Write a page whose `run` calls a function of a script with the job and tables of this folder.

    Args:
        folder: has job.json, the game's module, and the tables `logits` and `outcomes`.
        script: a file in TypeScript, two folders below the project's root at most.
        function: the function that the script exports.
        modules: what the script imports from the engine, directly or not.
    """
    sources = [script, *(ENGINE / f"{name}.ts" for name in modules)]
    pairs = [(str(each), folder / each.relative_to(HERE.parent).with_suffix(".js")) for each in sources]
    for _, into in pairs:
        into.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([node(), "--no-warnings", "-e", STRIP, json.dumps(pairs, default=str)], check=True)
    address = pairs[0][1].relative_to(folder).as_posix()
    (folder / "page.js").write_text(PAGE.replace("FUNCTION", function).replace("SCRIPT", address))
    (folder / "index.html").write_text('<!doctype html><script type="module" src="page.js"></script>')


def in_node(folder: Path, seconds: float) -> float:
    """Measure in node."""
    command = [node(), "--no-warnings", HERE / "browser.ts", folder, str(seconds)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def in_chromium(folder: Path, arguments: str = "") -> Any:
    """Call the function of `write_page` in Chromium, with more arguments as they stand in JavaScript."""
    from playwright.sync_api import sync_playwright

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_said: object) -> None: ...

    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
            page.wait_for_function("globalThis.ready")
            found = page.evaluate(f"run({arguments})")
            browser.close()
        server.shutdown()
    return found


def node() -> Path:
    """Return the path of node, as the page's build finds it."""
    spec = importlib.util.spec_from_file_location("build", HERE.parent / "web" / "build.py")
    assert spec
    assert spec.loader
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    return build.node()


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--game", action="append", help="spec of a game; repeatable")
    parser.add_argument("--visits", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--no-chromium", action="store_true")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
