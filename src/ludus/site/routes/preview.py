"""Previews of links: messengers and networks show the title, description and picture that a page's head names."""

from html import escape
from typing import NamedTuple

from ludus.games.registry import about, names
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames

PICTURE = "/preview.png"
PICTURE_SIZE = 1200, 630
"""Width and height in pixels."""


class Preview(NamedTuple):
    """What a preview says."""

    title: str
    description: str


SITE = Preview("Ludus", "Play board games against people, and against engines that taught themselves.")
PAGES = {
    "games": Preview("Games", "Games that are played now, and all that were played here."),
    "ratings": Preview("Ratings", "The ratings of people and engines, game by game."),
    "study": Preview("Analysis", "Try moves on a board while the strongest engine judges them."),
    "learn": Preview("Learn", "The rules of every game, with positions to try them in."),
    "puzzles": Preview("Puzzles", "Find the best move in positions from engines' games."),
}
"""The previews of the page's parts, by the first word of their paths."""


def preview_of(path: str, live_games: LiveGames) -> Preview:
    """Return the preview of a link, without asking the database.

    Args:
        path: the link's path, such as `/game/4kJ2`.
        live_games: the games in memory; links to others have a general preview.
    """
    part, _, name = path.strip("/").partition("/")
    game = live_games.games.get(name) if part == "game" else None
    if game:
        return _of_game(game)
    general = PAGES.get(part, SITE)
    if part in ("learn", "puzzles") and name in names():
        return Preview(f"{general.title}: {about(name).title}", general.description)
    return general


def tags(preview: Preview, origin: str, path: str) -> str:
    """Return the elements of a page's head that describe a link; `origin` is the site's address, as in `https://a.org`."""
    width, height = PICTURE_SIZE
    properties = {
        "og:site_name": "Ludus",
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": origin + path,
        "og:image": origin + PICTURE,
        "og:image:width": width,
        "og:image:height": height,
        "og:image:alt": "A board with discs and walls beside the name Ludus.",
    }
    lines = [f'<meta property="{name}" content="{escape(str(value))}" />' for name, value in properties.items()]
    return "".join([*lines, '<meta name="twitter:card" content="summary_large_image" />'])


def _of_game(game: LiveGame) -> Preview:
    title = about(game.row.spec).title
    players = [seat.name for seat in game.seats if seat.kind != "open"]
    if game.table.waiting:
        return Preview(f"{' and '.join(players)} invites you to a game of {title}", "Open the link to play.")
    said = "See how the game went." if game.table.over else "Watch the game."
    return Preview(f"{title}: {' against '.join(players)}", said)
