"""`ludus play`: a game in the terminal against a model or a built-in player."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.terminal.chances import evaluation_words
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.picture import picture, prompt
from ludus.cli.terminal.screen import announce_compilation, console, say
from ludus.cli.terminal.setup import SetupOption, read_setup
from ludus.errors import BadInput, BadNotation, IllegalMove
from ludus.evaluations.file import Mode
from ludus.games import EXAMPLE_GAME
from ludus.games.game import Position
from ludus.players.matches.roster import NamedPlayer, board_for, caveat, find_player, games_of, goes_by_visits
from ludus.players.matches.search_player import SearchPlayer
from ludus.seeding import stream

HELP = (
    "Type a move in the game's notation, or a single action; `moves` lists the actions, `undo` takes your last move "
    "back, `chances` tells how the opponent judges the position, `help` prints this text, `quit` ends."
)
VISITS = 200  # default visits for each move


def play(
    opponent: Annotated[
        str, typer.Argument(help="A model's path, or any other player of `ludus match`, such as heuristic:400.")
    ],
    game: Annotated[
        str | None, typer.Option(callback=named, help="Spec of the game (default: the model's first game).")
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the opponent move first.")] = False,
    setup: SetupOption = "",
    visits: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10_000_000,
            help=f"Visits of the opponent's moves: its strength (default: {VISITS}; not with a limit in its name).",
        ),
    ] = None,
    evaluations: Annotated[Path | None, typer.Option(help="An evaluation file of the model, to read.")] = None,
    append: Annotated[bool, typer.Option("--append", help="Store the model's new evaluations in this file.")] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the opponent's random choices (default: a new one each time).")
    ] = None,
) -> None:
    """Play a game in the terminal."""
    if append and not evaluations:
        raise BadInput("--append: there is no file to append to; give --evaluations FILE.")
    if visits is not None and not goes_by_visits(opponent):
        raise BadInput(f"--visits: {opponent} does not use visits; leave the option out.")
    announce_compilation()
    specs = (game,) if game else games_of(opponent)
    if not specs:
        raise BadInput(f"{opponent} plays any game; choose one with --game SPEC, such as --game {EXAMPLE_GAME}.")
    board_game = board_for(opponent, specs[0])
    mode: Mode = "append" if append else "read"
    chance = secrets.randbits(32) if seed is None else seed
    foe = find_player(opponent, board_game, visits=visits or VISITS, evaluations=evaluations, mode=mode, seed=chance)
    human = 1 if second else 0
    say(f"{board_game.name}: you are {board_game.players[human]}, against {foe.name}. {HELP}")
    if sentence := caveat(opponent, board_game):
        say(sentence)
    begin = read_setup(setup) if setup else board_game.draw_setup(stream(chance, "play", "setup"))
    position = _play(board_game.start(begin), foe, human)
    if position.outcome:
        say(picture(position))
        winner, reason = position.outcome.winner, position.outcome.reason
        verdict = "Draw" if winner is None else "You win" if winner == human else f"{foe.name} wins"
        say(f"{verdict}{reason and f': {reason}'}.")


def _play(position: Position, foe: NamedPlayer, human: int) -> Position:
    game = position.game
    while not position.outcome:
        if position.to_play == human:
            say(picture(position))
            answer = _ask(position, human, foe)
            if answer is None:
                return position
            position = answer
        else:
            text = ""
            while not position.outcome and position.to_play != human:
                state = game.for_search(position.state)
                action = int(foe.choose(game, state.view("uint64")[None])[0])
                text += ("." if text else "") + position.text(action)
                position = position.play(action)
            say(f"{foe.name} plays {text}")
    return position


def _ask(position: Position, human: int, foe: NamedPlayer) -> Position | None:
    while True:
        try:
            text = console.input(prompt(position)).strip()
        except EOFError:
            console.print()  # the shell's prompt starts on a new line
            return None
        if text == "quit":
            return None
        if text == "moves":
            say(" ".join(position.text(action) for action in position.actions))
        elif text == "chances":
            say(_chances(position, human, foe))
        elif text in ("help", "?"):
            say(HELP)
        elif text == "undo":
            if before := _undone(position, human):
                return before
            say("There is no move of yours to take back.")
        elif text:
            try:
                return position.play(text)
            except (BadNotation, IllegalMove) as error:
                named = [action for action in position.actions if position.text(action) == text]
                if named:  # the first action of a move, as listed by `moves`
                    return position.play(named[0])
                say(str(error))


def _chances(position: Position, human: int, foe: NamedPlayer) -> str:
    """Return how the opponent judges the position."""
    if not isinstance(foe, SearchPlayer):
        return f"{foe.name} judges no positions; play against a model or against heuristic:400 for win chances."
    value = foe.value(position.game, position.game.for_search(position.state).view("uint64"))
    return f"{evaluation_words(position.game.players, human, value)}, as {foe.name} judges it."


def _undone(position: Position, human: int) -> Position | None:
    """Return the position before the human's last turn with an action; None if the human has not acted."""
    before = position.parent
    while before and (before.to_play != human or (before.parent and before.parent.to_play == human)):
        before = before.parent
    return before
