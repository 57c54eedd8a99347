"""What differs between Linux, macOS and Windows: signals, process groups, priority, locks and limits.

Only this module uses functions and files that some systems lack.  On Windows it uses psutil in their place.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shlex
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

LOWEST = 19
"""The niceness of a process that runs only when others leave the processor idle."""
REPLACE_S = 10.0
"""How long `replace` waits on Windows for readers of the file."""


# ---- signals and input -----------------------------------------------------------------------------------------------


@contextmanager
def stop_signals(act: Callable[[], object]) -> Generator[None]:
    """Call `act` in the running event loop at each Ctrl-C and each request to end; a context manager.

    Those requests are SIGTERM, and Ctrl-Break on Windows.
    """
    import asyncio

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    loop = asyncio.get_running_loop()

    def hear(_number: int, _frame: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(act)

    for number in numbers:
        try:
            loop.add_signal_handler(number, act)
        except NotImplementedError:  # Windows
            signal.signal(number, hear)
    try:
        yield
    finally:
        for number in numbers:
            try:
                loop.remove_signal_handler(number)
            except NotImplementedError:
                signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def read_input(hear: Callable[[bytes], object]) -> None:
    """Pass what arrives on standard input to `hear`, in the running event loop; b"" means its end.

    A thread reads, since event loops on Windows cannot wait for pipes.
    """
    import asyncio

    loop = asyncio.get_running_loop()

    def read() -> None:
        piece = b" "
        while piece and not loop.is_closed():
            piece = os.read(0, 65_536)
            with contextlib.suppress(RuntimeError):  # the loop has just been closed
                loop.call_soon_threadsafe(hear, piece)

    threading.Thread(target=read, name="ludus-input", daemon=True).start()


def pipe_encoding(encoding: str) -> str:
    """Return the encoding for a standard stream, given Python's choice; Windows would use an old code page."""
    return "utf-8" if sys.platform == "win32" else encoding


def signal_main(number: int) -> None:
    """Send a signal to the main thread, whose handler runs even if the thread sleeps; on Windows only for SIGINT."""
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, number)


