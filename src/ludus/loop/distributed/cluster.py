"""A cluster: the members that play for a run on other machines, from joining to their end.

`cluster_pool.py` deals them games.  Machines may join while the run goes on, and are used at once.  A machine with
another Ludus or other rules, or that cannot begin, is refused.  One that is lost costs what it has played of its games,
which are dealt again; while none is left, the run waits for one.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.games.behaviour import behaviour
from ludus.games.registry import file_of
from ludus.loop.distributed.messages import JoinOrder, Weights
from ludus.loop.distributed.ray_machines import Failed, Lost, Machines, MemberPlace
from ludus.loop.stages.stage import RunNotice, Stage
from ludus.loop.stages.start import grown_start
from ludus.network.checkpoint import load_checkpoint, save_checkpoint
from ludus.selfplay.reading import Reading
from ludus.version import __version__

LOOK_S = 5.0  # between two looks at who is there
SLOW_S = 60.0  # after which it is said that a machine has not begun
SILENT_S = 180.0  # of listening, after which a member that should answer within a second is taken for lost
DEATHS = 5  # in a row without a finished game, after which a place is given up
MISSES = 3  # in a row, after which the head is taken for gone
AGAIN_S = 5.0  # longer after each of them before another member is started there


@dataclass(eq=False)
class MemberState:
    """A member, as the run knows it."""

    place: MemberPlace
    process: Any
    """Ray's handle."""
    asked: Any
    """What stands for the answer that is awaited; None: it awaits a question."""
    question: str = "version"
    """The last one: `version`, `join`, then `begin`, `play`, `end` for each generation."""
    since: float = field(default_factory=time.monotonic)
    silence: float = 0.0
    """Seconds for which its answer has been listened for."""
    is_late: bool = False
    """That it has not joined yet was said."""
    order: Any = None
    """What it was asked to begin."""
    network: int = -2
    """Whose weights it has."""
    finished: int = 0
    """Games that it handed in when it was heard last."""
    positions: float = 0.0
    seconds: float = 0.0
    """In which it played that many positions: how fast it is."""
    reading: Reading | None = None

    @property
    def has_joined(self) -> bool:
        """Return whether it may be dealt games."""
        return self.question not in ("version", "join")


