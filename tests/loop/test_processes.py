"""Worker processes run side by side; one failure ends them all, and none survives the run."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from ludus.errors import BadPreset, Unavailable
from ludus.loop.processes import WorkerProcesses

PATIENCE_S = 120.0  # a busy machine starts processes slowly


@pytest.fixture(autouse=True)
def findable(monkeypatch):
    """Make this file importable in worker processes."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2])


def answer(line, number):
    """Send a number, and then every received message."""
    line.say(number)
    line.say(line.heard.get())


def fail(line, number):
    """Raise a different error for each number; 0 waits."""
    if number == 1:
        raise BadPreset("The loss became NaN.")
    if number == 2:
        raise RuntimeError("connection\nclosed")
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    line.heard.get()


def fail_with_a_friend(line, number):
    """Die if the number is 1; otherwise notice that and raise."""
    if number == 1:
        line.heard.get()
        os.kill(os.getpid(), signal.SIGKILL)
    line.heard.get()
    raise RuntimeError("the other side is gone")


def tell(processes, message):
    for member in processes.members:
        member.send(message)


def hear_all(processes):
    said = []
    deadline = time.monotonic() + PATIENCE_S
    while processes.is_working and time.monotonic() < deadline:
        said += processes.hear(1.0)
    return said


def test_members_receive_and_send_messages():
    with WorkerProcesses("work", answer, [(7,), (8,)]) as processes:
        tell(processes, "both")
        assert sorted(hear_all(processes), key=str) == [(0, "both"), (0, 7), (1, "both"), (1, 8)]
        assert not processes.is_working


def test_an_interrupt_does_not_end_a_process_that_has_just_started(capfd):
    with WorkerProcesses("work", answer, [(7,), (8,)]) as processes:
        for member in processes.members:
            os.kill(member._process.pid, signal.SIGINT)  # Ctrl-C also reaches the processes of the run
        tell(processes, "both")
        assert sorted(hear_all(processes), key=str) == [(0, "both"), (0, 7), (1, "both"), (1, 8)]
    assert "KeyboardInterrupt" not in capfd.readouterr().err
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ()), "SIGINT is unblocked again in the run"


def test_an_interrupt_while_members_are_started_ends_them(monkeypatch):
    processes = WorkerProcesses("work", answer, [(7,), (8,)])
    start = SpawnProcess.start

    def start_and_interrupt(member):
        start(member)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(SpawnProcess, "start", start_and_interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs start without a handler
    try:
        with pytest.raises(KeyboardInterrupt), processes:
            pytest.fail("the interrupt did not arrive")
    finally:
        signal.signal(signal.SIGINT, before)
    assert [member._process.is_alive() for member in processes.members] == [False, False]


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (1, BadPreset, "^The loss became NaN.$"),
        (2, Unavailable, "^Process 2 of 2 of the work has ended .RuntimeError: connection closed."),
        (
            3,
            Unavailable,
            "^Process 2 of 2 of the work has ended .it died by SIGKILL.; finished work is safe",
        ),
    ],
)
def test_one_failure_ends_all_processes_with_one_error(number, kind, words):
    with pytest.raises(kind, match=words) as raised, WorkerProcesses("work", fail, [(0,), (number,)]) as processes:
        hear_all(processes)
    assert "\n" not in str(raised.value)
    assert not any(member._process.is_alive() for member in processes.members)


def test_a_death_explains_the_errors_of_the_others():
    died = pytest.raises(Unavailable, match=r"^Process 2 of 2 .* died by SIGKILL")
    with died, WorkerProcesses("work", fail_with_a_friend, [(0,), (1,)]) as processes:
        tell(processes, "go")
        hear_all(processes)


def wait_for_ever(line):
    """Send this process's id, and wait until killed."""
    line.say(os.getpid())
    line.heard.get()


def test_members_end_when_the_run_is_killed():
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from ludus.loop.processes import WorkerProcesses\nfrom test_processes import wait_for_ever\n"
        "if __name__ == '__main__':\n"
        "    with WorkerProcesses('work', wait_for_ever, [()]) as processes:\n"
        "        print(processes.hear(120.0)[0][1], flush=True)\n"
        "        processes.hear(120.0)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        member = int(run.stdout.readline())
        run.kill()
    deadline = time.monotonic() + PATIENCE_S
    while _is_alive(member) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_alive(member)


def _is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0:1]
