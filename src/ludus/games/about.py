"""What people, sites and protocols need of a game besides its rules; every part is optional.

A game's module may define `about = ludus.About(...)`.  The rest of the house knows a game by its rules and this only.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from ludus.games.board import Board, Edge, Piece
from ludus.games.game import Game, Position
from ludus.games.rules import State
from ludus.games.solved import SolvedPosition, Solver, TacticPuzzle

Size = tuple[int, int]  # columns, rows

STANDARD = "standard"
"""The variant of a game that declares none."""


class Named(Struct, frozen=True):
    """An option: its value, and the name to show."""

    value: str
    """The value that is sent."""
    name: str
    """The name that people see."""


class Variant(Struct, frozen=True):
    """A variant of a game: the part of the game's name that selects its rules."""

    value: str
    """The part; `standard` may be missing in the game's name."""
    name: str = ""
    """The name to show (default: the value, capitalised)."""
    aim: str = ""
    """The rules in one sentence (default: the game's `aim`)."""
    board: Size | None = None
    """A board that sites list even if no bot plays it, since two people can play on it."""
    fixed: bool = False
    """Whether `board` is the only board of this variant, so that its size need not be told."""
    listed: bool = True
    """Whether people may choose the variant."""
    plays_as: str = ""
    """Another variant with the same planes and actions, whose networks play this one, too."""
    endings: dict[str, str] = {}
    """Words for reasons of a game's end, where this variant needs others than the game."""


class OpeningRule(Struct, frozen=True):
    """An opening rule such as Swap2, in which the players choose their colours during the game."""

    value: str
    """The option in the game's name; a protocol tells it as a suffix of the variant: `renju-swap2`."""
    name: str
    """The name to show: `Swap2` becomes "Freestyle with Swap2"."""
    players: tuple[str, str] = ("First", "Second")
    """The names of the sides under this rule."""


class SetupField(Struct, frozen=True):
    """An option of the first position: a key of the `setup` that `Game.start` accepts."""

    key: str
    """The key in the setup."""
    title: str
    """The label of the input field."""
    kind: Literal["choice", "number", "text", "lot"]
    """The kind of input: a `choice` of integers, a `number` in steps of 0.5, a `text`, or a `lot`: an integer that the
    game draws at random if the player gives none."""
    values: list[str] = []
    """The values of a `choice`; the first is the default."""
    hint: str = ""
    """The placeholder of the empty input field."""
    most: int = 0
    """The maximum of a `lot`."""
    variants: list[str] = []
    """The variants that have this option; empty for all of them."""


class Options(Struct, frozen=True):
    """Parts of a game's name that are neither its variant nor its size."""

    planes: tuple[str, ...] = ()
    """Add input planes for networks; the rules stay the same."""
    play: tuple[str, ...] = ()
    """Are added when people or protocols play."""
    people: tuple[str, ...] = ()
    """Are added when two people play each other."""
    training: tuple[str, ...] = ()
    """Belong to training, and are dropped when people or protocols play."""
    editions: tuple[str, ...] = ()
    """Editions of the rules, the newest first, which is the default."""
    limits: tuple[str, ...] = ()
    """Options with a value (`plies=30`) that sets how large a state is; sites refuse them."""
    records: tuple[str, ...] = ()
    """Further options that the names of recorded games may have; those with a value (`komi=7`) need no mention."""


class PieceKind(Struct, frozen=True):
    """A kind of piece that may be placed on the board."""

    shape: str
    """The picture, as in `Piece`."""
    owner: int | None
    """Player 0 or 1; None for a neutral piece."""
    name: str
    """The name to show."""
    single: bool = False
    """Whether the board always has exactly one such piece, which can be moved but not removed."""


class Kit(Struct, frozen=True, rename="camel"):
    """The response to `POST /api/study/kit`: the position to start from, and everything that can be changed in it."""

    board: Board
    """The position to start from, without choices."""
    kinds: list[PieceKind]
    """The kinds of pieces; empty if positions of this game cannot be arranged."""
    edges: list[str]
    """The sides of a cell on which walls may be placed, such as `right`."""
    to_play: int
    """The side to move."""
    movers: list[Named]
    """The possible sides to move, by number; empty if the side to move cannot be chosen."""
    switches: list[Named]
    """Properties of a position that can be switched on and off, such as a castling right."""
    on: list[str]
    """The switches that are on."""


class Arranged(NamedTuple):
    """A position that a person arranged piece by piece, not yet checked."""

    pieces: list[Piece]
    """The pieces on the board."""
    edges: list[Edge]
    """The walls."""
    to_play: int
    """The side to move."""
    switches: list[str]
    """The switches of the kit that are on."""
    setup: dict[str, Any] | str | None
    """The setup of the position that was changed; what cannot be arranged, such as the komi, is taken from it."""


