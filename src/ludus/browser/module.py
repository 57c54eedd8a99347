"""Compiles a game's module in a process of its own, and keeps it among the compiled code of this machine.

`python -m ludus.browser.module SPEC FILE` is that process: it writes the module of the game SPEC to FILE, and ends with
its standard input.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from filelock import FileLock

from ludus.browser.entries import exports_of
from ludus.errors import BadGame, LudusError, Unavailable
from ludus.files import make_folder, write_atomically
from ludus.games.game import Game
from ludus.games.registry import own_game
from ludus.kernel import cache_directory
from ludus.kernel.webassembly.module import PLAIN, check_tools, compile_module, module_key

OURS, RULES = 3, 4  # exit codes for errors whose message is on stderr: Unavailable, BadGame


def module_of(game: Game) -> bytes:
    """Return the module of a game; compile it, which takes a minute, if this machine has not done so before.

    Raises:
        BadGame: its rules do not compile for browsers.
        Unavailable: the linker or the tested compiler is missing, or the cache cannot be written.
    """
    file = cache_directory() / "webassembly" / f"{module_key(exports_of(game))}.wasm"
    if file.is_file():
        return file.read_bytes()
    check_tools()
    make_folder(file.parent)
    # Another process may compile it now.
    with FileLock(file.with_suffix(".lock")), tempfile.TemporaryDirectory() as folder:
        if file.is_file():
            return file.read_bytes()
        out, told = Path(folder, "module.wasm"), Path(folder, "told")
        command = [sys.executable, "-P", "-m", __name__, game.name, str(out)]
        with (
            told.open("wb") as errors,
            # The process ends with its standard input, hence with this process.
            subprocess.Popen(command, env=os.environ | PLAIN, stdin=subprocess.PIPE, stderr=errors) as process,
        ):
            status = process.wait()
        if status:
            said = told.read_text(encoding="utf-8", errors="replace").strip()
            kind = {OURS: Unavailable, RULES: BadGame}.get(status)
            raise kind(said) if kind else Unavailable(f"{game.name}: cannot be compiled for browsers: {said[-2000:]}")
        write_atomically(file, code := out.read_bytes())
        return code


def main() -> None:
    """Compile the module of the game that the command line names, whose file the starting process may run."""
    spec, file = sys.argv[1:]
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        Path(file).write_bytes(compile_module(exports_of(own_game(spec))))
    except LudusError as error:
        print(error, file=sys.stderr)  # noqa: T201 - read by the process that started this one
        sys.exit(RULES if isinstance(error, BadGame) else OURS)


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
