"""Fair matches between two players: every random opening is played twice with swapped sides, all games concurrently."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.arena.summary import MatchGame, MatchResult, scores, summary
from ludus.arena.table import Tables
from ludus.errors import BadInput, lacks_memory
from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING

Accepts = Callable[[Game, NDArray[np.uint64]], NDArray[np.bool_]]  # which states [K, words] may be openings


class MatchPlayer(Protocol):
    """A player that chooses actions for many positions at once."""

    name: str

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one legal action [K] for each of the unfinished states [K, words] of `game`."""
        ...


def play_match(  # noqa: PLR0913 - a match, each part named by the caller
    games: Sequence[Game],
    a: MatchPlayer,
    b: MatchPlayer,
    *,
    pairs: int,
    seed: int,
    opening_actions: int = 0,
    accepts: Accepts | None = None,
    on_game: Callable[[MatchGame], object] = lambda _game: None,
    played: Sequence[MatchGame] = (),
    at_once: int | None = None,
    is_over: Callable[[list[int]], bool] | None = None,
) -> MatchResult:
    """Play `pairs` pairs of games, divided evenly among `games`, and return the result.

    Args:
        games: the games or boards to play on.
        a: the first player.
        b: the second player, with another name.
        pairs: number of pairs; each has two games.
        seed: chooses the openings, which are the same for all players.
        opening_actions: number of random actions before the players' first.
        accepts: chooses the openings to play (see `ludus.arena.balance`; default: all).
        on_game: called with each finished game, except for games in `played`.
        played: games of this match from an earlier process, which are not played again; they only count up to the wave
            that ends the match.
        at_once: number of concurrent pairs, called a wave (default: all).
        is_over: called after each wave with the numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points for `a`;
            returns True to end the match.

    Raises:
        BadInput: games end during the openings.
    """
    assert a.name != b.name, "two players of one match need two names"
    finished = {(game.pair, game.first): game for game in played if game.pair < pairs}
    wave, end = at_once or max(1, pairs), 0
    for begin in range(0, pairs, wave):
        end = min(begin + wave, pairs)
        _play_wave(games, (a, b), range(begin, end), (seed, opening_actions, accepts), finished, on_game)
        if is_over is not None and is_over(scores(a.name, _before(end, finished))):
            break
    result = summary([game.name for game in games], a.name, b.name, _before(end, finished))
    return msgspec.structs.replace(result, sequential=is_over is not None)


def _before(end: int, finished: Mapping[tuple[int, str], MatchGame]) -> list[MatchGame]:
    """Return the games of the pairs below `end`; an interrupted wave has only its short games."""
    return [game for (pair, _), game in finished.items() if pair < end]


def _play_wave(
    games: Sequence[Game],
    players: tuple[MatchPlayer, MatchPlayer],
    numbers: range,
    opening: tuple[int, int, Accepts | None],
    finished: dict[tuple[int, str], MatchGame],
    on_game: Callable[[MatchGame], object],
) -> None:
    """Play the unfinished games of the pairs; pair p is on board p modulo the number of boards."""
    missing = [pair for pair in numbers if any((pair, player.name) not in finished for player in players)]
    matches: list[Match] = []
    for index, game in enumerate(games):
        own = [pair for pair in missing if pair % len(games) == index]
        if own:
            matches.append(Match(game, players, own, *opening))
            matches[-1].must_go_on(
                [known for pair in own for player in players if (known := finished.get((pair, player.name)))]
            )
    while any(match.is_running for match in matches):
        for match in matches:
            for game in match.advance():
                if (game.pair, game.first) not in finished:  # keep the known game of a half-finished pair
                    finished[game.pair, game.first] = game
                    on_game(game)


