"""A position as text: the board with its marks and their meaning, captured pieces, and the game's note."""

from ludus.games.board import Board, Cell
from ludus.games.drawing import draw
from ludus.games.game import Position

SIGNS = {  # by kind of mark, the sign before the cell; of several marks, the last one counts
    "last": ">",
    "territory-0": "+",
    "territory-1": "-",
    "ko": "k",
    "check": "!",
    "win": "*",
    "forbidden": "!",
    "dead": "~",
}
ORDINALS = ("", "", "second ", "third ")


def picture(position: Position) -> str:
    """Return the text that shows a position to a player."""
    board, players = position.describe(), position.game.players
    kinds: dict[Cell, str] = {}
    for kind in SIGNS:
        kinds |= {mark.at: kind for mark in board.marks if mark.kind == kind}
    drawn = draw(board, {at: SIGNS[kind] for at, kind in kinds.items()})
    meanings = ", ".join(f"{sign} {_meaning(kind, players)}" for kind, sign in SIGNS.items() if kind in kinds.values())
    return "\n".join(filter(None, [drawn, meanings, *_taken(board, players), board.stage, board.note, _buttons(board)]))


def prompt(position: Position) -> str:
    """Return the input prompt: with the color of the next piece, if any, and the number of the action in its move."""
    before, number = position.parent, 1
    while before and before.to_play == position.to_play:
        before, number = before.parent, number + 1
    colour = position.describe().next_colour
    put = "" if colour is None else f" ({'xo'[colour]})"
    ordinal = ORDINALS[number] if number < len(ORDINALS) else f"{number}th "
    return f"your move{put}, {ordinal}action: " if number > 1 else f"your move{put}: "


def _meaning(kind: str, players: tuple[str, str]) -> str:
    return f"{players[int(kind[-1])]}'s" if kind.startswith("territory-") else kind


def _buttons(board: Board) -> str:
    """Return the texts to type for buttons that have other labels on the page."""
    buttons = [(each.text, each.label or "") for each in board.choices if each.kind == "button"]
    return ", ".join(f"`{text}`: {label}" for text, label in buttons if label and label.lower() != text)


def _taken(board: Board, players: tuple[str, str]) -> list[str]:
    """Return a line for each player who has captured pieces."""
    lines: list[str] = []
    for player, name in enumerate(players):
        taken = [each for each in board.captured if each.by == player]
        named = [f"{each.count} {each.shape}{'s' if each.count > 1 else ''}" for each in taken]
        lines += [f"{name} has taken {', '.join(named)}."] if named else []
    return lines
