"""Offers and claims between the sides of a game; the site answers for a bot."""

from __future__ import annotations

from ludus.errors import BadInput, IllegalMove
from ludus.site.live.broadcast import Declined
from ludus.site.live.game import LiveGame
from ludus.site.table.table import Claim, Offer, Table, What


async def offer(game: LiveGame, side: int, what: What) -> None:
    """Make an offer; for a bot the site accepts all but draws at once.  Raises BadInput."""
    if game.seats[1 - side].kind == "open":
        raise BadInput("Nobody has sat down on the other side.")
    if game.seats[1 - side].kind != "bot":
        await game.do(lambda table, now: table.offer(side, what, now))
    elif what == "draw":
        await game.do(lambda table, now: table.offer(side, what, now).decline(what))
        game.publish(Declined(what, 1 - side))
    elif what == "takeback":
        await game.do(lambda table, now: table.taken_back(side, now))
    else:
        await game.do(lambda table, now: table.offer(side, what, now).accept(1 - side, what, now))


async def claim(game: LiveGame, side: int, what: Claim) -> None:
    """End a game whose other side has left; raises IllegalMove."""

    def claimed(table: Table, now: int) -> Table:
        at = game.presence.claimable_at(side)
        if at is None:
            raise IllegalMove("Nothing can be claimed while the other side is here.")
        if now < at:
            raise IllegalMove(f"The other side may come back; wait {-(-(at - now) // 1000)} seconds.")
        return table.claimed(side, what, now)

    await game.do(claimed)


async def decline(game: LiveGame, side: int, what: What) -> None:
    """Decline an offer, which everybody is told, or withdraw one's own; raises BadInput."""
    refuses = False

    def declined(table: Table, _now: int) -> Table:
        nonlocal refuses
        refuses = Offer(what, 1 - side) in table.offers
        return table.decline(what)

    await game.do(declined)
    if refuses:
        game.publish(Declined(what, side))
