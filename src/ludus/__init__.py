"""Ludus: write the rules of a board game in one Python file; train, measure, serve and play a strong engine for it."""

from ludus.api import TrainedRun, analyse, match, train
from ludus.games.about import (
    About,
    Arranged,
    Editor,
    Kit,
    Named,
    OpeningRule,
    Options,
    PieceKind,
    SetupField,
    Variant,
)
from ludus.games.board import Board, Captured, Choice, Edge, Label, Mark, Piece, Spot
from ludus.games.game import Game, Outcome, Position
from ludus.games.registry import own_game as game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from ludus.games.solved import SolvedPosition, Solver, TacticPuzzle
from ludus.kernel import count_bits, lowest_bit
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.seat import Seat
from ludus.players.thinking.thought import Candidate, Thought
from ludus.version import __version__ as __version__

load = Mind.load

__all__ = [
    "DRAW",
    "FIRST_WINS",
    "ONGOING",
    "SECOND_WINS",
    "About",
    "Arranged",
    "Board",
    "Candidate",
    "Captured",
    "Choice",
    "Edge",
    "Editor",
    "Game",
    "Kit",
    "Label",
    "Mark",
    "Mind",
    "Named",
    "OpeningRule",
    "Options",
    "Outcome",
    "Piece",
    "PieceKind",
    "Position",
    "Seat",
    "SetupField",
    "SolvedPosition",
    "Solver",
    "Spot",
    "TacticPuzzle",
    "Thought",
    "TrainedRun",
    "Variant",
    "analyse",
    "count_bits",
    "game",
    "load",
    "lowest_bit",
    "match",
    "train",
]
