"""Functions that do what the commands do: `train`, `match` and `analyse`, for programs and notebooks.

They print nothing, and import what they need when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ludus.errors import BadInput

if TYPE_CHECKING:
    from ludus.arena.match import MatchPlayer
    from ludus.arena.summary import MatchGame, MatchResult
    from ludus.games.game import Position
    from ludus.loop.directory.lines import GenerationMetrics
    from ludus.players.thinking.heuristic_mind import HeuristicMind
    from ludus.players.thinking.mind import Mind
    from ludus.players.thinking.thought import Thought


class TrainedRun(NamedTuple):
    """A run on disk, after `train`."""

    directory: Path
    """The run's directory, as `ludus report` takes it."""
    model: Path | None
    """The network of the last complete generation, as `ludus.load` takes it; None: no generation is complete."""
    metrics: list[GenerationMetrics]
    """The figures of each complete generation, the oldest first: losses, ratings, seconds."""


def train(
    preset: str | Path | Mapping[str, Any],
    run: str | Path | None = None,
    *,
    minutes: float = 0.0,
    workers: int = 0,
    listener: Callable[[Any], object] = lambda _event: None,
) -> TrainedRun:
    """Train a network by self-play, as `ludus train` does; an existing run continues.

    Args:
        preset: name of a shipped preset, path of a .toml file, directory of a run, or settings with the keys of a
            preset (docs/reference/presets.md), whose paths start at the working directory.
        run: directory of the run (default: `runs/PRESET`).
        minutes: stop at the end of the generation in which this many minutes have passed (0: never).
        workers: self-play threads (0: as the preset says, or one per core).
        listener: called several times a second with the progress, and with each finished match and generation.

    Raises:
        BadPreset: a setting is wrong, or the training diverged.
        BadGame: a game does not exist, or breaks the interface of games.
        BadRecord: a file of the run is damaged or missing.
        Unavailable: the directory holds another run, another process trains in it, or it cannot be written.
    """
    import time

    from ludus.loop.run import Run, choose_run

    settings, directory = choose_run(preset, run)
    begun = time.monotonic()
    loop = Run(settings, directory, listener, workers=workers)
    loop.go(until=lambda: bool(minutes) and time.monotonic() - begun > 60.0 * minutes)
    metrics = loop.folder.metrics()
    model = loop.folder.model(metrics[-1].generation) if metrics else None
    return TrainedRun(directory, model, metrics)


def match(
    a: str | Path | MatchPlayer,
    b: str | Path | MatchPlayer,
    *,
    game: str | Sequence[str] = (),
    pairs: int = 50,
    visits: int = 100,
    opening: int = 4,
    balanced: bool = True,
    seed: int = 0,
    on_game: Callable[[MatchGame], object] = lambda _game: None,
) -> MatchResult:
    """Play a match between two players, as `ludus match` does: each opening twice, with sides swapped.

    Args:
        a: a model's path, `random`, `heuristic`, `playouts`, `ucb`, `minimax` or `solver`, with a limit after a colon
            if wanted (`heuristic:200`, `minimax:1s`); or an object with `name` and `choose(game, states)`, which
            returns an action [K] for each of the states [K, words].
        b: the opponent, likewise.
        game: one or several specs of games (default: those of the model).
        pairs: number of pairs of games, divided evenly among the games.
        visits: visits of a model for each action, if its name has no limit.
        opening: number of random actions before each pair.
        balanced: whether openings that give one side a clear advantage are drawn again.
        seed: seed of the openings and of the players.
        on_game: called with each finished game.

    Returns:
        wins, draws, losses and the Elo difference of `a`, with half the width of its 95 % interval.

    Raises:
        BadInput: no game is named and none follows from the players; a player cannot play it; games end in the
            openings.
        BadModel: there is no such model.
        BadGame: there is no such game.
    """
    from ludus.arena.balance import Balance
    from ludus.arena.match import play_match
    from ludus.arena.names import distinct_names
    from ludus.games import EXAMPLE_GAME, registry
    from ludus.players.matches.roster import find_player, games_of

    if pairs < 1:
        raise BadInput(f"pairs: {pairs} are too few; a match has 1 pair or more.")
    named = [game] if isinstance(game, str) else list(game)
    games = [registry.own_game(spec) for spec in named]
    if not games:
        games = [registry.game(spec) for spec in games_of(*(str(each) for each in (a, b) if _is_text(each)))]
    if not games:
        raise BadInput(f"Neither player determines the game; name one, such as game={EXAMPLE_GAME!r}.")
    players = [
        find_player(str(each), *games, visits=visits, seed=seed + number) if isinstance(each, str | Path) else each
        for number, each in enumerate((a, b))
    ]
    told = [(player.name, getattr(player, "identity", "")) for player in players]
    names = distinct_names(told)
    for letter, player, own in zip("AB", players, told, strict=True):
        player.name = names[own] if told[0] != told[1] else f"{player.name} ({letter})"
    return play_match(
        games,
        players[0],
        players[1],
        pairs=pairs,
        seed=seed,
        opening_actions=opening,
        accepts=Balance(seed) if balanced else None,
        on_game=on_game,
    )


def _is_text(player: object) -> bool:
    return isinstance(player, str | Path)


def analyse(
    position: Position,
    model: str | Path | Mind | HeuristicMind | None = None,
    *,
    visits: int = 400,
    lines: int = 3,
) -> list[Thought]:
    """Search every position of the game that led to `position`, as `ludus engine analysis` does.

    The searches share batches of the network, so a whole game costs less than its positions one by one.

    Args:
        position: the last position of the game.
        model: a model, or the path of one (default: the game's heuristic, or random playouts if it has none).
        visits: visits of each search.
        lines: number of candidate moves for which the main line is returned.

    Returns:
        the result for each position of `position.history`; a position in which the game is over has none.  Values are
        from the view of player 0.

    Raises:
        BadModel: there is no such model, or it cannot play this game.
    """
    from ludus.players.thinking.heuristic_mind import HeuristicMind
    from ludus.players.thinking.mind import Mind

    if isinstance(model, str | Path):
        mind, is_own = Mind.load(model), True
    else:
        mind, is_own = model or HeuristicMind(), model is None
    try:
        seats = [mind.seat(each) for each in position.history if not each.outcome]
        requests = [seat.ask(visits, lines=lines) for seat in seats]
        try:
            return [request.result() for request in requests]
        except BaseException:  # such as Ctrl-C: nobody waits for the others
            for request in requests:
                request.cancel()
            raise
    finally:
        if is_own:
            mind.close()