class Match:
    """The pairs of a match on one board: tables 2i and 2i + 1 are a pair; on odd tables `b` begins."""

    def __init__(
        self,
        game: Game,
        players: tuple[MatchPlayer, MatchPlayer],
        pairs: Sequence[int],
        seed: int,
        opening_actions: int,
        accepts: Accepts | None,
    ) -> None:
        """Set up the tables and play the openings of the pairs with these numbers."""
        self._players, self._opening, self._pairs = players, opening_actions, pairs
        self._tables = Tables(game, 2 * len(pairs))
        self._tables.open_with(opening_actions, seed, pairs, accepts)

    def must_go_on(self, known: Sequence[MatchGame]) -> None:
        """Check that known games of half-finished pairs have the openings of this match; raises BadInput otherwise."""
        for game in known:
            board, length = 2 * self._pairs.index(game.pair), len(self._tables.actions[0])
            if (game.setup, game.actions[:length]) != (self._tables.setups[board], self._tables.actions[board]):
                raise BadInput(
                    f"{game.game}, pair {game.pair}: the recorded game has another opening than this version "
                    "plays; start a new record."
                )

    @property
    def is_running(self) -> bool:
        """Return whether a game is unfinished."""
        return len(self._tables.ongoing) > 0

    def advance(self) -> list[MatchGame]:
        """Play one action on each unfinished table; return the games that it finished."""
        tables = self._tables
        boards = tables.ongoing  # [K]
        on_turn = (tables.movers[boards] + boards) % 2  # [K]  0: `a` is to move
        actions = np.full(len(tables.words), -1, np.int16)  # [B]
        forfeits: dict[int, str] = {}
        for number, player in enumerate(self._players):
            own = boards[on_turn == number]
            if len(own):
                actions[own] = _choices(player, tables.game, tables.words[own], own, forfeits)
        illegal = tables.play(actions)
        for board in np.flatnonzero(illegal):
            player = self._players[(int(tables.movers[board]) + int(board)) % 2]
            forfeits[int(board)] = f"{player.name} played {actions[board]}, which is illegal."
        for board in forfeits:
            tables.outcomes[board] = FIRST_WINS + 1 - tables.movers[board]
        return [self._report(int(board), forfeits) for board in boards if tables.outcomes[board] != ONGOING]

    def _report(self, board: int, forfeits: dict[int, str]) -> MatchGame:
        names = [player.name for player in self._players]
        first, second = names if board % 2 == 0 else names[::-1]
        outcome = int(self._tables.outcomes[board])
        return MatchGame(
            game=self._tables.game.name,
            pair=self._pairs[board // 2],
            first=first,
            second=second,
            actions=self._tables.actions[board],
            setup=self._tables.setups[board],
            opening=self._opening,
            winner=None if outcome == DRAW else (first, second)[outcome - FIRST_WINS],
            forfeit=forfeits.get(board, ""),
        )


def _choices(
    player: MatchPlayer, game: Game, states: NDArray[np.uint64], boards: NDArray[np.intp], forfeits: dict[int, str]
) -> NDArray[np.int16]:
    """Return a player's actions [K]; after an error the action is -1, with the reason in `forfeits`."""
    try:
        actions = np.asarray(player.choose(game, states.copy()))
        if actions.shape != boards.shape:
            raise ValueError(f"actions of shape {actions.shape} for {len(states)} positions")
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions of type {actions.dtype}, which are not integers")
    except Exception as error:
        if lacks_memory(error):  # not a forfeit: the limits are too large for this machine
            raise
        if len(states) == 1:
            said = str(error).encode(errors="backslashreplace").decode()  # records need valid Unicode
            forfeits[int(boards[0])] = f"{player.name} failed: {type(error).__name__}: {said}"
            return np.array([-1], np.int16)
    else:
        known = (actions >= 0) & (actions < game.num_actions)
        for board, action in zip(boards[~known], actions[~known], strict=True):
            forfeits[int(board)] = f"{player.name} played {action}, which is not an action."
        return np.where(known, actions, -1).astype(np.int16)
    singles = [_choices(player, game, states[k : k + 1], boards[k : k + 1], forfeits) for k in range(len(states))]
    return np.concatenate(singles)
