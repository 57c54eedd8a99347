"""Only `ludus.system` uses what Windows or macOS lacks; the type stubs of Python say what that is."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import basedpyright
import pytest

ROOT = Path(__file__).parents[2]
STUBS = Path(basedpyright.__file__).parent / "dist" / "typeshed-fallback" / "stdlib"
PORTABLE = ROOT / "src/ludus/system.py"
FILES = [path for path in sorted((ROOT / "src/ludus").rglob("*.py")) if path != PORTABLE]
LOOP = {"add_signal_handler", "remove_signal_handler", "add_reader", "remove_reader", "add_writer", "remove_writer"}
LOOP |= {"create_unix_connection", "create_unix_server", "connect_read_pipe", "connect_write_pipe"}
"""Methods of event loops that the stubs give to all systems, and Windows refuses."""
OPTIONS = {"start_new_session", "preexec_fn", "pass_fds", "process_group", "umask", "creationflags", "startupinfo"}
"""Options of processes that only some systems accept."""
ELSEWHERE = {"src/ludus/cores.py": {"/proc/self/cgroup", "/sys/fs/cgroup"}}
"""Paths that may be missing, which other files may name."""


def is_true(test: ast.expr, platform: str) -> bool | None:
    """Return the value of a condition of a stub on a platform; None: other things decide."""
    match test:
        case ast.Compare(ast.Attribute(ast.Name("sys"), "platform"), [operator], [ast.Constant(name)]):
            return (name == platform) == isinstance(operator, ast.Eq)
        case ast.BoolOp(operator, values):
            found = [is_true(each, platform) for each in values]
            decisive = isinstance(operator, ast.Or)
            return decisive if decisive in found else None if None in found else not decisive
        case ast.UnaryOp(ast.Not(), value):
            found = is_true(value, platform)
            return None if found is None else not found
    return None


def defined(body: list[ast.stmt], platform: str) -> dict[str, bool]:
    """Return the names that a stub defines, and whether the platform has them."""
    found: dict[str, bool] = {}

    def add(name: str, is_there: bool) -> None:
        found[name] = found.get(name, False) or is_there

    for statement in body:
        match statement:
            case ast.If(test, then, otherwise):
                holds = is_true(test, platform)
                for name, is_there in defined(then, platform).items():
                    add(name, is_there and holds is not False)
                for name, is_there in defined(otherwise, platform).items():
                    add(name, is_there and holds is not True)
            case ast.FunctionDef(name) | ast.ClassDef(name) | ast.AnnAssign(ast.Name(name)):
                add(name, True)
            case ast.Assign([ast.Name(name)]):
                add(name, True)
            case ast.ImportFrom(module, names):
                for each in names:  # `from X import Y as Y` is a name of the stub
                    if each.asname or module in ("_socket", "_ssl"):
                        add(each.asname or each.name, True)
    return found


@cache
def lacking(module: str) -> set[str]:
    """Return the names of a module of the standard library that Windows or macOS lacks; "*" if all are lacking."""
    place = STUBS.joinpath(*module.split("."))
    stub = place.with_suffix(".pyi") if place.with_suffix(".pyi").is_file() else place / "__init__.pyi"
    if module.split(".")[0] not in sys.stdlib_module_names or not stub.is_file():
        return set()
    body = ast.parse(stub.read_text(encoding="utf-8")).body
    found: set[str] = set()
    for platform in ("win32", "darwin"):
        names = defined(body, platform)
        found |= {name for name, is_there in names.items() if not is_there}
        calls = [name for name in names if name.islower() and not name.startswith("_") and name != "sys"]
        if calls and not any(names[name] for name in calls):
            found.add("*")
    return found


def uses(tree: ast.Module) -> list[tuple[int, str]]:
    """Return what a file uses that some system lacks, with its lines."""
    found: list[tuple[int, str]] = []
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                modules |= {each.asname or each.name: each.name for each in names}
                found += [(node.lineno, each.name) for each in names if "*" in lacking(each.name)]
            case ast.ImportFrom(module, names) if module:
                absent = lacking(module)
                found += [(node.lineno, f"{module}.{each.name}") for each in names if {each.name, "*"} & absent]
                modules |= {each.asname or each.name: f"{module}.{each.name}" for each in names}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name(name), attribute) if attribute in lacking(modules.get(name, "")):
                found.append((node.lineno, f"{name}.{attribute}"))
            case ast.Attribute(_, attribute) if attribute in LOOP:
                found.append((node.lineno, attribute))
            case ast.keyword(name) if name in OPTIONS:
                found.append((node.lineno, name))
            case ast.Constant(str(text)) if text.startswith(("/proc/", "/sys/", "/dev/", "/tmp/", "/var/", "/usr/")):
                found.append((node.lineno, text))
    return found


def test_the_stubs_say_what_other_systems_lack():
    assert {"killpg", "nice", "sched_getaffinity", "fork"} <= lacking("os")
    assert {"SIGKILL", "pthread_kill"} <= lacking("signal")
    assert all("*" in lacking(module) for module in ("fcntl", "resource", "pwd", "termios", "msvcrt", "winreg"))
    assert not any("*" in lacking(module) for module in ("os", "signal", "subprocess", "mmap", "asyncio", "socket"))
    assert not lacking("os") & {"open", "replace", "kill", "fsync", "dup2", "cpu_count", "getpid"}


def test_uses_of_what_other_systems_lack_are_found():
    text = """
import os, fcntl
import signal as s
from os import nice
from resource import getrusage
os.killpg(1, s.SIGKILL)
loop.add_reader(0, print)
start(start_new_session=True)
open("/proc/self/status")
"""
    found = [name for _, name in uses(ast.parse(text))]
    assert found[:3] == ["fcntl", "os.nice", "resource.getrusage"]
    assert set(found[3:]) == {"os.killpg", "s.SIGKILL", "add_reader", "start_new_session", "/proc/self/status"}


def test_only_one_module_uses_what_other_systems_lack(tree_of):
    wrong = []
    for path in FILES:
        name = path.relative_to(ROOT).as_posix()
        allowed = ELSEWHERE.get(name, set())
        wrong += [f"{name}:{line}: {used}" for line, used in uses(tree_of(path)) if used not in allowed]
    assert wrong == []


def test_the_portable_module_is_not_empty(tree_of):
    assert len(uses(tree_of(PORTABLE))) > 10


@pytest.mark.full
@pytest.mark.parametrize("platform", ["Windows", "Darwin"])
def test_the_types_are_right_on_other_systems(platform):
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--pythonplatform", platform]
    done = subprocess.run([*command, "src"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
