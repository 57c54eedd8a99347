"""A bot's engine is probed, monitored and restarted, and every request is answered."""

import asyncio
import sys

import pytest

from ludus.bot import engine as engine_module
from ludus.bot import process
from ludus.bot.probe import EngineProbe
from ludus.bot.process import pause_before
from ludus.protocol.bgs import ApplyMove, EndGameSession, EvaluatePosition, SessionConfig, StartGameSession

CONNECT4 = SessionConfig("standard", 7, 6, game="connect4")


def is_restarted(engine, first):
    return engine.processes[0].pipe is not first and engine.processes[0].ready.is_set()


def test_an_engine_is_healthy_after_its_probe_and_answers(engine_command, with_engine):
    async def scenario(engine, _changed):
        assert engine.healthy
        assert (await engine.ask(StartGameSession("g", "b", CONNECT4))).success
        answers = await asyncio.gather(*(engine.ask(EvaluatePosition("g", ply)) for ply in (0, 1, 0)))
        assert [answer.success for answer in answers] == [True, False, True]

    with_engine(engine_command(), scenario)


def test_an_engine_runs_in_the_given_folder(tmp_path, with_engine):
    (tmp_path / "fails.py").write_text("raise SystemExit(7)")

    async def scenario(engine, _changed):
        assert "ended with status 7" in engine.fault

    with_engine((sys.executable, "fails.py"), scenario, folder=tmp_path)


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (("no-such-program-here",), "cannot be run"),
        ((sys.executable, "-c", "raise SystemExit(3)"), "ended with status 3"),
    ],
)
def test_an_engine_that_does_not_start_gives_the_reason(command, fault, with_engine):
    async def scenario(engine, _changed):
        assert not engine.healthy
        assert fault in engine.fault
        assert fault in (await engine.ask(EvaluatePosition("g", 0))).error

    with_engine(command, scenario)


def test_an_engine_that_cannot_play_its_game_is_killed_with_the_reason(engine_command, with_engine):
    probe = EngineProbe("b", SessionConfig("classic", 20, 20))

    async def scenario(engine, _changed):
        assert not engine.healthy
        assert "wallgame classic on 20x20 fails: No model here" in engine.fault

    with_engine(engine_command(), scenario, [probe])


def test_an_engine_that_fails_its_probe_in_time_is_killed(monkeypatch, with_engine):
    monkeypatch.setattr(process, "PROBE_TIMEOUT_S", 0.2)

    async def scenario(engine, _changed):
        assert "did not answer within 0.2 seconds" in engine.fault

    with_engine((sys.executable, "-c", "import time; time.sleep(60)"), scenario)


def test_an_engine_that_dies_answers_the_open_request_and_is_restarted(engine_command, monkeypatch, with_engine):
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 0.05)
    twist = "import os\nengine.ask = lambda q, a: os._exit(9) if q.bgs_id == 'bomb' else ask(q, a)"

    async def scenario(engine, changed):
        answer = await engine.ask(EvaluatePosition("bomb", 0))
        assert (answer.success, answer.error) == (
            False,
            "The engine ended twice during this request: it ended with status 9",
        )
        assert engine.healthy, "it is being started again"
        assert (await engine.ask(StartGameSession("g", "b", CONNECT4))).success

    with_engine(engine_command(twist), scenario)


def test_lines_that_are_no_answers_are_dropped(engine_command, caplog, with_engine):
    twist = """
print("hello")
print('{"type": "game_session_ended", "bgsId": "x", "success": true}')
print("y" * 300000, flush=True)
"""

    async def scenario(engine, _changed):
        assert engine.healthy

    with_engine(engine_command(twist), scenario)
    assert "Not a message" in caplog.text
    assert "without an open request" in caplog.text
    assert "too long" in caplog.text


def test_back_off_grows_to_a_minute_with_random_jitter():
    for attempt, least in ((1, 1), (2, 2), (3, 4), (7, 60), (1000, 60)):
        pauses = {pause_before(attempt) for _ in range(20)}
        assert len(pauses) > 1
        assert all(least <= pause <= least + 2 for pause in pauses)


