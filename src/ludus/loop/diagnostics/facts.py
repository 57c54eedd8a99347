"""Statistics of a generation's games: results, lengths and diversity."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING
from ludus.loop.directory.lines import Facts, GameFacts
from ludus.store import Samples
from ludus.store.samples import NO_ACTION

OPENING = 4  # number of actions after which openings are compared
TRIED = 64  # limit on checked games at the length cap, since Python rules are slow


def facts_of(samples: Samples, games: Sequence[Game]) -> Facts:
    """Return statistics of a generation's games; the positions of each game must be contiguous.

    Args:
        samples: whole games, one after another.
        games: the games of the run; `samples.game` is an index into them.
    """
    begins = np.flatnonzero(np.diff(samples.game_id, prepend=samples.game_id[:1] - 1))  # [G] first position of a game
    ends = np.append(begins[1:], len(samples))  # [G]
    caps = np.array([game.max_actions for game in games])[samples.game[begins]]  # [G]
    late = (samples.outcome[begins] == DRAW) & (samples.ply[ends - 1] + 1 >= caps)  # [G]
    capped = np.where(late, _unfinished(samples, games, ends[late] - 1), 0.0)  # [G]
    seen = {samples.states[begin:end].tobytes() for begin, end in zip(begins, ends, strict=True)}
    later = begins[ends - begins > OPENING] + OPENING
    openings = len({samples.states[at].tobytes() for at in later}) / max(1, len(later))
    which = samples.game[begins]  # [G]
    by_game = {
        game.name: _facts(samples, begins, ends, capped, which == index)
        for index, game in enumerate(games)
        if len(games) > 1 and (which == index).any()
    }
    whole = _facts(samples, begins, ends, capped, np.ones(len(begins), bool))
    return Facts(
        **msgspec.structs.asdict(whole),
        repeated=1.0 - len(seen) / max(1, len(begins)),
        distinct_openings=openings if len(later) else 1.0,
        by_game=by_game,
    )


def _unfinished(samples: Samples, games: Sequence[Game], last: NDArray[np.intp]) -> float:
    """Return the share of drawn games that ended only at the length cap; `last` are their last positions.

    The rules may also end a game as a draw with the last action that the cap allows.
    """
    tried = last[:TRIED]
    open_ends = 0
    for at in tried:
        game, action = games[int(samples.game[at])], int(samples.action[at])
        state = np.ascontiguousarray(samples.states[at]).view(game.dtype)
        open_ends += action == NO_ACTION or game.calls.outcome(game.calls.play(state, action)) == ONGOING
    return open_ends / max(1, len(tried))


def _facts(
    samples: Samples,
    begins: NDArray[np.intp],
    ends: NDArray[np.intp],
    capped: NDArray[np.float64],
    chosen: NDArray[np.bool_],
) -> GameFacts:
    outcomes, count = samples.outcome[begins[chosen]], max(1, int(chosen.sum()))
    positions = int((ends - begins)[chosen].sum())
    return GameFacts(
        games=int(chosen.sum()),
        positions=positions,
        mean_length=positions / count,
        first_wins=float((outcomes == FIRST_WINS).sum()) / count,
        draws=float((outcomes == DRAW).sum()) / count,
        capped=float(capped[chosen].sum()) / count,
    )
