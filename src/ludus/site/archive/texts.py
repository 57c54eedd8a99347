"""Export and import of finished games as text, in the formats of the games or in the plain format of Ludus."""

import re
from itertools import islice
from typing import Any, NamedTuple

from ludus.errors import BadInput, BadNotation
from ludus.games.annotations import NONE, Annotations, GameTree
from ludus.games.game import Position
from ludus.games.plain import format_of, formats
from ludus.games.recorded import MAX_CHARS, game_told
from ludus.games.records import WITHOUT_RESULT, BrokenGame, Doubt, RecordedGame, RecordFormat, RecordHeader, result_of
from ludus.site.archive.tree import tree_in
from ludus.site.catalogue.specs import table_game
from ludus.site.messages.archive import GameSummary
from ludus.site.messages.study import TreeNode
from ludus.site.study.weight import check_length, check_spec

_AFTER_NOISE = re.compile(r"^(?:\[\w+\s+\"|\()", re.MULTILINE)
"""Where a game may begin after words about it."""
MOST_BEGINS = 10
"""The number of these places that are tried."""
MOST_LEFT_OUT = 20
"""Most sentences about what is left out."""


class Brought(NamedTuple):
    """A game that was read from a text."""

    last: Position
    header: RecordHeader
    winner: int | None
    reason: str
    """UNFINISHED if the text has no result; empty if it gives no reason."""
    annotations: Annotations = NONE
    left_out: tuple[str, ...] = ()
    """A sentence for each kind of thing in the text that is left out."""


def write_text(tree: GameTree, summary: GameSummary) -> tuple[str, str]:
    """Return the text of a game in its own format, and the file name extension without its dot."""
    form = format_of(tree.last.game.name)
    return form.write(tree, header_of(summary)), form.suffix


def text_of(nodes: list[TreeNode], spec: str, setup: dict[str, Any] | str | None) -> tuple[str, str]:
    """Return the text of an analysis tree in its game's format, and the file name extension without its dot.

    Raises:
        BadInput: the tree is not one of this game.
    """
    tree, _ = tree_in(nodes, table_game(spec).start(setup))
    outcome = tree.last.outcome
    result = result_of(outcome.winner if outcome else None, over=outcome is not None)
    form = format_of(tree.last.game.name)
    return form.write(tree, RecordHeader(result=result, reason=outcome.reason if outcome else "")), form.suffix


def read_text(text: str, files: tuple[str, ...] = ()) -> Brought:
    """Read a game from a text in any of the formats.

    Args:
        text: the text.
        files: paths of game files that the site offers besides the built-in games.

    Raises:
        BadInput: the format is unknown, or the text cannot be parsed or is too long.
    """
    if len(text) > MAX_CHARS:
        raise BadInput(f"The text has {len(text)} characters; at most {MAX_CHARS} are allowed.")
    begins = [0, *(begin.start() for begin in islice(_AFTER_NOISE.finditer(text), MOST_BEGINS))]
    known = formats(files)
    for begin in begins:
        if form := next((form for form in known if form.recognises(text[begin:])), None):
            return _read(form, text[begin:], files)
    raise BadNotation(
        f"This text is not a recorded game; a game has one of the formats {', '.join(form.title for form in known)}. "
        "To enter a position, use the analysis board."
    )


def _read(form: RecordFormat, text: str, files: tuple[str, ...]) -> Brought:
    """Read the first game of a text."""
    left_out, games = list[str](), list[RecordedGame | BrokenGame]()
    for each in form.read(text):
        if isinstance(each, Doubt):
            left_out.append(f"{each.what[0].upper()}{each.what[1:]}")
        else:
            games.append(each)
        if len(games) > 1:
            break
    game = games[0] if games else BrokenGame("the text contains no game.")
    if isinstance(game, BrokenGame):
        raise BadNotation(f"{form.title}, {game.what}")
    check_spec(game.spec)
    check_length(game.num_moves)
    if game.is_rearranged:
        raise BadInput("This game sets up pieces after its first move; replays and links cannot contain that.")
    positions = game.positions(game_told(game.spec, files))
    last = positions[-1]
    annotations, more = game.annotations(positions)
    left_out += [*(f"Left out: {each}" for each in game.left_out), *more]
    if game.header.other_clock:
        sentence = "is left out; a time with an increment, byo-yomi or Canadian overtime can be shown."
        left_out.append(f"The time control {game.header.other_clock!r} {sentence}")
    if len(games) > 1:
        left_out.append("Only the first game of the text is opened.")
    winner, reason = game.end(last)
    return Brought(last, game.header, winner, reason, annotations, tuple(left_out[:MOST_LEFT_OUT]))


def header_of(summary: GameSummary) -> RecordHeader:
    """Return what a record says about a game besides its moves."""
    first, second = summary.players
    is_over = summary.winner is not None or summary.reason not in WITHOUT_RESULT
    return RecordHeader(
        names=(first.name, second.name),
        ratings=(first.rating, second.rating),
        result=result_of(summary.winner, over=is_over),
        reason=summary.reason,
        rated=summary.rated,
        ended=summary.finished,
        clock=summary.clock,
        overtime=summary.overtime,
    )