def test_sessions_are_rebuilt_move_by_move_in_the_next_process(engine_command, monkeypatch, tmp_path, with_engine):
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 0.05)
    log = tmp_path / "log"
    twist = f"""
import os
def noted(question, answer):
    with open({str(log)!r}, "a") as file:
        print(os.getpid(), question.bgs_id, type(question).__name__, getattr(question, "move", ""), file=file)
    os._exit(9) if question.bgs_id == 'bomb' else ask(question, answer)
engine.ask = noted
"""

    async def scenario(engine, _changed):
        for question in (StartGameSession("g", "b", CONNECT4), ApplyMove("g", 0, "4"), ApplyMove("g", 1, "3")):
            assert (await engine.ask(question)).success
        assert (await engine.ask(StartGameSession("h", "b", CONNECT4))).success
        assert not (await engine.ask(ApplyMove("g", 2, "9"))).success
        assert not (await engine.ask(EvaluatePosition("bomb", 0))).success
        answers = await asyncio.gather(engine.ask(EvaluatePosition("g", 2)), engine.ask(ApplyMove("g", 2, "1")))
        assert [answer.success for answer in answers] == [True, True]
        assert (await engine.ask(EndGameSession("h"))).success
        lines = [line.split() for line in log.read_text().splitlines()]
        last = [(kind, *move) for pid, session, kind, *move in lines if session == "g" and pid == lines[-1][0]]
        assert last == [
            ("StartGameSession",), ("ApplyMove", "4"), ("ApplyMove", "3"), ("EvaluatePosition",), ("ApplyMove", "1"),
        ]  # fmt: skip

    with_engine(engine_command(twist), scenario)


def test_an_engine_that_closes_its_output_and_stays_is_ended(monkeypatch, with_engine):
    monkeypatch.setattr(process, "CLOSING_S", 0.2)

    async def scenario(engine, _changed):
        assert engine.fault == "it closed its output and did not end"

    with_engine((sys.executable, "-c", "import os, time; os.close(1); time.sleep(600)"), scenario)


@pytest.mark.parametrize("is_idle", [False, True], ids=["asked", "idle"])
def test_an_engine_that_can_no_longer_evaluate_is_restarted(engine_command, monkeypatch, is_idle, with_engine):
    monkeypatch.setattr(process, "IDLE_S", 0.3)
    monkeypatch.setattr(process, "LOOK_S", 0.05)
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 0.05)
    twist = """
from ludus.protocol.bgs import EvaluatePosition, failure
is_broken = False
def breaking(question, answer):
    global is_broken
    is_broken |= question.bgs_id == "bomb"
    if is_broken and isinstance(question, EvaluatePosition):
        answer(failure(question, "the driver is gone"))
    else:
        ask(question, answer)
engine.ask = breaking
"""

    async def scenario(engine, _changed):
        first = engine.processes[0].pipe
        assert (await engine.ask(StartGameSession("g", "b", CONNECT4))).success
        assert not (await engine.ask(EndGameSession("bomb"))).success
        if not is_idle:
            assert not (await engine.ask(EvaluatePosition("g", 0))).success
        while not is_restarted(engine, first):
            await (asyncio.sleep(0.02) if is_idle else engine.ask(EndGameSession("none")))
        assert (await engine.ask(EvaluatePosition("g", 0))).success

    with_engine(engine_command(twist), scenario)


def test_a_full_engine_may_refuse_a_probe(engine_command, monkeypatch, with_engine):
    monkeypatch.setattr(process, "IDLE_S", 0.1)
    monkeypatch.setattr(process, "LOOK_S", 0.02)
    twist = """
from ludus.protocol.bgs import StartGameSession, failure
probes = []
def refusing(question, answer):
    if isinstance(question, StartGameSession) and question.bgs_id.startswith("probe"):
        probes.append(question)
        if len(probes) > 1:
            return answer(failure(question, f"Too many sessions: {len(probes)}"))
    if question.bgs_id == "probes":
        return answer(failure(question, str(len(probes))))
    return ask(question, answer)
engine.ask = refusing
"""

    async def scenario(engine, _changed):
        first = engine.processes[0].pipe
        while int((await engine.ask(EndGameSession("probes"))).error) < 4:
            await asyncio.sleep(0.3)
        assert engine.processes[0].pipe is first

    with_engine(engine_command(twist), scenario)


