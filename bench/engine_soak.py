"""Sends random requests to an engine for an hour and checks its memory: `python bench/engine_soak.py --json OUT`.

Many concurrent sessions send starts, moves, evaluations, takebacks, ends during searches, replaced sessions and
occasionally invalid requests.  Every request must be answered within `--patience`, in order, and with success if it was
legal.  After warm-up, the median memory of the second half may exceed that of the first by at most 2 %.
"""

import argparse
import collections
import json
import os
import queue
import random
import signal
import statistics
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import ludus
from ludus.engine.bgs.measure import EngineTalk, session_config
from ludus.errors import LudusError, Unavailable
from ludus.protocol.spec import spec_in_play
from ludus.selfplay.measure import describe_machine

FLAT = 0.02
MEGABYTE = 2**20


class Sitting:
    """A session from the server's view: the game so far, and unanswered requests."""

    def __init__(self, name, config, start, luck):
        self.name, self.config, self.start, self.luck = name, config, start, luck
        self.position, self.moves, self.open = None, [], collections.deque()

    def next_questions(self):
        """Return plausible next requests of a server."""
        draw = self.luck.random()
        if self.position is None:
            return [self.begin()]
        if self.position.outcome or draw < 0.01 or len(self.moves) > 60:
            return [self.end()]
        if draw < 0.03:  # a takeback: end, start, and replay
            moves = self.moves[: -self.luck.randint(1, 2)] if len(self.moves) > 1 else []
            return [self.end(), self.begin(), *(self.move(move) for move in moves), self.evaluate()]
        if draw < 0.05:  # an end during a search
            return [self.evaluate(), self.end()]
        if draw < 0.06:
            return [self.evaluate(), self.begin()]
        if draw < 0.08:
            return [self.question("evaluate_position", len(self.moves), expectedPly=len(self.moves) + 1)]
        if draw < 0.6:
            return [self.evaluate()]
        return [self.move(self.random_move()), *([self.evaluate()] if self.luck.random() < 0.5 else [])]

    def random_move(self):
        position, actions, mover = self.position, [], self.position.to_play
        while not position.outcome and position.to_play == mover:
            actions.append(self.luck.choice(position.actions))
            position = position.play(actions[-1])
        return self.position.game.move_text(self.position.state, actions)

    def begin(self):
        self.position, self.moves = self.start, []
        return self.question("start_game_session", 0, botId="soak", config=self.config)

    def end(self):
        self.position, self.moves = None, []
        return self.question("end_game_session", 0)

    def evaluate(self):
        return self.question("evaluate_position", len(self.moves), expectedPly=len(self.moves))

    def move(self, text):
        self.position = self.position.play(text)
        self.moves.append(text)
        return self.question("apply_move", len(self.moves), expectedPly=len(self.moves) - 1, move=text)

    def question(self, kind, ply, **fields):
        legal = fields.get("expectedPly", 0) <= ply
        self.open.append((kind, ply, legal, time.monotonic()))
        return {"type": kind, "bgsId": self.name} | fields

    def take(self, answer):
        """Check an answer; return its delay in seconds."""
        kind, ply, legal, asked = self.open.popleft()
        answers = {
            "start_game_session": "game_session_started",
            "evaluate_position": "evaluate_response",
            "apply_move": "move_applied",
            "end_game_session": "game_session_ended",
        }
        broken_off = "broken off" in answer["error"] and kind == "evaluate_position"
        assert answer["type"] == answers[kind], (answer, kind)
        assert answer["success"] == legal or broken_off, answer
        assert answer.get("ply", ply) == ply, (answer, ply)
        return time.monotonic() - asked


def resident_mb(pid):
    """Return the resident memory of a process in MiB (Linux)."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / MEGABYTE


def listen(engine, answers):
    """Queue the engine's messages, and the error at its end."""
    try:
        while True:
            answers.put(engine.hear())
    except Unavailable as error:
        answers.put(error)


def warm_up(engine, sitting):
    """Let the engine compile and load without a time limit."""
    for question in (sitting.begin(), sitting.evaluate(), sitting.end()):
        engine.ask(**question)