class Cluster:
    """The members of a run; use it as a context, which ends them."""

    def __init__(self, stage: Stage, machines: Machines) -> None:
        """Take the run, and the machines where members may play."""
        self.stage, self.machines = stage, machines
        self.members: list[MemberState] = []
        self.weights: tuple[int, Any] = (-2, None)
        """Generation of the network that plays, and what stands for its `Weights`; None: the first teacher plays."""
        self.on_loss: Callable[[MemberState], int] = lambda _member: 0
        """Is told of a lost member; returns how many games it had."""
        self.is_tried = False
        """Whether a generation was played: from then on no machine that is refused ends the run."""
        self._deaths: dict[tuple[str, int], list[float]] = {}  # (node, number) -> when its members died in a row
        self._refused: set[tuple[str, int]] = set()
        self._first: set[tuple[str, int]] = set()  # places that were there when the run began
        self._files: dict[str, bytes] = {}  # of games, as this run plays them: they may change while it goes on
        self._looked = 0.0
        self._is_waiting = False
        self._misses = 0  # looks in a row at which the head did not answer
        self._openings: Any = None

    def __enter__(self) -> Cluster:
        """Find the machines and start a member at each place.

        Raises:
            Unavailable: there is no cluster, or no machine in it has cores or a GPU to play with.
        """
        files = filter(None, map(file_of, self.stage.preset.games))
        self._files = {name: Path(name).read_bytes() for name in files}
        self.machines.__enter__()
        try:
            self.look()
            self._first = {_key(member.place) for member in self.members}
            if not self.members:
                raise Unavailable(
                    f"{self.machines.address}: no machine of the cluster has cores (or the GPU that the preset asks "
                    f"for) to play with; `ray start --address={self.machines.address}` brings one in."
                )
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the members; games that they have not handed in are lost."""
        self.machines.__exit__(kind, error, at)

    def play_with(self, playing: int | None) -> None:
        """Have members play with the network of a generation from now on; None: there is none yet.

        Raises:
            BadModel: it is missing or damaged.
        """
        stage = self.stage
        if playing is not None:
            load_checkpoint(stage.folder.model(playing))  # says what is wrong with it
            weights = Weights(stage.folder.model(playing).read_bytes(), playing)
        elif stage.preset.begins_taught:
            self.weights = (-2, None)
            return
        else:
            with tempfile.TemporaryDirectory() as folder:
                save_checkpoint(Path(folder) / "start.safetensors", grown_start(stage.preset, stage.games))
                weights = Weights((Path(folder) / "start.safetensors").read_bytes(), -1)
        self.weights = (weights.network, self.machines.put(weights))

    def ask(self, member: MemberState, question: str, *with_what: object) -> None:
        """Ask a member who awaits a question."""
        assert member.asked is None, "one question at a time"
        member.asked, member.question = self.machines.ask(member.process, question, *with_what), question
        member.silence = 0.0

    def hear(self, seconds: float) -> list[tuple[MemberState, Any]]:
        """Look who is there now and then; return answers that come within some time, of those who have joined.

        Raises:
            LudusError: a member raised it while it played, or is refused at the beginning.
            Unavailable: the head is gone, or nobody can play.
        """
        if time.monotonic() - self._looked > LOOK_S:
            self.look()
        asked = {member.asked: member for member in self.members if member.asked is not None}
        if not asked:
            time.sleep(seconds)
            return []
        heard: list[tuple[MemberState, Any]] = []
        begun = time.monotonic()
        for ref, answer in self.machines.hear(list(asked), seconds):
            member = asked[ref]
            member.asked = None
            if isinstance(answer, Lost):
                self._lose(member, answer)
            elif isinstance(answer, Failed):
                error = _of(member.place, answer.error)
                if member.question in ("play", "end"):
                    raise error  # a game that is at fault here is so everywhere
                self._refuse(member, error)
            elif member.has_joined:
                heard.append((member, answer))
            else:
                self._take_in(member, answer)
        self._miss(time.monotonic() - begun)
        return heard

    def look(self) -> None:
        """Look who is there, and start a member at each place that has none.

        Raises:
            Unavailable: the head is gone, or all places are given up.
        """
        self._looked = now = time.monotonic()
        self._misses = 0 if self.machines.has_head() else self._misses + 1
        if self._misses >= MISSES:
            raise Unavailable(
                f"{self.machines.address}: the head of the cluster no longer answers; start the cluster again, then "
                "the same command continues the run: its finished games are safe."
            )
        if self._misses:
            return  # other questions would wait for the head
        taken = {_key(member.place) for member in self.members} | self._refused
        places = self.machines.places(self.stage.preset.device)
        for place in places:
            deaths = self._deaths.get(_key(place), [])
            if _key(place) not in taken and (not deaths or now > deaths[-1] + AGAIN_S * (len(deaths) - 1)):
                process = self.machines.start(place)
                self.members.append(MemberState(place, process, self.machines.ask(process, "version")))
        for member in self.members:
            if not member.has_joined and not member.is_late and now - member.since > SLOW_S:
                member.is_late = True
                self.say(f"{member.place} has not begun to play yet; others may use it (`ray status` shows who).")
        if places and not self.members and all(_key(place) in self._refused for place in places):
            raise Unavailable("No machine of the cluster can play; the sentences above say why.")
        if not places and not self._is_waiting:
            self.say("No machine of the cluster can play now; the run waits for one, and Ctrl-C ends it.")
        self._is_waiting = not places

    def say(self, text: str) -> None:
        """Tell the run's listener what happened."""
        self.stage.hear(RunNotice(text))

    def praise(self, member: MemberState) -> None:
        """Note that a member has finished a game: its place is a good one."""
        self._deaths.pop(_key(member.place), None)

    def _miss(self, seconds: float) -> None:
        """Note that so many seconds went by without an answer of who has not answered; give up who hangs."""
        for member in list(self.members):
            if member.asked is None or member.question not in ("play", "end"):
                continue  # joining and beginning may mean minutes of compilation
            member.silence += seconds
            if member.silence > SILENT_S:
                self.machines.dismiss(member.process)
                why = f"no answer for {SILENT_S:.0f} seconds"
                self._lose(member, Lost(why), why)

    def _lose(self, member: MemberState, lost: Lost, why: str = "its process or the machine ended") -> None:
        self.members.remove(member)
        games = self.on_loss(member)
        if not member.has_joined and ("failed to import" in lost.why or "No module named" in lost.why):
            self._refuse(member, BadInput(f"{member.place}: cannot run this Ludus; {_same()}."))
            return
        what = f"its {games} unfinished games are dealt again" if games else "it had no games in its hand"
        if member.has_joined:  # a machine that is gone is still listed for some seconds, and others fail there
            self.say(f"{member.place} was lost ({why}); {what}.")
        deaths = self._deaths.setdefault(_key(member.place), [])
        deaths.append(time.monotonic())
        if len(deaths) >= DEATHS:
            self._refused.add(_key(member.place))
            self.say(
                f"{member.place} was lost {DEATHS} times in a row before it finished a game (too little memory?); it "
                "is left out until the command is given again."
            )
        self._looked = 0.0  # the next look may start another one

    def _take_in(self, member: MemberState, answer: Any) -> None:  # noqa: ANN401 - what `version` and `join` return
        """Go on with a member that is joining, or refuse it."""
        preset = self.stage.preset
        if member.question == "version":
            if answer != __version__:
                versions = f"has Ludus {answer}, here it is {__version__}"
                self._refuse(member, BadInput(f"{member.place}: {versions}; {_same()}."))
            else:
                self.ask(member, "join", self._charge(member.place), self._read_openings())
            return
        ours = [behaviour(game) for game in self.stage.games]
        for spec, here, there in zip(preset.games, ours, answer, strict=True):
            if here != there:
                rules = f"plays {spec} by other rules ({there}, here {here})"
                self._refuse(member, BadInput(f"{member.place}: {rules}; {_same()}."))
                return
        member.question = "end"  # of nothing: it awaits its first generation

    def _refuse(self, member: MemberState, why: LudusError) -> None:
        """Have a place left out: by ending the run, if it was there when that began and somebody looks on."""
        self._refused.add(_key(member.place))
        if member in self.members:
            self.members.remove(member)
            self.machines.dismiss(member.process)
        if not self.is_tried and _key(member.place) in self._first:
            raise why
        self.say(f"{why} It is left out until the command is given again.")

    def _charge(self, place: MemberPlace) -> Any:  # noqa: ANN401
        preset = self.stage.preset
        device = "cuda" if place.gpus else "openvino" if preset.device == "auto" else preset.device
        return JoinOrder(msgspec.structs.replace(preset, device=device), max(1, place.cores), self._files)

    def _read_openings(self) -> Any:  # noqa: ANN401
        if self.stage.openings is not None and self._openings is None:
            self._openings = self.machines.put(self.stage.openings)
        return self._openings


def _key(place: MemberPlace) -> tuple[str, int]:
    return place.node, place.number


def _same() -> str:
    return "install the same Ludus and the same files of games on all machines, or take that one out (`ray stop` there)"


def _of(place: MemberPlace, error: LudusError) -> LudusError:
    """Return an error with the machine on which it was raised."""
    return type(error)(f"{place}: {error}")
