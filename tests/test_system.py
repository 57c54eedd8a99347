"""What differs between systems works on this one, and on a simulated Windows."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from ludus import lines, system
from ludus.config import Settings

WINDOWS = Path(__file__).parent / "house" / "windows"
FAMILY = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
"""A program that starts a child."""


@pytest.fixture(params=["this system", "Windows"])
def loop_factory(request, load_program, monkeypatch):
    """Return the event loop of a system; everything else in `ludus.system` behaves as there."""
    if request.param == "this system":
        return asyncio.SelectorEventLoop
    simulated = load_program("tests/house/windows/sitecustomize.py")
    simulated.simulate(lambda where, name, value: monkeypatch.setattr(where, name, value, raising=False))
    return simulated.ProactorLike


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_the_event_loop_and_are_given_back(loop_factory, number):
    async def heard():
        told = asyncio.Event()
        with system.stop_signals(told.set):
            threading.Timer(0.05, system.signal_main, (number,)).start()
            async with asyncio.timeout(60.0):
                await told.wait()

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(heard())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def doze():
    """Sleep in small pieces: only a real Windows wakes a thread for `raise_signal`."""
    for _ in range(6000):
        time.sleep(0.01)


def test_a_signal_reaches_the_main_thread(loop_factory):
    threading.Timer(0.05, system.signal_main, (signal.SIGINT,)).start()
    with pytest.raises(KeyboardInterrupt):
        doze()


def test_input_is_read_to_its_end(loop_factory):
    async def pieces():
        got = asyncio.Queue()
        system.read_input(got.put_nowait)
        os.write(there, b"one")
        async with asyncio.timeout(60.0):
            first = await got.get()
        os.close(there)
        async with asyncio.timeout(60.0):
            return first, await got.get()

    kept = os.dup(0)
    here, there = os.pipe()
    os.dup2(here, 0)
    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            assert runner.run(pieces()) == (b"one", b"")
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(here)


def test_a_process_is_killed_with_its_children(loop_factory):
    command = [sys.executable, "-c", f"{FAMILY}print(flush=True)\ntime.sleep(600)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, **system.apart()) as process:
        process.stdout.readline()
        (child,) = psutil.Process(process.pid).children()
        system.kill_group(process.pid)
        process.wait(60.0)
        child.wait(60.0)
    system.kill_group(process.pid)  # it has ended


def test_the_lowest_priority_is_taken():
    for folder in ("", str(WINDOWS)):
        program = "from ludus import system; system.lower_priority(); import psutil; print(psutil.Process().nice())"
        path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH", "")]))
        environment = os.environ | {"PYTHONPATH": path}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert done.stdout == "19\n", done.stderr


def test_the_machine_is_described(loop_factory):
    assert 1 <= system.allowed_cores() <= (os.cpu_count() or 1)
    assert system.peak_memory() > 10 << 20
    assert system.raise_open_files() >= 256
    assert " x " in system.processor()


def test_a_processor_without_a_name_is_described_too(monkeypatch):
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "processor : 0\nCPU part : 0xd0c\n")
    monkeypatch.setattr(system.platform, "processor", lambda: "")
    monkeypatch.setattr(system.platform, "machine", lambda: "aarch64")
    assert system.processor() == f"aarch64 x {os.cpu_count()}"


def test_a_command_line_of_windows_keeps_its_backslashes(loop_factory):
    plain, quoted = r"C:\engines\my.exe --level 3", r'"C:\My engines\my.exe" -c "a b"'
    assert system.split_command(quoted) == [r"C:\My engines\my.exe", "-c", "a b"]
    is_windows = loop_factory is not asyncio.SelectorEventLoop
    assert system.split_command(plain)[0] == (r"C:\engines\my.exe" if is_windows else "C:enginesmy.exe")
    assert system.split_command("python3 'my engine.py' a#b") == ["python3", "my engine.py", "a#b"]
    with pytest.raises(ValueError, match="No closing quotation"):
        system.split_command("'open")


def test_a_relative_program_starts_in_its_folder(loop_factory, tmp_path):
    is_windows = loop_factory is not asyncio.SelectorEventLoop
    plain = ["./engine", "-x"]
    assert system.started_in(tmp_path, plain) == ([str(tmp_path / "engine"), "-x"] if is_windows else plain)
    assert system.started_in(tmp_path, ["python", "engine.py"]) == ["python", "engine.py"]
    assert system.started_in(tmp_path, ["/bin/engine"]) == ["/bin/engine"]
    assert system.started_in(None, plain) == plain


def test_pipes_are_utf8_on_windows(loop_factory):
    is_windows = loop_factory is not asyncio.SelectorEventLoop
    assert system.pipe_encoding("cp1252") == ("utf-8" if is_windows else "cp1252")


def test_a_file_that_is_open_elsewhere_is_replaced_later_on_windows(loop_factory, tmp_path, monkeypatch):
    (tmp_path / "new").write_text("new")
    real, refusals = Path.replace, [PermissionError, PermissionError]

    def refuse(path, target):
        if refusals:
            raise refusals.pop()
        return real(path, target)

    monkeypatch.setattr(Path, "replace", refuse)
    if loop_factory is asyncio.SelectorEventLoop:
        with pytest.raises(PermissionError):
            system.replace(tmp_path / "new", tmp_path / "old")
    else:
        system.replace(tmp_path / "new", tmp_path / "old")
        assert (tmp_path / "old").read_text() == "new"
        monkeypatch.setattr(system, "REPLACE_S", 0.0)
        refusals.append(PermissionError)
        with pytest.raises(PermissionError):
            system.replace(tmp_path / "old", tmp_path / "new")


def test_open_files_are_raised_to_the_hard_limit():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, before[1]), before[1]))
        assert system.raise_open_files() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= min(before[1], 1 << 20)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


class Line(Settings, frozen=True):
    number: int


def test_threads_append_whole_lines(loop_factory, tmp_path):
    file, threads = tmp_path / "lines.jsonl", []
    for first in range(0, 80, 20):
        numbers = range(first, first + 20)
        threads.append(threading.Thread(target=lambda each=numbers: [lines.append(file, Line(n)) for n in each]))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [lines.unsealed(file, at, line) for at, line in enumerate(lines.whole_lines(file), 1)]
    assert sorted(found) == sorted(b'{"number":%d}' % number for number in range(80))
