"""An engine process is probed, asked, watched and started again; whoever asks always gets an answer."""

import asyncio
import sys

import pytest

from ludus.bot import process
from ludus.bot.process import EngineProcess, Probe, pause_before
from ludus.protocol.bgs import EvaluatePosition, SessionConfig, StartGameSession

CONNECT4 = SessionConfig("standard", 7, 6, game="connect4")


def with_engine(command, scenario, probes=None):
    """Run a scenario `async def (engine, changed)` beside an engine."""

    async def run():
        changed = asyncio.Event()
        engine = EngineProcess(command, [Probe("b", CONNECT4)] if probes is None else probes, changed.set)
        running = asyncio.create_task(engine.run())
        try:
            async with asyncio.timeout(20):
                await changed.wait()
                changed.clear()
                await scenario(engine, changed)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        assert engine._process is None

    asyncio.run(run())


def test_an_engine_is_healthy_after_its_probe_and_answers(engine_command):
    async def scenario(engine, _changed):
        assert engine.healthy
        assert (await engine.ask(StartGameSession("g", "b", CONNECT4))).success
        answers = await asyncio.gather(*(engine.ask(EvaluatePosition("g", ply)) for ply in (0, 1, 0)))
        assert [answer.success for answer in answers] == [True, False, True]

    with_engine(engine_command(), scenario)


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (("no-such-program-here",), "cannot be run"),
        ((sys.executable, "-c", "raise SystemExit(3)"), "ended with status 3"),
    ],
)
def test_an_engine_that_does_not_start_says_why(command, fault):
    async def scenario(engine, _changed):
        assert not engine.healthy
        assert fault in engine.fault
        assert fault in (await engine.ask(EvaluatePosition("g", 0))).error

    with_engine(command, scenario)


def test_an_engine_that_cannot_play_its_game_is_ended_and_says_why(engine_command):
    probe = Probe("b", SessionConfig("classic", 20, 20))

    async def scenario(engine, _changed):
        assert not engine.healthy
        assert "asked to play wallgame classic on 20x20, it says: No model here" in engine.fault

    with_engine(engine_command(), scenario, [probe])


def test_an_engine_that_is_silent_is_given_up(monkeypatch):
    monkeypatch.setattr(process, "PROBE_TIMEOUT_S", 0.2)

    async def scenario(engine, _changed):
        assert "did not answer within 0.2 seconds" in engine.fault

    with_engine((sys.executable, "-c", "import time; time.sleep(60)"), scenario)


def test_an_engine_that_dies_answers_what_was_asked_and_is_started_again(engine_command, monkeypatch):
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 0.05)
    twist = "import os\nengine.ask = lambda q, a: os._exit(9) if q.bgs_id == 'bomb' else ask(q, a)"

    async def scenario(engine, changed):
        answer = await engine.ask(EvaluatePosition("bomb", 0))
        assert (answer.success, answer.error) == (False, "The engine ended with status 9")
        while not engine.healthy:
            changed.clear()
            await changed.wait()
        assert (await engine.ask(StartGameSession("g", "b", CONNECT4))).success

    with_engine(engine_command(twist), scenario)


def test_lines_that_are_no_answers_are_dropped(engine_command, caplog):
    twist = """
print("hello")
print('{"type": "game_session_ended", "bgsId": "x", "success": true}')
print("y" * 300000, flush=True)
"""

    async def scenario(engine, _changed):
        assert engine.healthy

    with_engine(engine_command(twist), scenario)
    assert "Not a message" in caplog.text
    assert "unasked" in caplog.text
    assert "too long" in caplog.text


def test_pauses_grow_to_a_minute_and_are_never_alike():
    for attempt, least in ((1, 1), (2, 2), (3, 4), (7, 60), (1000, 60)):
        pauses = {pause_before(attempt) for _ in range(20)}
        assert len(pauses) > 1
        assert all(least <= pause <= least + 2 for pause in pauses)
