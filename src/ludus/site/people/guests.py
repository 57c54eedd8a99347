"""Names of guests, which must not look like the name of an account or an attached bot."""

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
    """Return the name of a guest in a new game; the guest's default name and "Guest" are always allowed.

    Raises:
        NameTaken: an account or a bot has this name or one that looks like it.
        Unavailable: the database cannot be read.
    """
    name = visible(wanted) or GUEST
    if folded(name) not in (folded(GUEST), folded(visitor.name)):
        owner = await _owner_of(name, bots, store)
        if owner:
            raise NameTaken(f"The name {name} equals or looks like the name of {owner}; {_REMEDIES[owner]}.")
    return name


async def in_next_game(seat: SeatRow, bots: Bots, store: GameStore) -> SeatRow:
    """Return a seat for a rematch; rename a guest to "Guest" if an account or a bot now has the name.

    Raises:
        Unavailable: the database cannot be read.
    """
    is_guest = seat.kind == "person" and seat.account_id is None
    return replace(seat, name=GUEST) if is_guest and await _owner_of(seat.name, bots, store) else seat


def visible(name: str) -> str:
    """Remove invisible characters from a name, and reduce each run of white space to one space."""
    return " ".join("".join(each for each in name if each.isprintable() or each.isspace()).split())


def is_of_a_bot(name: str, bots: Bots) -> bool:
    """Return whether a bot has this name or one that looks like it; private bots do not count."""
    wanted = likeness(name)
    theirs = [visible(bot.name) for _, bot, _ in bots.listed() if not is_private(bot)]
    return any(are_alike(likeness(each), wanted) for each in theirs)


async def _owner_of(name: str, bots: Bots, store: GameStore) -> str | None:
    """Return "a bot" or "an account" if one has this name or one that looks like it; None: a guest may use it."""
    if is_of_a_bot(name, bots):
        return "a bot"
    return "an account" if await store.has_account(*likeness(name)) else None
