"""A cluster: the members that play for a run, in processes of this machine or on others, from joining to their end.

`cluster_pool.py` deals them games.  A member that is lost costs what it has played of its games, which are dealt again,
and another one is started in its place.  Other machines may join while the run goes on, and are used at once; one with
another Ludus or other rules, or that cannot begin, is refused; while none is left, the run waits for one.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.games.behaviour import behaviour
from ludus.games.registry import file_of
from ludus.loop.distributed.messages import SAME_LUDUS, Failed, JoinOrder, Lost, MemberPlace, Transport, Weights
from ludus.loop.processes import has_ended
from ludus.loop.stages.stage import RunNotice, Stage
from ludus.loop.stages.start import grown_start
from ludus.network.checkpoint import load_checkpoint, save_checkpoint
from ludus.selfplay.reading import Reading
from ludus.version import __version__

LOOK_S = 5.0  # between two looks for machines
SLOW_S = 60.0  # after which it is said that a machine has not begun
SILENT_S = 180.0  # of listening, after which a member that should answer within a second is taken for lost
DEATHS = 5  # in a row without a finished game, after which a place is given up
AGAIN_S = 5.0  # longer after each of them before another member is started there


@dataclass(eq=False)
class MemberState:
    """A member, as the run knows it."""

    place: MemberPlace
    process: Any
    """What the transport knows it by."""
    asked: Any
    """What stands for the answer that is awaited; None: it awaits a question."""
    question: str = "version"
    """The last one asked: `version`, `join`, then `begin`, `play`, `end` for each generation."""
    since: float = field(default_factory=time.monotonic)
    silence: float = 0.0
    """Seconds that the run has listened for its answer."""
    is_late: bool = False
    """Whether it was said that it has not joined yet."""
    order: Any = None
    """What it was asked to begin."""
    network: int = -2
    """Whose weights it has."""
    finished: int = 0
    """Games in its last answer."""
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

    def __init__(self, stage: Stage, transport: Transport) -> None:
        """Take the run, and what starts members and carries questions to them."""
        self.stage, self._transport = stage, transport
        self.members: list[MemberState] = []
        self.weights: tuple[int, Any] = (-2, None)
        """Generation of the network that plays, and what stands for its `Weights`; None: the first teacher plays."""
        self.on_loss: Callable[[MemberState], int] = lambda _member: 0
        """Is told of a lost member; returns how many games it had."""
        self.is_tried = False
        """Whether a generation was played: from then on no machine that is refused ends the run."""
        self._deaths: dict[MemberPlace, list[float]] = {}  # when a place's members died in a row
        self._refused: set[MemberPlace] = set()
        self._first: set[MemberPlace] = set()  # places that were there when the run began
        self._files: dict[str, bytes] = {}  # of games, as this run plays them: they may change while it goes on
        self._looked = 0.0
        self._is_waiting = False
        self._openings: Any = None

    def __enter__(self) -> Cluster:
        """Start a member at each place.

        Raises:
            Unavailable: there are no machines, or none of them has cores or a GPU to play with.
        """
        files = filter(None, map(file_of, self.stage.preset.games))
        self._files = {name: Path(name).read_bytes() for name in files}
        self._transport.__enter__()
        try:
            self.look()
            self._first = {member.place for member in self.members}
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the members; games that they have not handed in are lost."""
        self._transport.__exit__(kind, error, at)

    def play_with(self, playing: int | None) -> None:
        """Choose the generation whose network members play with from now on; None: there is none yet.

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
        self.weights = (weights.network, self._transport.put(weights))

    def ask(self, member: MemberState, question: str, *with_what: object) -> None:
        """Ask a member, which has answered the last question."""
        assert member.asked is None, "one question at a time"
        member.asked, member.question = self._transport.ask(member.process, question, *with_what), question
        member.silence = 0.0

    def hear(self, seconds: float) -> Iterator[tuple[MemberState, Any]]:
        """Look for machines now and then; yield answers that come within some time, of members that have joined.

        Raises:
            LudusError: a member raised it while it played, or is refused at the beginning.
            Unavailable: the head is gone, nobody can play, or a process of this machine died again and again.
        """
        if time.monotonic() - self._looked > LOOK_S:
            self.look()
        asked = {member.asked: member for member in self.members if member.asked is not None}
        if not asked:
            time.sleep(seconds)
            return
        begun = time.monotonic()
        heard = self._transport.hear(list(asked), seconds)
        for ref, answer in sorted(heard, key=lambda each: isinstance(each[1], Failed)):  # which may end the run
            member = asked[ref]
            member.asked = None
            if isinstance(answer, Lost):
                self._lose(member, answer.why)
            elif isinstance(answer, Failed):
                error, place = answer.error, member.place
                if place.is_remote:
                    error = type(error)(f"{place.name}: {error}")
                if member.question in ("play", "end"):
                    raise error  # a game that is at fault here is so everywhere
                self._refuse(member, error)
            elif member.has_joined:
                yield member, answer
            else:
                self._take_in(member, answer)
        self._miss(time.monotonic() - begun)

    def look(self) -> None:
        """Look for machines, and start a member at each place that has none.

        Raises:
            Unavailable: the head is gone, or all places are given up.
        """
        self._looked = now = time.monotonic()
        places = self._transport.places()
        if places is None:
            return
        taken = {member.place for member in self.members} | self._refused
        for place in places:
            deaths = self._deaths.get(place, [])
            if place not in taken and (not deaths or now > deaths[-1] + AGAIN_S * (len(deaths) - 1)):
                process = self._transport.start(place)
                self.members.append(MemberState(place, process, self._transport.ask(process, "version")))
        for member in self.members:
            is_slow = not member.has_joined and now - member.since > SLOW_S
            if is_slow and not member.is_late and member.place.is_remote:
                member.is_late = True
                self.say(f"{member.place.name} has not begun to play yet; others may use it (`ray status` shows who).")
        if places and not self.members and all(place in self._refused for place in places):
            raise Unavailable("No machine of the cluster can play; the sentences above say why.")
        if not places and not self._is_waiting:
            self.say("No machine of the cluster can play now; the run waits for one, and Ctrl-C ends it.")
        self._is_waiting = not places

    def say(self, text: str) -> None:
        """Tell the run's listener what happened."""
        self.stage.hear(RunNotice(text))

    def forget_losses(self, member: MemberState) -> None:
        """Count losses at a member's place from 0 again: it has finished a game there."""
        self._deaths.pop(member.place, None)

    def _miss(self, seconds: float) -> None:
        """Add `seconds` to the silence of members that owe an answer, and give up those that hang."""
        for member in list(self.members):
            if member.asked is None or member.question not in ("play", "end"):
                continue  # joining and beginning may mean minutes of compilation
            member.silence += seconds
            if member.silence > SILENT_S:
                self._transport.dismiss(member.process)
                self._lose(member, f"no answer for {SILENT_S:.0f} seconds")

    def _lose(self, member: MemberState, why: str) -> None:
        """Deal the games of a lost member again; give its place up after several losses before a finished game.

        Raises:
            Unavailable: the place was one of this machine's.
        """
        place = member.place
        self.members.remove(member)
        games = self.on_loss(member)
        what = f"its {games} unfinished games are dealt again" if games else "it had no games in its hand"
        if member.has_joined or not place.is_remote:  # a machine that is gone is listed for some seconds, without use
            self.say(f"{place.name} was lost ({why}); {what}.")
        deaths = self._deaths.setdefault(place, [])
        deaths.append(time.monotonic())
        if len(deaths) >= DEATHS:
            if not place.is_remote:
                raise has_ended(place.name, f"{why}, as {DEATHS} times in a row before it finished a game")
            self._refused.add(place)
            self.say(
                f"{place.name} was lost {DEATHS} times in a row before it finished a game (too little memory?); it "
                "is left out until the command is given again."
            )
        self._looked = 0.0  # the next look may start another one

    def _take_in(self, member: MemberState, answer: Any) -> None:  # noqa: ANN401 - what `version` and `join` return
        """Go on with a member that is joining, or refuse it."""
        preset, place = self.stage.preset, member.place
        if member.question == "version":
            if answer == __version__:
                files = self._files if place.is_remote else {}
                order = JoinOrder(msgspec.structs.replace(preset, device=place.device), max(1, place.cores), files)
                self.ask(member, "join", order, self._read_openings())
            else:
                versions = f"has Ludus {answer}, here it is {__version__}"
                self._refuse(member, BadInput(f"{place.name}: {versions}; {SAME_LUDUS}."))
            return
        for spec, game, there in zip(preset.games, self.stage.games, answer, strict=True):
            if (here := behaviour(game)) != there:
                rules = f"plays {spec} by other rules ({there}, here {here})"
                remedy = SAME_LUDUS if place.is_remote else "restore the game's file, and run the same command again"
                self._refuse(member, BadInput(f"{place.name}: {rules}; {remedy}."))
                return
        member.question = "end"  # of nothing: it awaits its first generation

    def _refuse(self, member: MemberState, why: LudusError) -> None:
        """Leave a place out; raise `why` instead if it was there at start-up and no generation is finished."""
        self._refused.add(member.place)
        self.members.remove(member)
        self._transport.dismiss(member.process)
        if not self.is_tried and member.place in self._first:
            raise why
        self.say(f"{why} It is left out until the command is given again.")

    def _read_openings(self) -> Any:  # noqa: ANN401
        if self.stage.openings is not None and self._openings is None:
            self._openings = self._transport.put(self.stage.openings)
        return self._openings
