"""Who may see what an engine thinks about a game that is being played.

Between people, players see no best moves, and no evaluations unless both agreed on them before the game; in rated games
they never see any.  Spectators may, and the players are told that somebody does.  After the game everything is open.
"""

from ludus.site.live.game import LiveGame
from ludus.site.people.visitors import Visitor
from ludus.site.safety.secrets import hash_of


def side_of_person(game: LiveGame, visitor: Visitor) -> int | None:
    """Return the side that a visitor plays, known by account or device; None for others."""
    device = hash_of(visitor.guest_id)
    for side, seat in enumerate(game.seats):
        is_own_account = seat.account_id is not None and seat.account_id == visitor.account_id
        if is_own_account or (seat.device_hash is not None and seat.device_hash == device):
            return side
    return None


def is_between_people(game: LiveGame) -> bool:
    """Return whether two people play, or will."""
    return all(seat.kind != "bot" for seat in game.seats)


def sees_evaluations(game: LiveGame, side: int | None) -> bool:
    """Return whether the player of a side, or a spectator if `side` is None, may see evaluations now."""
    if side is None or game.table.over:
        return True
    return not game.row.rated and (game.row.with_evaluation or not is_between_people(game))


def sees_best_moves(game: LiveGame, side: int | None) -> bool:
    """Return whether the player of a side, or a spectator if `side` is None, may see best moves and lines now."""
    return sees_evaluations(game, side) and (side is None or game.table.over or not is_between_people(game))


def hides_evaluations(game: LiveGame) -> bool:
    """Return whether evaluations stay out of what everybody gets, because not all may see them."""
    return not game.table.over and (game.row.rated or is_between_people(game))