@contextmanager
def interrupts_held() -> Generator[None]:
    """Block SIGINT while a process starts and inherits the mask; Windows cannot block signals."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # otherwise the first start would run it, and that unblocks SIGINT
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def listening_option() -> int:
    """Return the option for a socket that listens at a port which nobody else listens at, but somebody just did."""
    if sys.platform == "win32":  # SO_REUSEADDR would share the port
        return socket.SO_EXCLUSIVEADDRUSE
    return socket.SO_REUSEADDR


# ---- processes -------------------------------------------------------------------------------------------------------


def apart() -> dict[str, Any]:
    """Return the options of `subprocess` that start a process in its own group, which Ctrl-C does not reach."""
    if sys.platform == "win32":
        import subprocess

        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def started_in(folder: Path | None, command: Sequence[str]) -> list[str]:
    """Return the command line of a program that starts in `folder`, where the program's relative path starts too.

    Windows would look for it in the working directory of this process.
    """
    program, *arguments = command
    if folder and sys.platform == "win32" and program != Path(program).name:
        program = str(folder / program)
    return [program, *arguments]


def kill_group(pid: int) -> None:
    """Kill a process that was started `apart`, and its children; it may have ended.

    On Windows, children of a process that has ended are not found.
    """
    if sys.platform == "win32":
        import psutil

        with contextlib.suppress(psutil.Error):
            top = psutil.Process(pid)
            for process in [*top.children(recursive=True), top]:
                with contextlib.suppress(psutil.Error):
                    process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS refuses if the whole group has ended
            os.killpg(pid, signal.SIGKILL)


def lower_priority() -> None:
    """Give this process the lowest priority.

    Linux shares processors between sessions first (autogroups), and niceness only counts within a session.  So a
    process that leads its own session also lowers that session's priority.
    """
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.IDLE_PRIORITY_CLASS)
    else:
        os.nice(LOWEST)
        if os.getsid(0) == os.getpid():
            with contextlib.suppress(OSError):  # not on Linux, or without autogroups
                Path("/proc/self/autogroup").write_text(str(LOWEST))


def limit_spinning() -> None:
    """Let PyTorch's threads spin for microseconds only before they sleep; call it before PyTorch is imported.

    Its threads (libgomp's, on Linux) wait for one another at each operation.  By default they spin for milliseconds:
    beside other programs, a thread then spins on the core that the awaited thread needs, and training is several times
    slower.  libgomp itself spins a thousand times where it has more threads than cores.  The variables
    `GOMP_SPINCOUNT` and `OMP_WAIT_POLICY` take precedence.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", "1000")


def split_command(line: str) -> list[str]:
    """Split a command line into arguments as a shell does; on Windows a backslash is a plain character.

    Raises:
        ValueError: a quotation mark is missing.
    """
    words = shlex.shlex(line, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters = True, ""
    if sys.platform == "win32":
        words.escape = ""
    return list(words)


# ---- files -----------------------------------------------------------------------------------------------------------


@contextmanager
def locked(opened: BinaryIO, path: Path) -> Generator[None]:
    """Lock an open file for this process and thread alone; on Windows by a file `.NAME.lock` beside it."""
    if sys.platform == "win32":
        from filelock import FileLock

        with FileLock(path.with_name(f".{path.name}.lock")):
            yield
    else:
        import fcntl

        fcntl.flock(opened, fcntl.LOCK_EX)
        try:
            yield
        finally:
            opened.flush()
            fcntl.flock(opened, fcntl.LOCK_UN)


def replace(source: Path, target: Path) -> None:
    """Rename a file to `target` atomically; raises OSError.

    Windows refuses while another process has the target open, so wait there for up to `REPLACE_S`.
    """
    deadline = time.monotonic() + (REPLACE_S if sys.platform == "win32" else 0.0)
    while True:
        try:
            source.replace(target)
        except PermissionError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.05)
        else:
            return


def sync_folder(folder: Path) -> None:
    """Flush the file names of a folder to disk, so that a power cut undoes no change of them; raises OSError."""
    if sys.platform != "win32":  # cannot open a folder, and does not need to for a durable rename
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# ---- the machine -----------------------------------------------------------------------------------------------------


def allowed_cores() -> int:
    """Return the cores that this process may use by its affinity mask, which macOS does not have."""
    if sys.platform == "win32":
        import psutil

        return len(psutil.Process().cpu_affinity() or ()) or os.cpu_count() or 1
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def peak_memory() -> int:
    """Return the peak memory of this process in bytes."""
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def memory() -> tuple[int, int]:
    """Return the size of this machine's memory in bytes, and how much of it new work can use."""
    if sys.platform == "win32":
        import psutil

        found = psutil.virtual_memory()
        return found.total, found.available
    page = os.sysconf("SC_PAGE_SIZE")
    total = page * os.sysconf("SC_PHYS_PAGES")
    try:
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
        (left,) = [int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    except (OSError, ValueError):  # macOS
        return total, total
    return total, 1024 * left


def raise_open_files(most: int = 1 << 20) -> int:
    """Raise this process's limit of open files as far as allowed, up to `most`; return the limit."""
    if sys.platform == "win32":
        return 2048  # a fixed limit
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(hard, most)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):  # macOS allows less than its hard limit says
        return soft
    return wanted


def processor() -> str:
    """Return the name of the processor and the number of its cores."""
    cpu = f"{platform.processor() or platform.machine()} x {os.cpu_count()}"
    info = Path("/proc/cpuinfo")
    if info.is_file():  # Linux
        lines = info.read_text(encoding="utf-8").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        cpu = f"{names[0]} x {len(names)}" if names else cpu  # not on ARM
    return cpu