def test_requests_of_a_session_are_sent_one_at_a_time_even_if_a_caller_is_cancelled(engine_command, with_engine):
    """Third-party engines match responses by session alone, and may answer a quick request before a slow one."""
    twist = """
import threading
def slow(question, answer):
    busy = question.bgs_id in open_sessions
    open_sessions.add(question.bgs_id)
    def late():
        open_sessions.discard(question.bgs_id)
        ask(question, answer)
    os._exit(3) if busy else threading.Timer(0.2, late).start() if question.bgs_id == 'g' else late()
import os
open_sessions = set()
engine.ask = slow
"""

    async def scenario(engine, _changed):
        first = engine.processes[0].pipe
        asking = asyncio.create_task(engine.ask(StartGameSession("g", "b", CONNECT4)))
        await asyncio.sleep(0.05)
        asking.cancel()
        answers = await asyncio.gather(engine.ask(ApplyMove("g", 0, "4")), engine.ask(EvaluatePosition("g", 1)))
        assert [answer.success for answer in answers] == [True, True]
        assert engine.processes[0].pipe is first

    with_engine(engine_command(twist), scenario)


@pytest.mark.full
def test_an_unreadable_or_mismatched_response_is_never_passed_on(engine_command, caplog, with_engine):
    twist = """
def odd(question, answer):
    say = '{"type":"evaluate_response","bgsId":"g","ply":%d,"bestMove":"1","evaluation":%d,"success":true}'
    if getattr(question, "expected_ply", 0) == 5:
        print(say % (5, 7), flush=True)
    elif question.bgs_id == "g" and getattr(question, "expected_ply", 9) == 0:
        print(say % (3, 0), flush=True)
        print('{"type":"move_applied","bgsId":"g","ply":3,"success":true}', flush=True)
        ask(question, answer)
    else:
        ask(question, answer)
engine.ask = odd
"""

    async def scenario(engine, _changed):
        await engine.ask(StartGameSession("g", "b", CONNECT4))
        assert (await engine.ask(EvaluatePosition("g", 0))).ply == 0
        assert "The engine's answer cannot be read" in (await engine.ask(EvaluatePosition("g", 5))).error

    with_engine(engine_command(twist), scenario)
    assert "expects ply 0; the answer says 3" in caplog.text
    assert "MoveApplied does not answer EvaluatePosition" in caplog.text


def test_a_request_to_a_missing_engine_fails_with_the_reason(engine_command, monkeypatch, with_engine):
    monkeypatch.setattr(engine_module, "PATIENCE_S", 0.2)
    monkeypatch.setattr(process, "WITHDRAW_S", 0.3)

    async def scenario(engine, changed):
        engine.processes[0].command = ("no-such-program",)
        engine.processes[0]._process.kill()
        while "cannot be run" not in engine.fault:
            await asyncio.sleep(0.02)
        answer = await engine.ask(EvaluatePosition("g", 0))
        assert answer.error == "The engine is not running: the command cannot be run: No such file or directory"
        await changed.wait()
        assert not engine.healthy

    with_engine(engine_command(), scenario)


SLOW_GAME = """
import threading
from ludus.protocol.bgs import StartGameSession, failure
def late(question, answer):
    if isinstance(question, StartGameSession) and question.config.game != "connect4":
        threading.Timer(DELAY, lambda: answer(failure(question, "broken")) if BROKEN else ask(question, answer)).start()
    else:
        ask(question, answer)
engine = Engine([DummyMind(("connect4", "tictactoe"))])
ask = engine.ask
engine.ask = late
"""


@pytest.mark.parametrize("is_broken", [False, True], ids=["later", "never"])
def test_bots_play_as_soon_as_their_own_games_can_be_played(engine_command, with_engine, is_broken, caplog):
    twist = f"DELAY, BROKEN = 1.0, {is_broken}\n{SLOW_GAME}"
    toe = EngineProbe("t", SessionConfig("standard", 3, 3, game="tictactoe"))

    async def scenario(engine, changed):
        assert engine.plays_as({"b"})
        assert not engine.plays_as({"b", "t"})
        assert not engine.is_decided
        assert (await engine.ask(StartGameSession("g", "b", CONNECT4))).success
        await engine.decided()
        assert engine.plays_as({"b"})
        assert engine.plays_as({"t"}) != is_broken

    with_engine(engine_command(twist), scenario, [EngineProbe("b", CONNECT4), toe])
    assert ("tictactoe standard on 3x3 fails: broken; its other bots play" in caplog.text) == is_broken
