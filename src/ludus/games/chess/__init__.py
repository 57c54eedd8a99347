"""Chess and Chess960, loaded by `ludus.game("chess[:OPTION...]")`.

960             Chess960; every game, also in self-play and matches, begins at a random one of the 960 positions
960:N           Chess960; every game begins at position N, 0 to 959
play-on         a claimable draw (threefold repetition, 50 moves) does not end the game; fivefold and 75 moves do
seed            the 19 planes and White's action numbers of chess-deep-rl; games end after 200 half moves
"""

from ludus.errors import BadGame
from ludus.games.about import STANDARD, About, Options, SetupField, Variant
from ludus.games.chess.actions import NUM_ACTIONS, UPSIDE_DOWN, places
from ludus.games.chess.arrange import EDITOR
from ludus.games.chess.describe import can_win, describer, reason
from ludus.games.chess.layout import HISTORY
from ludus.games.chess.mates import foresee
from ludus.games.chess.notation import Notation
from ludus.games.chess.planes import PLANE_SCALE, PLANES, SEED_NAMES, encode, encode_seed
from ludus.games.chess.rules import AUTOMATIC, CLAIMABLE, MAX_LEGAL, num_history_words, rules, to_play
from ludus.games.chess.start import NORMAL, NUM_POSITIONS, draw_setup, setup, starter
from ludus.games.chess.tactics import read_tactics
from ludus.games.game import Game
from ludus.games.rules import State
from ludus.games.themes import written

__all__ = ["about", "make"]

OPTIONS = ("960", "play-on", "seed")
CHESS960 = "960"
MAX_ACTIONS, MAX_SEED_ACTIONS = 512, 200


def _records() -> object:
    from ludus.games.chess.pgn_format import PGN  # not needed to play

    return PGN


about = About(
    title="Chess",
    example="e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6",
    forced_win="mate",
    variants=(
        Variant(STANDARD, "Standard", "Checkmate the other king.", board=(8, 8)),
        # the first position and castling differ, planes and actions do not
        Variant(CHESS960, "Chess960", "Chess with a shuffled first rank.", plays_as=STANDARD),
    ),
    setup=(
        SetupField(
            "number",
            "Start position, 0 to 959",
            "lot",
            hint="random",
            most=NUM_POSITIONS - 1,
            variants=[CHESS960],
        ),
        SetupField("fen", "Position (FEN)", "text", hint="usual start position", variants=[STANDARD]),
    ),
    endings={f"{moves} moves": f"{moves} moves without a capture or a pawn move" for moves in (50, 75)},
    options=Options(records=("play-on",)),
    editor=EDITOR,
    records=_records,
    read_tactics=read_tactics,
    themes=(
        ("Mate", written("#", later=True)),
        ("Check", written("+")),
        ("Capture", written("x")),
        ("Promotion", written("=")),
    ),
    engines=("uci",),
)


def make(*parts: str) -> Game:
    """Return the game for the options in its name; raise BadGame if they are wrong."""
    spec = ":".join(("chess", *parts))
    options = [part for part in parts if not part.isdecimal() or part == "960"]
    number = NORMAL if "960" in options else None
    for before, part in zip(("", *parts), parts, strict=False):
        if part not in options:
            if before != "960" or not int(part) < NUM_POSITIONS:
                raise BadGame(f"{spec}: {part} is not the number of a Chess960 position; write 960:0 to 960:959.")
            number = int(part)
    if not set(options) <= set(OPTIONS) or len(set(options)) < len(options):
        raise BadGame(f"{spec}: the options are {', '.join(OPTIONS)}, each at most once.")
    play_on, seed = "play-on" in options, "seed" in options

    def seen_by_mover(state: State, action: int) -> int:
        return int(UPSIDE_DOWN[action]) if seed and to_play(state) == 1 else action

    notation = Notation(chess960=number is not None, seen_by_mover=seen_by_mover, calls=lambda: game.calls)
    names = SEED_NAMES if seed else PLANES
    game = Game(
        name=spec,
        state_size=HISTORY + num_history_words(play_on),
        dtype="uint64",
        num_actions=NUM_ACTIONS,
        planes=(len(names), 8, 8),
        plane_names=names,
        plane_scale=None if seed else PLANE_SCALE,
        action_places=places(by_ranks=seed),
        max_actions=MAX_SEED_ACTIONS if seed else MAX_ACTIONS,
        max_legal=MAX_LEGAL,
        start=starter(number, (AUTOMATIC if play_on else CLAIMABLE)[0]),
        **rules(play_on, seed),
        foresee=foresee,
        encode=encode_seed if seed else encode,
        players=("White", "Black"),
        action_text=notation.action_text,
        parse_move=notation.parse_move,
        move_text=notation.move_text,
        describe=describer(notation),
        reason=reason,
        setup=setup,
        draw_setup=draw_setup if "960" in options and len(options) == len(parts) else None,
        can_win=can_win,
    )
    return game
