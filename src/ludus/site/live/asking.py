"""Offers, claims and other requests of players; the site answers offers to a bot itself."""

from __future__ import annotations

from msgspec.structs import replace

from ludus.errors import BadInput, IllegalMove
from ludus.site.live.broadcast import Declined
from ludus.site.live.game import LiveGame
from ludus.site.messages.incoming import BotMove
from ludus.site.table.table import Claim, Offer, Table, TableResult, What

WAIT_MS = 600_000
"""How much longer a game waits for a bot that does not answer, if its opponent chooses so."""
_ANSWERS = "Your opponent answers again. Look at the board."


async def offer(game: LiveGame, side: int, what: What) -> None:
    """Offer a draw, a takeback or a rematch; a bot declines draws and accepts the others at once.  Raises BadInput."""
    if game.seats[1 - side].kind == "open":
        raise BadInput("You have no opponent yet. Wait until somebody joins the game.")
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
    """Claim a win or a draw because the opponent has left; raises IllegalMove."""

    def claimed(table: Table, now: int) -> Table:
        at = game.presence.claimable_at(side)
        if at is None:
            raise IllegalMove("You can claim the game only after your opponent has left.")
        if now < at:
            wait_s = -(-(at - now) // 1000)
            raise IllegalMove(f"Your opponent may come back. You can claim the game in {wait_s} seconds.")
        return table.claimed(side, what, now)

    await game.do(claimed)


async def play_for_bot(game: LiveGame, side: int, move: BotMove, address: str) -> None:
    """Play the move of the opponent, a bot that thinks in this player's browser.

    Raises:
        BadInput: the opponent is no such bot, the position has changed, or an action is illegal.
    """
    bot = game.browser_bot
    if bot is None or bot.side == side:
        raise IllegalMove("Your opponent does not think in your browser, so it plays its moves itself.")
    await game.play(lambda table, now: bot.played(table, move.actions, move.ply, now), address)


def wait_for_bot(game: LiveGame, side: int) -> None:
    """Let the game wait longer for the opponent, a bot that does not answer; raises IllegalMove if it answers."""
    stall = game.stalls.get(1 - side)
    if stall is None:
        raise IllegalMove(_ANSWERS)
    game.stall(1 - side, replace(stall, until=max(game.now(), stall.until) + WAIT_MS))


async def end_without_result(game: LiveGame, side: int) -> None:
    """End the game without a result because the opponent, a bot, does not answer; raises IllegalMove if it does.

    A bot that thinks in a browser counts as one that does not answer while it is to move.
    """

    def ended(table: Table, now: int) -> Table:
        owes = game.browser_bot is not None and table.to_play == game.browser_bot.side
        if table.over or not (1 - side in game.stalls or owes):
            raise IllegalMove(_ANSWERS)
        return table.ended(TableResult(None, "aborted"), now)

    await game.do(ended)


async def decline(game: LiveGame, side: int, what: What) -> None:
    """Decline the opponent's offer and broadcast that, or withdraw one's own offer; raises BadInput."""
    refuses = False

    def declined(table: Table, _now: int) -> Table:
        nonlocal refuses
        refuses = Offer(what, 1 - side) in table.offers
        return table.decline(what)

    await game.do(declined)
    if refuses:
        game.publish(Declined(what, side))
