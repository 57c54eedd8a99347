"""Writes to people about their turns in games over days: one letter for all of them, and none while they are here."""

from collections.abc import Callable
from datetime import UTC, datetime

from ludus.errors import LudusError
from ludus.site.catalogue.specs import spec_stored, title_of
from ludus.site.mail.addresses import Addressee, Addresses
from ludus.site.mail.postman import Letter, Postman
from ludus.site.settings import MailSettings

EVERY_S = 30.0
MAX_LISTED = 20
"""Most games that a letter lists."""


class Rounds:
    """Looks at intervals for turns of which people should be told by mail."""

    def __init__(
        self,
        addresses: Addresses,
        postman: Postman,
        seen_s: Callable[[str], float],
        files: tuple[str, ...],
    ) -> None:
        """Prepare the rounds; `once` makes one.

        Args:
            addresses: the addresses of accounts.
            postman: sends the letters.
            seen_s: returns how many seconds ago an account was last seen on the page.
            files: paths of game files that the site offers besides the built-in games.
        """
        self._addresses = addresses
        self._postman = postman
        self._seen_s = seen_s
        self._files = files
        self._posted: set[str] = set()  # accounts whose letter is on its way

    async def once(self) -> None:
        """Post a letter to each person with new turns who is not on the page; raises Unavailable."""
        settings, now = self._postman.settings, datetime.now(UTC)
        for person in await self._addresses.due(now, settings.wait_s, settings.rest_s):
            if person.account_id in self._posted or self._seen_s(person.account_id) < settings.wait_s:
                continue
            self._posted.add(person.account_id)

            async def done(delivered: bool, *, account_id: str = person.account_id) -> None:
                try:
                    await self._addresses.told(account_id, now, delivered=delivered)
                finally:
                    self._posted.discard(account_id)

            try:
                self._postman.post(self.letter(person, settings), done)
            except LudusError:
                self._posted.discard(person.account_id)
                raise

    def letter(self, person: Addressee, settings: MailSettings) -> Letter:
        """Return the letter that lists a person's games."""
        site, count = settings.site.rstrip("/"), len(person.games)
        lines = [
            f"{title_of(spec_stored(game.spec, self._files))} against {game.opponent}, "
            f"until {game.deadline.astimezone(UTC):%d %B, %H:%M} UTC\n{site}/game/{game.id}"
            for game in person.games[:MAX_LISTED]
        ]
        more = [f"and {count - MAX_LISTED} more: {site}/"] if count > MAX_LISTED else []
        what = "a game" if count == 1 else f"{count} games"
        text = "\n\n".join(
            [
                f"Hello {person.name},",
                f"it is your turn in {what}:",
                *lines,
                *more,
                f"To get no more of these letters: {site}/mail#stop={person.stop_token}",
            ]
        )
        return Letter(person.address, f"Your turn in {what}", text + "\n", person.stop_token)