class Editor(NamedTuple):
    """Functions with which people set up positions piece by piece."""

    kit: Callable[[Position, Board], Kit]
    """Returns what can be changed in a position; the board comes without choices and passing marks."""
    setup: Callable[[Arranged, Position], Any]
    """Returns the setup for `Game.start`, given the game's first position; raises BadNotation for an impossible one."""
    prefix: str = ""
    """A regular expression: what errors of `Game.start` say before their reason, which people need not read."""


Theme = tuple[str, Callable[[Sequence[Position]], bool]]
"""What a puzzle is about: a word of the game, such as `Fork`, and a test of the positions of the solution's main line:
that of the puzzle, and those after each move."""


class About(Struct, frozen=True, kw_only=True):
    """Describes a game for people, sites and protocols."""

    title: str = ""
    """The title of the game (default: its name, capitalised)."""
    aim: str = ""
    """The rules in one sentence (default: the first sentence of the docstring, without `TITLE:` before it)."""
    example: str = ""
    """Moves to the position that a catalogue shows, with blanks between them; moves that a small board lacks and those
    after them are left out."""
    variants: tuple[Variant, ...] = ()
    """The usual variant first (default: the single variant `standard`)."""
    sizes: tuple[Size, ...] = ()
    """The sizes of board that people may choose (default: the boards that bots recommend)."""
    setup: tuple[SetupField, ...] = ()
    """Options of the first position that people may choose."""
    opening: OpeningRule | None = None
    """An opening rule that people may choose (default: none)."""
    options: Options = Options()
    """Further parts of the game's name."""
    frames: bool = False
    """Whether a name may put a board into the frame of a larger one (`5x5@8x8`), so that larger networks play it."""
    editor: Editor | None = None
    """Functions with which people set up positions piece by piece (default: positions cannot be set up)."""
    endings: dict[str, str] = {}
    """Words for the reasons that `reason` returns, where people need other words than stored games (default: the
    reason)."""
    forced_win: str = ""
    """What a forced win is called: `mate` gives `mate in 3` and `mated in 3` (default: `wins in 3`, `loses in 3`)."""
    terms: Callable[[Position], list[Named]] | None = None
    """Returns what else is agreed at the first position, as names and values such as `Komi` and `7.5` (default: nothing
    besides variant and board)."""
    rank: Callable[[int, int], str] | None = None
    """Returns a rating that people know, given with its error, in the game's own ranks: `7 kyu ± 1` (default: Elo)."""
    heuristic_boards: tuple[str, ...] = ()
    """Boards with bots that need no network, if no model plays them: the parts after the game's name; "" for none."""
    trial_boards: tuple[str, ...] = ()
    """Boards of the dummy bot, with which a site is tried without a model."""
    registered: tuple[str, ...] = ()
    """The variants that bots may register (default: any)."""
    records: Callable[[], object] | None = None
    """Returns the text format in which people exchange games, a `ludus.games.records.RecordFormat`; it is called when a
    text is read or written (default: the plain format of `ludus.games.recorded`)."""
    solver: Callable[[Game], Solver] | None = None
    """Returns a new solver of the game or of one of its variants: the player `solver` of matches and grades."""
    read_solved: Callable[[Path], list[SolvedPosition]] | None = None
    """Reads a file of solved positions for `ludus grade --positions`; raises BadInput with the faulty line."""
    read_tactics: Callable[[Path], Iterable[TacticPuzzle]] | None = None
    """Reads a file of puzzles for `ludus grade --puzzles`, one after the other; raises BadInput with the line."""

    themes: tuple[Theme, ...] = ()
    """Themes of puzzles besides those of every game: words that people read with the solution, each with a test of the
    positions of its main line (`ludus.games.themes`)."""

    engines: tuple[str, ...] = ()
    """Protocols with which other programs play this game: modules of the package `engines` beside the game's module.
    `ludus engine` has a command for each."""
    analysis_dialects: tuple[str, ...] = ()
    """Protocols in which `ludus engine analysis` also reads queries about this game: modules of the same package."""
    lead: Callable[[State], float] | None = None
    """In a game with points: the first player's lead in points beside the cells that the final maps count, such as the
    komi; analyses report an expected lead (default: the game has no points)."""

    def variant(self, value: str) -> Variant | None:
        """Return a declared variant; None if the game does not declare it."""
        return next((each for each in self.variants if each.value == value), None)

    @property
    def usual(self) -> str:
        """The variant that a name without a variant selects."""
        return self.variants[0].value if self.variants else STANDARD

    def is_variant(self, part: str) -> bool:
        """Return whether a part of the game's name, other than the size, selects a variant."""
        if self.variants:
            return self.variant(part) is not None
        options = self.options
        own = (*options.planes, *options.play, *options.people, *options.training, *options.editions, *options.records)
        return "=" not in part and part not in own
