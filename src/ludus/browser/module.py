"""Compiles a game's module in a process of its own, and keeps it among the compiled code of this machine.

`python -m ludus.browser.module SPEC FILE` is that process: it writes the module of the game SPEC to FILE.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from ludus.browser.entries import exports_of
from ludus.errors import BadGame, LudusError, Unavailable
from ludus.files import write_atomically
from ludus.games.game import Game
from ludus.games.registry import own_game
from ludus.kernel import cache_directory
from ludus.kernel.webassembly.module import PLAIN, compile_module, linker, module_key

OURS, RULES = 3, 4  # exit codes for errors whose message is on stderr: Unavailable, BadGame


def module_of(game: Game) -> bytes:
    """Return the module of a game; compile it, which takes a minute, if this machine has not done so before.

    Raises:
        BadGame: its rules do not compile for browsers.
        Unavailable: there is no linker, or the cache cannot be written.
    """
    file = cache_directory() / "webassembly" / f"{module_key(exports_of(game))}.wasm"
    if file.is_file():
        return file.read_bytes()
    linker()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "module.wasm")
        done = subprocess.run(
            [sys.executable, "-P", "-m", __name__, game.name, str(out)],
            env=os.environ | PLAIN,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            told = done.stderr.strip()
            kind = {OURS: Unavailable, RULES: BadGame}.get(done.returncode)
            raise kind(told) if kind else Unavailable(f"{game.name}: cannot be compiled for browsers: {told[-2000:]}")
        code = out.read_bytes()
    write_atomically(file, code)
    return code


def main() -> None:
    """Compile the module of the game that the command line names, whose file the starting process may run."""
    spec, file = sys.argv[1:]
    try:
        Path(file).write_bytes(compile_module(exports_of(own_game(spec))))
    except LudusError as error:
        print(error, file=sys.stderr)  # noqa: T201 - read by the process that started this one
        sys.exit(RULES if isinstance(error, BadGame) else OURS)


if __name__ == "__main__":
    main()
