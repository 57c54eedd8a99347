"""Gomoku (five in a row): freestyle, standard and renju, on boards from 5x5 to 20x20.

Loaded by `ludus.game("gomoku[:RULE][:NxN][:swap2][:threats][:fours]")`, e.g. `gomoku` (15x15), `gomoku:9x9`,
`gomoku:standard`:

    freestyle   five or more in a row win (default)
    standard    exactly five in a row win; an overline does not
    renju       Black needs exactly five, and loses by a double three, a double four or an overline; White is free
    swap2       the first player puts three stones; the second takes Black, or plays White, or puts two more stones and
                lets the first choose
    threats     additional planes: where a stone of either colour would make fives, fours and threes
    fours       additional planes: where either colour starts a win by fours
"""

import re

from ludus.errors import BadGame
from ludus.games.about import About, OpeningRule, Options, Variant
from ludus.games.game import Game
from ludus.games.gomoku.arrange import EDITOR
from ludus.games.gomoku.describe import describer, reason
from ludus.games.gomoku.fours import foresee
from ludus.games.gomoku.heuristic import heuristic
from ludus.games.gomoku.layout import FREESTYLE, MAX_SIZE, MIN_SIZE, RENJU, ROWS, RULES
from ludus.games.gomoku.notation import CHOICES, action_text, parser
from ludus.games.gomoku.planes import encoder, plane_names
from ludus.games.gomoku.rules import rules, symmetric_action, symmetric_state
from ludus.games.gomoku.start import setup, starter

__all__ = ["about", "make"]

about = About(
    title="Gomoku",
    example="e5 f6 e6 e7 d5 f5 c4 f7 f4 d7 g4",
    variants=(
        Variant("freestyle", "Freestyle", "Place stones; five or more of yours in a line win.", board=(15, 15)),
        Variant("standard", "Standard", "Place stones; exactly five of yours in a line win."),
        Variant("renju", "Renju", "Five in a line win; some points are forbidden for Black."),
    ),
    sizes=((9, 9), (13, 13), (15, 15), (19, 19)),
    opening=OpeningRule("swap2", "Swap2"),
    options=Options(planes=("threats", "fours")),
    endings={"forbidden point": "Black played a forbidden point"},
    editor=EDITOR,
    heuristic_boards=("15x15",),
    engines=("gomocup",),
)

FORM = "gomoku[:RULE][:NxN][:swap2][:threats][:fours], e.g. gomoku:9x9 or gomoku:renju:15x15"
USUAL = "15x15"
OPTIONS = ("swap2", "threats", "fours")


def make(*parts: str) -> Game:
    """Return the Gomoku variant of the options; raise BadGame if they are wrong."""
    spec = ":".join(("gomoku", *parts))
    rest = list(parts)
    rule = RULES.index(rest.pop(0)) if rest and rest[0] in RULES else FREESTYLE
    sides = re.fullmatch(r"(\d{1,2})x(\d{1,2})", rest.pop(0) if rest and rest[0] not in OPTIONS else USUAL, re.ASCII)
    swap2, threats, fours = (option in rest for option in OPTIONS)
    if not sides or rest != [option for option in OPTIONS if option in rest]:
        raise BadGame(f"{spec}: write {FORM}; the rules are {', '.join(RULES)}.")
    size = int(sides[1])
    if sides[1] != sides[2] or not MIN_SIZE <= size <= MAX_SIZE:
        raise BadGame(f"{spec}: the board must be square, from {MIN_SIZE}x{MIN_SIZE} to {MAX_SIZE}x{MAX_SIZE}.")
    renju, choices = rule == RENJU, len(CHOICES) if swap2 else 0
    names = plane_names(renju=renju, swap2=swap2, threats=threats, fours=fours)
    game = Game(
        name=spec,
        state_size=ROWS + size,
        dtype="int64",
        num_actions=size * size + choices,
        planes=(len(names), size, size),
        plane_names=names,
        max_actions=size * size + choices,
        start=starter(size, rule, swap2=swap2),
        **rules(renju),
        encode=encoder(renju, swap2, threats, fours),
        heuristic=heuristic(renju),
        foresee=foresee,
        num_symmetries=8,
        symmetric_state=symmetric_state,
        symmetric_action=symmetric_action,
        action_places=[(0, cell // size, cell % size) for cell in range(size * size)]
        + [(choice, -1, -1) for choice in range(choices)],
        players=("Player 1", "Player 2") if swap2 else ("Black", "White"),
        action_text=action_text,
        parse_move=parser(lambda: game.calls),
        describe=describer(size, rule),
        reason=reason,
        setup=setup,
    )
    return game
