"""The cluster of a run: starts members in local processes or on other machines, and replaces lost ones.

`cluster_pool.py` deals games to members.  The unfinished games of a lost member are dealt again, and a new member is
started at its place.  Machines that join during the run are used at once.  Machines with another version of Ludus or
other rules are refused.  While no machine is left, the run waits for one.
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

LOOK_S = 5.0  # seconds between two searches for machines
SLOW_S = 60.0  # seconds after which a notice says that a machine has not started
SILENT_S = 180.0  # seconds without an answer after which a member counts as lost
STOPPED_S = 5.0  # a wait that lasts this much longer than asked was interrupted, as by Ctrl-Z; the rest is no silence
DEATHS = 5  # losses of a place without a finished game after which it is excluded
AGAIN_S = 5.0  # extra delay before the next start at a place, for each such loss


@dataclass(eq=False)
class MemberState:
    """A member as seen by the run."""

    place: MemberPlace
    process: Any
    """The transport's handle of the member."""
    asked: Any
    """The transport's handle of the expected answer; None: the member is idle."""
    question: str = "version"
    """The last question: `version`, `join`, then `begin`, `play` and `end` for each generation."""
    since: float = field(default_factory=time.monotonic)
    silence: float = 0.0
    """Seconds for which the run has waited for the answer."""
    is_late: bool = False
    """Whether a notice was given that the member has not joined yet."""
    order: Any = None
    """The order that the member was last asked to begin."""
    network: int = -2
    """Generation of the network that the member has."""
    finished: int = 0
    """Number of games in its last answer."""
    positions: float = 0.0
    seconds: float = 0.0
    """Playing time in which `positions` were played, for its speed."""
    reading: Reading | None = None

    @property
    def has_joined(self) -> bool:
        """Return whether the member may be dealt games."""
        return self.question not in ("version", "join")


