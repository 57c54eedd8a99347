"""What people read about a game that is played: its rules, board and terms, and how it ended."""

from ludus.games.about import STANDARD, Named
from ludus.games.game import Position
from ludus.games.registry import about
from ludus.paths import spec_parts
from ludus.protocol.spec import setting_of
from ludus.site.catalogue.specs import rules_of
from ludus.viewpoint import turn

ENDINGS = {"draw-agreement": "draw agreed", "timeout": "out of time"}
"""Words for the reasons that the site itself gives; it uses wallgame.io's names for them."""

IN_BROWSER = Named("thinks in the player's browser, so the game is unrated", "Bot")
"""The term of a game against a bot that thinks in the browser of its opponent."""


def rules_words(spec: str) -> str:
    """Return what the rules are called, such as `Freestyle with Swap2`; "" for a game with one kind of rules."""
    told, variant = about(spec), setting_of(spec).variant
    rule = rules_of(told, variant)
    declared = told.variant(rule)
    name = (declared and declared.name) or rule.capitalize()
    if told.opening and rule != variant:
        return f"{name} with {told.opening.name}"
    return "" if name == STANDARD.capitalize() else name


def terms_of(spec: str, first: Position) -> list[Named]:
    """Return what is agreed about a game: rules, board, and further terms such as the komi.

    Args:
        spec: the full name of the game.
        first: the first position.
    """
    told, board = about(spec), first.describe()
    rules = rules_words(spec)
    found = [Named(rules, "Rules")] if rules else []
    found += [Named(f"{board.columns} \u00d7 {board.rows}", "Board")] if board.rows and not board.cells else []
    found += [Named(part, "Edition") for part in spec_parts(spec) if part in told.options.editions[1:]]
    if told.terms:
        return found + told.terms(first)
    game = first.game
    is_usual = game.draws_setups or game.setup(first.state) == game.setup(game.start().state)
    return found if is_usual else [*found, Named("set up by hand", "Position")]


def forced_words(position: Position, value: float, wins_in: int) -> str:
    """Return what people read instead of the win chance of a forced win, such as `mate in 3`; "" for other lines.

    Args:
        position: where the line begins.
        value: the value of a line of best play, from player 0's view.
        wins_in: the moves of a proved win; 0: unknown, or none.
    """
    if not wins_in:
        return ""
    word, wins = about(position.game.name).forced_win, turn(value, position.to_play) > 0.0
    told = (word or "wins") if wins else (f"{word}d" if word else "loses")
    return f"{told} in {wins_in}"


def ending_words(spec: str, reason: str) -> str:
    """Return why a game ended, in the words of its players."""
    told = about(spec)
    declared = told.variant(rules_of(told, setting_of(spec).variant))
    own = told.endings | (declared.endings if declared else {})
    return own.get(reason) or ENDINGS.get(reason, reason)
