"""Names of guests: none may look like that of an account or an attached bot; a game keeps the names that it has."""

from msgspec.structs import replace

from ludus.site.bots.bots import Bots, is_private
from ludus.site.database.games import GameStore
from ludus.site.database.records import SeatRow
from ludus.site.faults import NameTaken
from ludus.site.people.visitors import Visitor
from ludus.site.safety.names import are_alike, folded, likeness

GUEST = "Guest"
_REMEDIES = {"an account": "log in if it is yours, or choose another", "a bot": "choose another"}


async def name_of_guest(visitor: Visitor, wanted: str, bots: Bots, store: GameStore) -> str:
    """Return the name of a guest at a table; the names that the site gives guests are always free.

    Raises:
        NameTaken: it is, or looks like, that of an account or a bot.
        Unavailable: the database cannot be read.
    """
    name = visible(wanted) or GUEST
    if folded(name) not in (folded(GUEST), folded(visitor.name)):
        owner = await _owner_of(name, bots, store)
        if owner:
            raise NameTaken(f"The name {name} is, or looks like, that of {owner}; {_REMEDIES[owner]}.")
    return name


async def in_next_game(seat: SeatRow, bots: Bots, store: GameStore) -> SeatRow:
    """Return a seat for a rematch, without a guest's name that somebody else took meanwhile; raises Unavailable."""
    is_guest = seat.kind == "person" and seat.account_id is None
    return replace(seat, name=GUEST) if is_guest and await _owner_of(seat.name, bots, store) else seat


def visible(name: str) -> str:
    """Return a name without invisible characters, by which it would differ from one that looks the same."""
    return " ".join("".join(each for each in name if each.isprintable() or each.isspace()).split())


def is_of_a_bot(name: str, bots: Bots) -> bool:
    """Return whether a name is, or looks like, that of an attached public bot; private bots stay secret."""
    wanted = likeness(name)
    theirs = [visible(bot.name) for _, bot, _ in bots.all() if not is_private(bot)]
    return any(are_alike(likeness(each), wanted) for each in theirs)


async def _owner_of(name: str, bots: Bots, store: GameStore) -> str | None:
    """Return who has this name, or one that looks like it; None: a guest may use it."""
    if is_of_a_bot(name, bots):
        return "a bot"
    return "an account" if await store.has_account(*likeness(name)) else None
