"""`ludus bench sessions`: many sessions that share a model."""

from typing import Annotated

import msgspec
import typer

from ludus.cli.bench.figures import Json, print_figures
from ludus.cli.terminal.screen import announce_compilation
from ludus.errors import BadInput
from ludus.games.registry import game as find_game
from ludus.selfplay.measure import describe_machine

FIRST_VISITS = 200


def sessions(  # noqa: PLR0913 - each option of a command is an argument
    model: Annotated[str, typer.Option(help="A model's folder.")] = "models/wallgame-small",
    game: Annotated[str | None, typer.Option(help="Spec of the game (default: the model's first game).")] = None,
    sessions: Annotated[str, typer.Option(help="Numbers of sessions at a time.")] = "1,16,64,256",
    visits: Annotated[int, typer.Option(min=2, max=10_000_000, help="Visits of an answer.")] = 100,
    seconds: Annotated[float, typer.Option(min=0.1, help="Measured time of a run.")] = 3.0,
    runs: Annotated[int, typer.Option(min=1, help="Runs, of which the median counts.")] = 3,
    slots: Annotated[int, typer.Option(min=1, help="Trees.")] = 256,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads for one batch.")] = 1,
    streams: Annotated[int, typer.Option(min=1, help="Batches that are judged at the same time.")] = 2,
    as_json: Json = False,
) -> None:
    """Answers, evaluations and waiting times of many sessions that share a model, each with a tree of its own.

    Before that, the time from the start of a session to its first answer, with 200 visits, of an engine in a process.
    """
    from ludus.engine.bgs.measure import measure_first_answer
    from ludus.players.jobs.measure import measure_sessions
    from ludus.players.thinking.mind import Mind

    announce_compilation()
    if not all(part.isdecimal() and int(part) > 0 for part in sessions.split(",")):
        raise BadInput(f"--sessions {sessions}: write numbers with commas between them, such as 1,16,64.")
    numbers = [int(part) for part in sessions.split(",")]
    mind = Mind.load(model, threads=threads, streams=streams)
    board = find_game(game or mind.games[0])
    first = msgspec.to_builtins(measure_first_answer(model, board.name, visits=FIRST_VISITS, threads=threads))
    services = measure_sessions(mind, board, numbers, visits=visits, seconds=seconds, runs=runs, slots=slots)
    gains = {str(each.sessions): each.evaluations_per_s / services[0].evaluations_per_s for each in services[1:]}
    head = {"bench": "sessions", "model": model, "game": board.name, "visits": visits, "seconds": seconds, "runs": runs}
    if as_json:
        rows = [msgspec.to_builtins(service) for service in services]
        head |= {
            "threads": threads,
            "streams": streams,
            "slots": slots,
            "first_answer": first,
            "evaluations_over_sequential": gains,
        }
        print_figures(head | {"rows": rows} | describe_machine(), as_json)
        return
    print_figures(
        first | {f"evaluations_{number}_sessions_over_sequential": gain for number, gain in gains.items()}, as_json
    )
    print()
    for service in services:
        print_figures(msgspec.to_builtins(service), as_json)
        print()
