"""`ludus bench tree`: the search alone, with a table in place of the network."""

import statistics
from typing import Annotated

import typer

from ludus.cli.bench.figures import Json, print_figures
from ludus.cli.terminal.screen import announce_compilation
from ludus.games.registry import game as find_game
from ludus.selfplay.measure import describe_machine, measure_deep_search, measure_memory, measure_tree


def tree(
    game: Annotated[str, typer.Option(help="Spec of the game.")] = "connect4",
    parallel: Annotated[int, typer.Option(min=1, help="Trees side by side, of each worker.")] = 64,
    visits: Annotated[int, typer.Option(min=2, max=10_000_000, help="Visits of a move.")] = 200,
    workers: Annotated[int, typer.Option(min=1, help="Threads.")] = 1,
    leaves: Annotated[int, typer.Option(min=1, help="Leaves in a batch of the single deep search.")] = 8,
    seconds: Annotated[float, typer.Option(min=0.1, help="Of each run.")] = 2.0,
    runs: Annotated[int, typer.Option(min=1, help="The median counts.")] = 5,
    as_json: Json = False,
) -> None:
    """Simulations per second of the search alone, with a table in place of the network; and its memory."""
    announce_compilation()
    rules = find_game(game)
    many = [
        measure_tree(rules, parallel=parallel, visits=visits, seconds=seconds, workers=workers).reading
        for _ in range(runs)
    ]
    deep = [measure_deep_search(rules, leaves=leaves, visits=2000, seconds=seconds / 2) for _ in range(runs)]
    speeds = [each.simulations_per_s for each in many]
    in_use, aside = measure_memory(rules, visits=visits)
    print_figures(
        {"bench": "tree", "game": game, "parallel": parallel, "visits": visits, "workers": workers, "runs": runs}
        | {"simulations_per_s": statistics.median(speeds), "lowest": min(speeds), "highest": max(speeds)}
        | {"evaluations_per_s": statistics.median(each.evaluations_per_s for each in many)}
        | {f"one_deep_search_{leaves}_leaves_per_s": statistics.median(deep)}
        | {"bytes_per_simulation_in_use": in_use, "bytes_per_simulation_set_aside": aside}
        | describe_machine(),
        as_json,
    )
