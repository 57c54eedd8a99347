"""An engine process that hangs is killed, and its sessions go on in another process."""

import asyncio
import os
import signal
import time

from ludus.bot import pipe, process
from ludus.protocol.bgs import ApplyMove, EndGameSession, EvaluatePosition, SessionConfig, StartGameSession
from ludus.protocol.registration import SessionLimits

CONNECT4 = SessionConfig("standard", 7, 6, game="connect4")


def hang_soon(monkeypatch, **limits_s):
    """Count an engine as hung after half a second, or after other limits, and restart it at once."""
    for name in ("STARTING_S", "QUICK_S"):
        monkeypatch.setattr(pipe, name, limits_s.get(name, 0.5))
    monkeypatch.setattr(process, "SessionLimits", lambda: SessionLimits(answer_timeout_ms=500))
    monkeypatch.setattr(process, "LOOK_S", 0.05)
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 0.05)


def is_restarted(engine, first):
    return engine.processes[0].pipe is not first and engine.processes[0].ready.is_set()


def test_an_engine_that_hangs_is_killed_and_the_request_sent_again(engine_command, monkeypatch, caplog, with_engine):
    hang_soon(monkeypatch)

    async def scenario(engine, _changed):
        await engine.ask(StartGameSession("g", "b", CONNECT4))
        await engine.ask(ApplyMove("g", 0, "4"))
        os.kill(engine.processes[0]._process.pid, signal.SIGSTOP)
        assert (await engine.ask(EvaluatePosition("g", 1))).success
        assert "it has written nothing for" in caplog.text

    with_engine(engine_command(), scenario)


def test_an_engine_behind_a_shell_is_ended_with_it(engine_command, monkeypatch, with_engine):
    hang_soon(monkeypatch)
    twist = """
import os, signal
def hanging(question, answer):
    os.kill(os.getpid(), signal.SIGSTOP) if question.bgs_id == "bomb" else ask(question, answer)
engine.ask = hanging
"""

    async def scenario(engine, _changed):
        answer = await engine.ask(EvaluatePosition("bomb", 0))
        assert "The engine ended twice during this request: it has written nothing for" in answer.error

    with_engine(("sh", "-c", '"$@"; true', "sh", *engine_command(twist)), scenario)


def test_a_hung_idle_engine_is_detected_without_a_request(engine_command, monkeypatch, with_engine):
    hang_soon(monkeypatch)
    monkeypatch.setattr(process, "IDLE_S", 0.1)

    async def scenario(engine, _changed):
        first = engine.processes[0].pipe
        os.kill(engine.processes[0]._process.pid, signal.SIGSTOP)
        while not is_restarted(engine, first):
            await asyncio.sleep(0.02)
        assert engine.healthy

    with_engine(engine_command(), scenario)


def test_the_limit_depends_on_the_open_requests(engine_command, with_engine):
    async def scenario(engine, _changed):
        conversation = engine.processes[0].pipe
        engine.answer_within(12.0)
        os.kill(engine.processes[0]._process.pid, signal.SIGSTOP)
        limits = [conversation.limit_s(12.0)]
        asked = []
        for request in (EndGameSession("a"), ApplyMove("b", 0, "4"), EvaluatePosition("c", 0)):
            asked.append(asyncio.create_task(conversation.exchange(request)))
            await asyncio.sleep(0)
            limits.append(conversation.limit_s(12.0))
        limits.append(conversation.limit_s(3.0))
        asked.append(asyncio.create_task(conversation.exchange(EvaluatePosition("e", 0, seconds=40.0))))
        await asyncio.sleep(0)
        limits.append(conversation.limit_s(12.0))
        asked.append(asyncio.create_task(conversation.exchange(StartGameSession("d", "b", CONNECT4))))
        await asyncio.sleep(0)
        assert [*limits, conversation.limit_s(12.0), conversation.limit_s(60.0)] == [0, 5, 5, 12, 3, 52, 52, 100]
        for task in asked:
            task.cancel()

    with_engine(engine_command(), scenario)


def test_a_question_goes_to_the_other_process_of_the_engine(engine_command, monkeypatch, with_engine):
    hang_soon(monkeypatch)
    monkeypatch.setattr(process, "pause_before", lambda _attempt: 600.0)

    async def scenario(engine, _changed):
        while not all(each.ready.is_set() for each in engine.processes):
            await asyncio.sleep(0.02)
        for session in "gh":
            assert (await engine.ask(StartGameSession(session, "b", CONNECT4))).success
            assert (await engine.ask(ApplyMove(session, 0, "4"))).success
        assert engine._lanes["g"].pipe is not engine._lanes["h"].pipe
        hanging = next(each for each in engine.processes if each.pipe is engine._lanes["g"].pipe)
        os.kill(hanging._process.pid, signal.SIGSTOP)
        answers = await asyncio.gather(*(engine.ask(EvaluatePosition(session, 1)) for session in "gh"))
        assert [answer.success for answer in answers] == [True, True]
        assert not hanging.ready.is_set()
        assert engine._lanes["g"].pipe is engine._lanes["h"].pipe

    with_engine(engine_command(), scenario, processes=2)


def test_a_client_that_stood_still_itself_kills_no_engine(engine_command, monkeypatch, with_engine):
    hang_soon(monkeypatch, QUICK_S=1.0)
    twist = """
import threading
engine.ask = lambda q, a: threading.Timer(2.2 if q.bgs_id == "slow" else 0.0, ask, (q, a)).start()
"""

    async def scenario(engine, _changed):
        first = engine.processes[0].pipe
        asked = asyncio.create_task(engine.ask(EndGameSession("slow")))
        await asyncio.sleep(0.01)
        os.kill(engine.processes[0]._process.pid, signal.SIGSTOP)
        time.sleep(2.0)
        os.kill(engine.processes[0]._process.pid, signal.SIGCONT)
        await asked
        assert engine.processes[0].pipe is first

    with_engine(engine_command(twist), scenario)