class Cluster:
    """The members of a run, as a context manager that starts them and ends them on exit."""

    def __init__(self, stage: Stage, transport: Transport) -> None:
        """Prepare a cluster whose members `transport` starts and connects."""
        self.stage, self._transport = stage, transport
        self.is_remote = transport.is_remote
        """Whether members may be on other machines, which lack the run's files."""
        self.members: list[MemberState] = []
        self.weights: tuple[int, Any] = (-2, None)
        """Generation of the playing network, and the handle of its `Weights`; (-2, None): the first teacher plays."""
        self.on_loss: Callable[[MemberState], int] = lambda _member: 0
        """Called with each lost member; returns its number of unfinished games."""
        self.is_tried = False
        """Whether a generation was played; from then on a refused machine does not end the run."""
        self._deaths: dict[MemberPlace, list[float]] = {}  # times of consecutive losses
        self._refused: set[MemberPlace] = set()
        self._first: set[MemberPlace] = set()  # places that existed when the run started
        self._files: dict[str, bytes] = {}  # game files sent to remote members, as they were when the run started
        self._looked = 0.0
        self._is_waiting = False
        self._openings: Any = None

    def __enter__(self) -> Cluster:
        """Start a member at each place.

        Raises:
            Unavailable: there are no machines, or none has cores or a GPU to play with.
        """
        if self.is_remote:
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
        """End the members; games that they have not returned are lost."""
        self._transport.__exit__(kind, error, at)

    def play_with(self, playing: int | None) -> None:
        """Set the generation whose network the members use from now on; None: no network is trained yet.

        Raises:
            BadModel: the model is missing or damaged.
        """
        stage = self.stage
        if playing is not None:
            load_checkpoint(stage.folder.model(playing))  # raises if the model is damaged
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
        """Send a question to an idle member."""
        assert member.asked is None, "one question at a time"
        member.asked, member.question = self._transport.ask(member.process, question, *with_what), question
        member.silence = 0.0

    def hear(self, seconds: float) -> Iterator[tuple[MemberState, Any]]:
        """Yield (member, answer) for answers of joined members, waiting up to `seconds`; also look for new machines.

        Raises:
            LudusError: a member raised it while playing, or was refused at the start of the run.
            Unavailable: the cluster's head is gone, no machine can play, or a local process died repeatedly.
        """
        if time.monotonic() - self._looked > LOOK_S:
            self.look()
        asked = {member.asked: member for member in self.members if member.asked is not None}
        if not asked:
            time.sleep(seconds)
            return
        begun = time.monotonic()
        heard = self._transport.hear(list(asked), seconds)
        waited = min(time.monotonic() - begun, seconds + STOPPED_S)  # the caller's time between answers does not count
        for ref, answer in sorted(heard, key=lambda each: isinstance(each[1], Failed | Lost)):  # these may end the run
            member = asked[ref]
            member.asked = None
            if isinstance(answer, Lost):
                self._lose(member, answer.why)
            elif isinstance(answer, Failed):
                error = answer.error
                if self.is_remote:
                    error = type(error)(f"{member.place.name}: {error}")
                if member.question in ("play", "end"):
                    raise error  # a faulty game fails on every machine
                self._refuse(member, error)
            elif member.has_joined:
                yield member, answer
            else:
                self._take_in(member, answer)
        self._miss(waited)

    def look(self) -> None:
        """Start a member at each place that has none.

        Raises:
            Unavailable: the cluster's head is gone, or all places are excluded.
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
            if is_slow and not member.is_late and self.is_remote:
                member.is_late = True
                self.say(f"{member.place.name} has not started to play; its cores may be in use (see `ray status`).")
        if places and not self.members and all(place in self._refused for place in places):
            raise Unavailable("No machine of the cluster can play; see the notices above.")
        if not places and not self._is_waiting:
            self.say("No machine of the cluster can play now; the run waits for one (Ctrl-C ends it).")
        self._is_waiting = not places

    def say(self, text: str) -> None:
        """Send a notice to the run's listener."""
        self.stage.hear(RunNotice(text))

    def forget_losses(self, member: MemberState) -> None:
        """Reset the losses of a member's place, after it has finished a game."""
        self._deaths.pop(member.place, None)

    def _miss(self, seconds: float) -> None:
        """Add `seconds` to the waiting time of each member that owes an answer; drop members that hang."""
        for member in list(self.members):
            if member.asked is None or member.question not in ("play", "end"):
                continue  # joining and beginning may take minutes of compilation
            member.silence += seconds
            if member.silence > SILENT_S:
                self._transport.dismiss(member.process)
                self._lose(member, f"no answer for {SILENT_S:.0f} seconds")

    def _lose(self, member: MemberState, why: str) -> None:
        """Deal the games of a lost member again; after repeated losses without a finished game, exclude its place.

        Raises:
            Unavailable: the excluded place is on this machine.
        """
        place = member.place
        self.members.remove(member)
        games = self.on_loss(member)
        what = f"its {games} unfinished games are dealt again" if games else "it had no unfinished games"
        if member.has_joined or not self.is_remote:  # Ray lists lost machines for some more seconds
            self.say(f"{place.name} was lost ({why}); {what}.")
        deaths = self._deaths.setdefault(place, [])
        deaths.append(time.monotonic())
        if len(deaths) >= DEATHS:
            if not self.is_remote:
                raise has_ended(place.name, f"{why}; {DEATHS} times in a row before it finished a game")
            self._refused.add(place)
            self.say(
                f"{place.name} was lost {DEATHS} times in a row before it finished a game (too little memory?); it "
                "is excluded until the run is restarted."
            )
        self._looked = 0.0  # start another one at the next look

    def _take_in(self, member: MemberState, answer: Any) -> None:  # noqa: ANN401 - what `version` and `join` return
        """Continue to join a member after an answer, or refuse it."""
        preset, place = self.stage.preset, member.place
        if member.question == "version":
            if answer == __version__:
                preset = msgspec.structs.replace(preset, device=place.device)
                order = JoinOrder(preset, max(1, place.cores), self._files)
                self.ask(member, "join", order, self._read_openings())
            else:
                versions = f"has Ludus {answer}, this machine has {__version__}"
                self._refuse(member, BadInput(f"{place.name}: {versions}; {SAME_LUDUS}."))
            return
        for spec, game, there in zip(preset.games, self.stage.games, answer, strict=True):
            if (here := behaviour(game)) != there:
                rules = f"plays {spec} by other rules ({there}, here {here})"
                remedy = SAME_LUDUS if self.is_remote else "restore the game's file, and run the same command again"
                self._refuse(member, BadInput(f"{place.name}: {rules}; {remedy}."))
                return
        member.question = "end"  # ready for its first generation

    def _refuse(self, member: MemberState, why: LudusError) -> None:
        """Exclude a place.  At start-up, raise `why` instead."""
        self._refused.add(member.place)
        self.members.remove(member)
        self._transport.dismiss(member.process)
        if not self.is_tried and member.place in self._first:
            raise why
        self.say(f"{why} It is excluded until the run is restarted.")

    def _read_openings(self) -> Any:  # noqa: ANN401
        if self.stage.openings is not None and self._openings is None:
            self._openings = self._transport.put(self.stage.openings)
        return self._openings
