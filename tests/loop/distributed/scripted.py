"""A scripted cluster: a transport whose members answer at once and die when a test says so."""

from pathlib import Path

import numpy as np

import ludus
from ludus.games.behaviour import behaviour
from ludus.loop.directory.folder import Folder
from ludus.loop.distributed.cluster import Cluster
from ludus.loop.distributed.cluster_pool import ClusterPool
from ludus.loop.distributed.messages import Failed, Lost, MemberPlace, Turn
from ludus.loop.stages.stage import Order, Stage
from ludus.selfplay.reading import Reading
from ludus.store import Samples
from ludus.store.samples import DTYPES

RULES = behaviour(ludus.game("tictactoe"))
ONE, TWO = MemberPlace("a", "10.0.0.1", 0, 2, "openvino"), MemberPlace("b", "10.0.0.2", 0, 4, "openvino")
HERE = MemberPlace("", "Process 1 of 2", 0, 2, "openvino")


def game(number):
    """Return the samples of a game with one position."""
    arrays = {name: np.zeros(1, dtype) for name, dtype in DTYPES.items()}
    arrays |= {"states": np.zeros((1, 1), np.uint64), "policy_start": np.array([0, 1], np.int32)}
    arrays["states"] = np.zeros((2, 1), np.uint64)[:1]  # a view of a larger array, like Ray's results
    return Samples(**arrays | {"game_id": np.array([number])})


class Scripted:
    """A member that finishes some games for each question."""

    def __init__(self, place, speed):
        self.place, self.speed, self.hand, self.begun = place, speed, [], []
        self.version, self.rules, self.fails, self.fails_at = ludus.__version__, [RULES], None, "play"

    def answer(self, question, *given):
        if question == "version":
            return self.version
        if question == "join":
            return self.rules
        if question == "begin":
            self.hand, self.begun = [], [*self.begun, given[0]]
            return None
        if question == "end":
            return [f"report of {self.place.name}"]
        self.hand += given[0]
        done, self.hand = self.hand[: self.speed], self.hand[self.speed :]
        reading = Reading(1.0, 1, 0.0, 0.0, 2.0 * self.speed, 0.0, 0.5, 0.4, 0.9, len(self.hand), 0.1, 0)
        return Turn([game(number) for number in done], reading, [f"counts of {self.place.name}"])


class Asked:
    """The handle of an answer; equal only to itself."""

    def __init__(self, member, question, given):
        self.member, self.question, self.given = member, question, given


class Machines:
    """A transport whose members die when the test requests it."""

    def __init__(self, *places, speed=3):
        self.here, self.speed, self.is_remote = list(places), speed, HERE not in places
        self.members, self.dying = [], set()
        self.change = lambda _member: None
        self.choose = lambda asked: asked

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.members.clear()

    def places(self):
        return list(self.here)

    def start(self, place):
        member = Scripted(place, self.speed)
        self.change(member)
        self.members.append(member)
        return member

    def dismiss(self, member):
        self.members.remove(member)

    def put(self, thing):
        return thing

    def ask(self, member, question, *given):
        return Asked(member, question, given)

    def hear(self, asked, seconds):
        return [(each, self._answer(each)) for each in self.choose(asked)]

    def _answer(self, asked):
        member, question, given = asked.member, asked.question, asked.given
        if member.place in self.dying:
            self.dying.discard(member.place)
            member.speed = None
        if member.speed is None or member.place not in self.here:
            return Lost("its process or the machine ended")
        if member.fails and question == member.fails_at:
            return member.fails if isinstance(member.fails, Lost) else Failed(member.fails)
        return member.answer(question, *given)


def opened(preset, machines, told=None):
    hear = (lambda event: told.append(event.text)) if told is not None else (lambda _event: None)
    stage = Stage(preset, Folder(Path("nowhere")), preset.make_games(), 1, hear)
    return Cluster(stage, machines)


def played(cluster, games, done=(), *, each_time=lambda: None, finished=None):
    finished = [] if finished is None else finished
    cluster.play_with(None)
    with ClusterPool(cluster, Order(0, games, list(done), games), finished.append) as pool:
        while pool.wait(0.0):
            each_time()
    assert [int(each.game_id[0]) for each in pool.finished] == [int(each.game_id[0]) for each in finished]
    return sorted(int(each.game_id[0]) for each in finished), pool
