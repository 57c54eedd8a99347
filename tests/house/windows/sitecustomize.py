"""Simulates Windows for Ludus: with this folder on PYTHONPATH, Python imports this file at its start.

Event loops handle no signals and watch no files, `ludus.system` believes to be on Windows, and the modules it uses have
no name that Windows lacks.  What only Windows has is replaced by the nearest thing that Linux has.
"""

import asyncio
import builtins
import os
import signal
import socket
import subprocess
import sys
import types

import psutil

import ludus.system

LACKING = {
    os: ("killpg", "setsid", "getsid", "nice", "sched_getaffinity", "fork", "getuid", "fchmod"),
    signal: ("SIGKILL", "SIGHUP", "SIGALRM", "pthread_kill", "pthread_sigmask", "SIG_BLOCK", "SIG_SETMASK"),
}
MODULES = ("fcntl", "resource", "pwd", "grp", "termios")


class ProactorLike(asyncio.SelectorEventLoop):
    """An event loop with the limits of Windows, which a signal wakes, as it wakes that of Windows."""

    def run_forever(self):
        before = signal.set_wakeup_fd(self._csock.fileno())
        try:
            super().run_forever()
        finally:
            signal.set_wakeup_fd(before)

    add_signal_handler = asyncio.AbstractEventLoop.add_signal_handler
    remove_signal_handler = asyncio.AbstractEventLoop.remove_signal_handler
    add_reader = asyncio.AbstractEventLoop.add_reader
    add_writer = asyncio.AbstractEventLoop.add_writer


class Policy(asyncio.DefaultEventLoopPolicy):
    """Makes such event loops."""

    _loop_factory = ProactorLike


def without(module, names):
    """Return a copy of a module that lacks some names."""
    copy = types.ModuleType(module.__name__)
    vars(copy).update({name: value for name, value in vars(module).items() if name not in names})
    return copy


def importer(name, *arguments, **options):
    """Import a module for `ludus.system`, except those that Windows lacks."""
    if name in MODULES:
        raise ImportError(f"No module named {name!r}")
    return builtins.__import__(name, *arguments, **options)


def simulate(put):
    """Replace what differs; `put(object, name, value)` sets an attribute."""
    for module, names in LACKING.items():
        put(ludus.system, module.__name__, without(module, names))
    put(ludus.system.signal, "SIGBREAK", signal.SIGUSR1)
    put(ludus.system, "sys", types.SimpleNamespace(platform="win32"))
    put(ludus.system, "__builtins__", vars(builtins) | {"__import__": importer})
    put(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    put(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    put(psutil, "IDLE_PRIORITY_CLASS", 19)
    put(psutil.Process, "memory_info", lambda _self: types.SimpleNamespace(peak_wset=123 << 20))


if __name__ == "sitecustomize":
    asyncio.set_event_loop_policy(Policy())
    simulate(setattr)
    sys.modules["fcntl"] = sys.modules["resource"] = None
