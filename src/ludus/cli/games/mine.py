"""`ludus mine`: finds puzzles for the site in finished games."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from ludus import lines
from ludus.cli.engine.options import Backend, Servers, Streams, Threads
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import announce_compilation, console, progress_bar, say, say_fault
from ludus.errors import BadInput, Unavailable
from ludus.games.puzzle import Mined, Mining, read_puzzles, with_games
from ludus.paths import lasting


def mine(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[Path, typer.Argument(help="The folder of the model that evaluates.")],
    records: Annotated[
        list[Path],
        typer.Option(help="Finished games: .pgn, .sgf, .txt of a site, .jsonl of a match, or folders; repeatable."),
    ],
    out: Annotated[Path, typer.Option(help="The file of puzzles, to create or to continue.")],
    game: Annotated[
        list[str] | None, typer.Option(callback=named, help="Specs of the games (default: the model's); repeatable.")
    ] = None,
    short: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Visits of a search that must miss the move; 0: it may find it.")
    ] = 30,
    visits: Annotated[
        int, typer.Option(min=10, max=5_000_000, help="Visits of a search that must find it; twice as many must agree.")
    ] = 2000,
    worth: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Minimum value of the position for the mover, unless it is proved.")
    ] = 0.7,
    gap: Annotated[
        float, typer.Option(min=0.01, max=2.0, help="Minimum loss of value by the move played and other wrong moves.")
    ] = 0.5,
    most_right: Annotated[int, typer.Option(min=1, max=20, help="Maximum number of right moves.")] = 3,
    own_moves: Annotated[
        int, typer.Option(min=1, max=20, help="Minimum number of the mover's moves in the main line.")
    ] = 1,
    found: Annotated[
        bool, typer.Option("--found", help="Also take positions whose right move was played, after a mistake.")
    ] = False,
    wrong: Annotated[int, typer.Option(min=1, max=100, help="Number of wrong moves that further searches find.")] = 6,
    at_once: Annotated[int, typer.Option(min=1, max=512, help="Games to search side by side.")] = 16,
    threads: Threads = 1,
    streams: Streams = 2,
    inference: Servers = None,
    backend: Backend = "openvino",
) -> None:
    """Find puzzles in finished games; the same command continues after Ctrl-C."""
    from ludus.games.registry import game as find_game
    from ludus.loop.game_records.positions import games_of
    from ludus.players.jobs.mine import GameToMine
    from ludus.players.jobs.mine import mine as look
    from ludus.players.jobs.puzzle_check import Demands
    from ludus.players.thinking.mind import Mind
    from ludus.protocol.spec import spec_in_play

    if short >= visits:
        raise BadInput(f"--short {short} --visits {visits}: --visits must be larger than --short.")
    demands = Demands(short, visits, worth, gap, min(Demands().near, gap / 2), most_right, own_moves, found, wrong)
    announce_compilation()
    mind = Mind.load(
        model,
        threads=threads,
        streams=streams,
        slots=4 * at_once,
        max_visits=2 * visits,
        servers=inference,
        backend=backend,
    )
    try:
        boards = [find_game(spec_in_play(spec)) for spec in game or mind.games]
        for board in boards:
            mind.seen_as(board)
        played = [GameToMine(each.positions[-1], each.opening) for each in games_of(records, boards, say_fault)]
        if not played:
            named = ", ".join(game or mind.games)
            raise BadInput(f"{', '.join(map(str, records))}: no game of {named} in these records.")
        begun = Mining(
            mind.name, mind.weights, short, visits, worth, gap, demands.near, most_right, own_moves, found, wrong
        )
        there = _open(out, begun)
        done = {mined.game for mined in there}
        fresh = {each.name: each for each in played if each.name not in done}
        known = {puzzle.id for mined in there for puzzle in mined.puzzles}
        results: list[Mined] = []
        with progress_bar() as tell:
            total = sum(each.num_turns for each in fresh.values())
            looked = count(1)

            def on_turn() -> None:
                tell("positions", next(looked), total)

            try:
                for mined in look(mind, [*fresh.values()], demands, at_once=at_once, known=known, on_turn=on_turn):
                    _append(out, mined)
                    results.append(mined)
            except KeyboardInterrupt:
                begin_anew = "the games in progress are searched again when the same command continues"
                say(f"{out}: the results of {len(results)} games are stored; {begin_anew}.", on=console)
                raise
    finally:
        mind.close()
    _tell(out, results, len(played) - len(fresh), len(known))


def _open(out: Path, begun: Mining) -> list[Mined]:
    """Create a file or return the results in it; raise BadInput if it was created with other settings."""
    try:
        if out.exists() and not out.is_file():
            raise BadInput(f"{out}: is not a regular file; choose another file.")
        if lines.begin(out, begun):
            return []
    except OSError as error:
        raise Unavailable(f"{out}: cannot be written ({error.strerror}); choose another file with --out.") from error
    there, mined = read_puzzles(out)
    for name in Mining.__struct_fields__:
        before, now = getattr(there, name), getattr(begun, name)
        if before != now:
            raise BadInput(f"{out}: was created with {name} {before}, not {now}; choose another file with --out.")
    return mined


def _append(out: Path, mined: Mined) -> None:
    try:
        lines.append(out, with_games(mined, lasting))
    except OSError as error:
        raise Unavailable(f"{out}: cannot be written ({error.strerror}); free disk space and continue.") from error


def _tell(out: Path, found: list[Mined], skipped: int, known: int) -> None:
    from ludus.players.jobs.puzzle_check import REASONS

    refused: Counter[str] = Counter()
    for mined in found:
        refused.update(mined.refused)
    puzzles, turns = sum(len(mined.puzzles) for mined in found), sum(mined.turns for mined in found)
    print(f"{out}: {len(found)} games searched, {turns} positions; {puzzles} new puzzles, {known + puzzles} in all.")
    if skipped:
        print(f"{skipped} games were skipped, because they were searched before or occur twice.")
    for reason, words in REASONS.items():
        with suppress(KeyError):
            print(f"{refused.pop(reason):8}  {words}")
