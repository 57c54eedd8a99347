"""The plain format of Ludus as a text format for every game, and the formats of all games."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from ludus.errors import BadGame, BadInput, BadNotation
from ludus.games import BUILT_IN
from ludus.games.annotations import MAX_ACTIONS, NONE, Annotations, GameTree, RecordLine, annotations_of, line_of
from ludus.games.game import Position
from ludus.games.recorded import Recorded, read_record, read_setup, setup_tag, write_record
from ludus.games.records import (
    BrokenGame,
    Doubt,
    RecordedGame,
    RecordFormat,
    RecordHeader,
    clock_text,
    clocks_in,
    date_in,
    date_text,
    leading_tags,
    other_clock,
    rating_in,
)
from ludus.games.registry import about, installed, told_name

_SIDES = ("Player1", "Player2")


class PlainFormat(RecordFormat):
    """The format of `ludus.games.recorded`."""

    title = "Ludus record"
    suffix = "txt"

    def recognises(self, text: str) -> bool:
        """Return whether a text has the tag Game with a name; in PGN it is a number, if anything."""
        return not leading_tags(text).get("Game", "0").isdecimal()

    def read(self, text: str, *, compiled: bool = False) -> Iterator[RecordedGame | BrokenGame | Doubt]:
        """Yield the game of a text, whose name may be that of a game in a file."""
        del compiled
        recorded = read_record(text)
        if "Game" not in recorded.tags:
            raise BadNotation("The record has no tag Game, which names the rules; add it.")
        header = header_of(recorded, recorded.tags.get("Termination", ""))
        setup = read_setup(recorded.tags)
        yield RecordedText(
            spec=recorded.tags["Game"], header=header, setup=setup, moves=recorded.moves, line=recorded.line
        )

    def write(self, tree: GameTree, header: RecordHeader) -> str:
        """Return the record of a game."""
        tags = {"Game": told_name(tree.last.game.name)} | setup_tag(tree.last.history[0]) | tags_of(header)
        tags |= {"Termination": header.reason} if header.reason else {}
        return write_record(Recorded(tags, line_of(tree), header.result))


PLAIN = PlainFormat()


def format_of(spec: str) -> RecordFormat:
    """Return the text format of a game, given its name; raise BadGame if `records` in its description is wrong."""
    records = about(spec).records
    form = _made(records) if records else PLAIN
    if not isinstance(form, RecordFormat):
        raise BadGame(f"{spec}: `records` of `about` returns {form!r}; it must return a RecordFormat.")
    return form


@cache
def _made(records: Callable[[], object]) -> object:
    return records()


def formats(specs: Iterable[str] = ()) -> list[RecordFormat]:
    """Return the text formats of all games, each once: the plain one, those of other games, those of built-in games.

    Args:
        specs: names or paths of further games, such as those in files, which must be loaded.
    """
    return [*dict.fromkeys((PLAIN, *map(format_of, (*specs, *installed().modules, *BUILT_IN))))]


def tags_of(header: RecordHeader) -> dict[str, str]:
    """Return the tags of players, date and time control."""
    tags = dict(zip(_SIDES, header.names, strict=True))
    ratings = zip(_SIDES, header.ratings, strict=True)
    tags |= {f"{side}Elo": str(rating) for side, rating in ratings if rating is not None}
    tags |= {} if header.ended is None else {"Date": date_text(header.ended)}
    return tags | ({} if header.clock is None else {"TimeControl": clock_text(header.clock, header.overtime)})


def header_of(recorded: Recorded, reason: str) -> RecordHeader:
    """Return what a record's tags say; the reason of the game's end is written differently by each format."""
    tags = recorded.tags
    first, second = (tags.get(side, "?") for side in _SIDES)
    ratings = rating_in(tags.get(f"{_SIDES[0]}Elo", "")), rating_in(tags.get(f"{_SIDES[1]}Elo", ""))
    control = tags.get("TimeControl", "")
    clock, overtime = clocks_in(control)
    return RecordHeader(
        names=(first, second),
        ratings=ratings,
        result=recorded.result,
        reason=reason,
        ended=date_in(tags.get("Date", "")),
        clock=clock,
        overtime=overtime,
        other_clock=other_clock(control),
    )


class RecordedText(RecordedGame):
    """A game with variations whose moves are texts."""

    line: RecordLine

    def annotations(self, positions: list[Position]) -> tuple[Annotations, list[str]]:
        """Play the variations; a move that cannot be played ends its variation."""
        if self.line.is_bare:  # most are, and plain rules take as long for the main line as `positions` did
            return NONE, []
        left_out = played(self.line, positions[0])
        return annotations_of(self.line), left_out


def played(line: RecordLine, first: Position) -> list[str]:
    """Write the actions of all moves into a line; return a sentence for each move that ends a variation too early."""
    left_out: list[str] = []
    waiting, num_actions = [(line, first)], 0
    while waiting:
        one, position = waiting.pop()
        for index, move in enumerate(one.moves):
            try:
                after = position.play(move.text) if num_actions < MAX_ACTIONS else None
            except BadInput as error:
                after = None
                left_out.append(f"A variation is left out from {move.text} on: {error}")
            if after is None:
                del one.moves[index:]
                break
            steps, at = list[int](), after
            while at is not position:
                assert at.action is not None, "only the first position has no action"
                assert at.parent, "each position was played"
                steps.append(at.action)
                at = at.parent
            move.actions = steps[::-1]
            num_actions += len(steps)
            waiting.extend((each, position) for each in move.variations)
            position = after
    if num_actions >= MAX_ACTIONS:
        left_out.append(f"Variations are left out after {MAX_ACTIONS} actions.")
    return left_out