def next_answer(answers, sittings, patience_s):
    """Return the next answer; raises Unavailable if the engine ended or a request waits too long."""
    answer = None
    with suppress(queue.Empty):
        answer = answers.get(timeout=patience_s)
    if isinstance(answer, Unavailable):
        raise answer
    asked = {sitting.name: sitting.open[0][3] for sitting in sittings if sitting.open}
    if answer:
        asked.pop(answer["bgsId"], None)
    stuck = [name for name, since in asked.items() if time.monotonic() - since > patience_s]
    if stuck:
        raise Unavailable(f"No answer for {patience_s:g} s: {', '.join(stuck)}.")
    return answer


def main():
    """Run the command; exit with an error if memory grows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="models/wallgame-small")
    parser.add_argument("--game", default="wallgame:classic:6x6")
    parser.add_argument("--sessions", type=int, default=64)
    parser.add_argument("--visits", type=int, default=50)
    parser.add_argument("--trees", type=int, default=48, help="fewer than sessions, so that trees are replaced")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--warm", type=float, default=3.0, help="minutes of warm-up, not counted")
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two measurements")
    parser.add_argument("--patience", type=float, default=30.0, help="longest delay of an answer in seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="file for the measurements")
    arguments = parser.parse_args()
    try:
        soak(arguments)
    except LudusError as error:
        sys.exit(str(error))


def soak(arguments):
    """Send requests for `--minutes`; raises Unavailable if one is not answered."""
    luck = random.Random(arguments.seed)
    start, config = ludus.game(spec_in_play(arguments.game)).start(), session_config(arguments.game)
    sittings = {name: Sitting(name, config, start, luck) for name in (f"s{n}" for n in range(arguments.sessions))}
    options = ["bgs", "--model", arguments.model, "--visits", str(arguments.visits), "--trees", str(arguments.trees)]
    answers, waits, memory, questions = queue.SimpleQueue(), [], [], 0
    with EngineTalk(options) as engine:
        warm_up(engine, Sitting("warm", config, start, luck))
        threading.Thread(target=listen, args=(engine, answers), daemon=True).start()

        def ask(sitting):
            asked = sitting.next_questions()
            with suppress(BrokenPipeError):  # the reader reports the end of the engine
                for question in asked:
                    engine.tell(**question)
                if luck.random() < 0.01:
                    engine.tell(type="dance", bgsId=sitting.name)  # logged but not answered
            return len(asked)

        begun, last = time.monotonic(), 0.0
        questions += sum(ask(sitting) for sitting in sittings.values())
        while time.monotonic() - begun < 60 * arguments.minutes or any(each.open for each in sittings.values()):
            try:
                answer = next_answer(answers, sittings.values(), arguments.patience)
            except Unavailable:
                with suppress(ProcessLookupError):  # a hanging engine must be killed
                    os.kill(engine.pid, signal.SIGKILL)
                raise
            if answer is None:
                continue
            sitting = sittings[answer["bgsId"]]
            waits.append(sitting.take(answer))
            now = time.monotonic() - begun
            if not sitting.open and now < 60 * arguments.minutes:
                questions += ask(sitting)
            if now - last >= arguments.every:
                last = now
                memory.append(resident_mb(engine.pid))
                print(f"{now:6.0f} s: {memory[-1]:.1f} MiB, {len(waits)} answers", flush=True)
        seconds = time.monotonic() - begun
        memory = memory or [resident_mb(engine.pid)]
        result = summary(arguments, memory, waits, questions, seconds)
        print(json.dumps(result))
        if arguments.json:
            arguments.json.write_text(json.dumps(result | {"resident_mib": memory}))
    if result["growth"] > FLAT:
        sys.exit(f"Memory grew by {result['growth']:.1%}.")


def summary(arguments, memory, waits, questions, seconds):
    """Return the figures to print."""
    counted = memory[int(60 * arguments.warm / arguments.every) :] or memory
    half = max(1, len(counted) // 2)
    first, second = statistics.median(counted[:half]), statistics.median(counted[half:] or counted)
    waits = sorted(waits)
    return {
        "bench": "engine_soak",
        "game": arguments.game,
        "sessions": arguments.sessions,
        "trees": arguments.trees,
        "visits": arguments.visits,
        "minutes": round(seconds / 60, 2),
        "warm_minutes": arguments.warm,
        "questions": questions,
        "answers": len(waits),
        "median_ms": 1e3 * waits[len(waits) // 2],
        "p99_ms": 1e3 * waits[len(waits) * 99 // 100],
        "worst_ms": 1e3 * waits[-1],
        "first_half_mib": first,
        "second_half_mib": second,
        "growth": second / first - 1.0,
        **describe_machine(),
    }


if __name__ == "__main__":
    main()
