"""Exports the models of a site for visitors' browsers, in child processes beside it, into the cache."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.bot.config import variables_without_secrets
from ludus.bot.ending import end
from ludus.cli.terminal.screen import last_sentence
from ludus.errors import LudusError
from ludus.files import make_folder
from ludus.system import apart
from ludus.trust import COMMAND

if TYPE_CHECKING:
    from ludus.bot.levels import ModelGames
    from ludus.site.catalogue.engines import DeviceEngines

FOLDER = "engines"
"""The folder of exported models in the cache."""
CODE = ("browser", "games", "kernel", "network", "players", "search")
"""The packages whose sources decide what is exported."""
MOST_KEPT = 32
"""Exported models in the cache; those that were used least recently go."""


class EngineExports:
    """The exported models of a site: known ones are offered at once, the others when they are made."""

    def __init__(
        self, models: Sequence[ModelGames], engines: DeviceEngines, cache: Path, news: Callable[[str], object]
    ) -> None:
        """Prepare the export of models; `run` begins it.

        Args:
            models: the models; of two that play the same board, browsers get the first.
            engines: the site's list of engines.
            cache: the cache folder.
            news: called with a sentence for the terminal.
        """
        self._models, self._engines, self._news = models, engines, news
        self._folder = cache / FOLDER

    async def run(self, ready: asyncio.Event | None = None) -> None:
        """Offer the models' engines, and make those that are missing once `ready` is set, one at a time."""
        keys = [await asyncio.to_thread(export_key, model) for model in self._models]
        places = [self._folder / key for key in keys]
        missing = [
            (model, place) for model, place in zip(self._models, places, strict=True) if not self._offer(model, place)
        ]
        if missing and ready:
            await ready.wait()
        told = ""
        for model, place in missing:
            fault = await self._export(model, place)
            if not fault:
                self._offer(model, place)
            elif fault == told:  # such as a missing library; other models would not fare better
                break
            else:
                self._news(f"{model.path}: visitors' browsers get no engine of this model: {fault}")
                told = fault
        await asyncio.to_thread(_forget_others, self._folder, places)

    def _offer(self, model: ModelGames, place: Path) -> bool:
        """Add an exported model to the site's list; return False if there is none."""
        if not place.is_dir():
            return False
        try:
            self._engines.add(place)  # its listeners belong to this loop
            os.utime(place)
        except (LudusError, OSError) as error:
            self._news(f"{model.path}: {error}")
            return False
        return True

    async def _export(self, model: ModelGames, place: Path) -> str:
        """Export a model to a folder; return why that failed, or ""."""
        try:
            make_folder(self._folder)
            with tempfile.TemporaryDirectory(prefix=".new-", dir=self._folder) as workshop:
                made = Path(workshop, "engine")
                if fault := await _run_export(model, made):
                    return fault
                shutil.rmtree(place, ignore_errors=True)  # a damaged one
                made.rename(place)
        except OSError as error:
            return f"{self._folder} cannot be written ({error.strerror}); set LUDUS_CACHE to another folder."
        return ""


async def _run_export(model: ModelGames, out: Path) -> str:
    """Run `ludus export` until it ends; return its last line if it failed, or ""."""
    child = await asyncio.create_subprocess_exec(
        *(*COMMAND, "export", str(model.path.resolve()), str(out), "--format", "web", "--background"),
        *(f"--game={spec}" for spec in model.specs),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=variables_without_secrets(),
        **apart(),  # only the parent receives Ctrl-C; the child ends with its input
    )
    assert child.stdin, "opened as a pipe"
    assert child.stderr, "opened as a pipe"
    try:
        told = await child.stderr.read()
        status = await child.wait()
    finally:
        child.stdin.close()
        await end(child, 0.1)
    said = last_sentence(told.decode(errors="replace"))
    return "" if status == 0 else said or f"the export ended with exit status {status}."


def export_key(model: ModelGames) -> str:
    """Return the name of a model's exported folder: a hash of the model and of all code that decides what it does."""
    from ludus.games.registry import file_of, game
    from ludus.protocol.spec import spec_in_play

    digest = hashlib.sha256()
    for spec in model.specs:  # the key of rules covers all code that they reach, also in other files
        digest.update(f"{spec}\0{game(spec_in_play(spec)).rules.key}\0".encode())
    files = {Path(file) for file in map(file_of, model.specs) if file}
    for path in (*_sources(), *sorted(files), *sorted(model.path.iterdir())):
        if path.is_file():
            digest.update(f"{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:24]


def _sources() -> Iterable[Path]:
    top = Path(__file__).parents[2]  # the package `ludus`
    return sorted(path for name in CODE for path in (top / name).rglob("*") if path.suffix in (".py", ".c"))


def _forget_others(folder: Path, used: Sequence[Path]) -> None:
    """Remove exported models beyond `MOST_KEPT`, those that were used least recently first."""
    try:
        others = [path for path in folder.iterdir() if path not in used and not path.name.startswith(".")]
        others.sort(key=lambda path: path.stat().st_mtime)
        for path in others[: max(0, len(others) + len(used) - MOST_KEPT)]:
            shutil.rmtree(path, ignore_errors=True)
    except OSError:
        return  # the next start tries again
