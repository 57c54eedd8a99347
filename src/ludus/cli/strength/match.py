"""`ludus match A B`: plays paired games between two players, and reports who is stronger and how sure that is."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.markup import escape
from rich.progress import Progress

from ludus.arena.balance import Balance
from ludus.arena.match import play_match
from ludus.arena.names import distinct_names
from ludus.arena.record import MatchPlan, Record
from ludus.arena.summary import MatchGame, MatchResult
from ludus.cli.strength.judge import BalancedOption, JudgeOption, OpeningOption, SeedOption, find_judge
from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.interrupts import interruptible
from ludus.cli.terminal.screen import announce_compilation, console, say
from ludus.errors import BadInput
from ludus.games.behaviour import rules_fingerprint
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.players.matches.roster import NamedPlayer, caveat, find_player, games_of, is_timed
from ludus.players.matches.search_player import SearchPlayer
from ludus.players.opponents.solver import SolverPlayer
from ludus.rating import Sprt
from ludus.rating.sprt import MOST_PAIRS

PAIRS = 50  # default number of pairs in a match
PAIRS_OF_TEST = 1000  # default maximum of a sequential test; a small difference takes hundreds of pairs
WAVE = 8  # pairs played side by side in a sequential test, which is evaluated after each such wave
BATCHES = "Note: with games side by side, a limit in seconds favours players that evaluate many positions in one batch."
PLAYERS = (
    "A model's path, or random, heuristic, playouts, ucb, minimax, solver; a limit for each action (a move of some "
    "games has several) follows the name: NAME:400, NAME:1s; a model may also have a level: "
    "PATH:VISITS,TEMPERATURE."
)


def match(  # noqa: PLR0913 - each option of a command is an argument
    a: Annotated[str, typer.Argument(help=PLAYERS)],
    b: Annotated[str, typer.Argument(help="The opponent, likewise.")],
    game: Annotated[
        list[str] | None, typer.Option(callback=named, help="Specs to play (default: the model's games); repeatable.")
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_PAIRS,
            help="Pairs of games: each opening is played twice, with sides swapped (default: 50; --sprt: up to 1000).",
        ),
    ] = None,
    visits: Annotated[
        int, typer.Option(min=1, max=10_000_000, help="Visits of a model for each action (1: the network alone).")
    ] = 100,
    opening: OpeningOption = 4,
    balanced: BalancedOption = True,
    judge: JudgeOption = None,
    seed: SeedOption = 0,
    sprt: Annotated[
        str | None,
        typer.Option(
            help="Stop as soon as a sequential test decides whether A is better: ELO0,ELO1 such as 0,20, or with error "
            "probabilities ELO0,ELO1,ALPHA,BETA (default: 0.05 each)."
        ),
    ] = None,
    at_once: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Pairs to play side by side (default: 1 if a player has a limit in seconds; otherwise all, or 8 with "
            "--sprt).",
        ),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Store finished games in this file, so that the same command can continue.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play a match between two players."""
    announce_compilation()
    test = read_sprt(sprt) if sprt is not None else None
    most = pairs or (PAIRS_OF_TEST if test else PAIRS)
    if test and most < test.fewest_pairs:
        raise BadInput(
            f"--sprt {sprt}: {most} pairs are too few for a decision: even a player that wins every game needs "
            f"{test.fewest_pairs} pairs in this test; set --pairs to at least that number, or a larger ELO1."
        )
    specs = game or list(games_of(a, b))
    if not specs:
        raise typer.BadParameter("neither player determines the game; give --game SPEC")
    games = [find_game(spec) for spec in specs]
    first, second = find_players((a, b), games, visits=visits, seed=seed)
    if first.name == second.name:  # a player against itself
        first.name, second.name = f"{first.name} (A)", f"{second.name} (B)"
    referee = find_judge(judge, games, balanced=balanced)
    plan = plan_of(first, second, specs, seed, opening, balanced=balanced, judge=referee, test=test)
    timed = is_timed(a) or is_timed(b)
    if timed and at_once and at_once > 1:
        say(BATCHES, on=console)
    result = play_plan(
        plan,
        games,
        (first, second),
        most,
        accepts=Balance(seed, referee) if balanced else None,
        record=record,
        test=test,
        at_once=at_once,
        timed=timed,
    )
    tell_remarks([result])
    if as_json:
        tested = {"sprt": {"verdict": test.verdict(result.pairs), "ratio": test.ratio(result.pairs)}} if test else {}
        unproved = {each.name: each.unproved for each in (first, second) if isinstance(each, SolverPlayer)}
        print(json.dumps(msgspec.to_builtins(result) | tested | ({"unproved": unproved} if unproved else {})))
        return
    _tell(result, specs, test)
    for sentence in doubts((first, second)):
        say(sentence)


def _tell(result: MatchResult, specs: Sequence[str], test: Sprt | None) -> None:
    verdict = test.verdict(result.pairs) if test else None
    say(f"{result.a} against {result.b} on {', '.join(specs)}: +{result.wins} ={result.draws} -{result.losses}")
    say(f"score {result.score:.1%}, Elo difference {result.elo:+.0f} ± {result.error:.0f} (95 %)")
    if test:
        low, high = test.bounds
        said = f"{result.a} is {verdict}" if verdict else "not decided yet: play more pairs"
        say(
            f"{said} (difference {test.elo1:g} against {test.elo0:g} Elo: log likelihood ratio "
            f"{test.ratio(result.pairs):+.2f}, ends at {low:+.2f} and {high:+.2f})"
        )
        if verdict:
            say("the test stopped at this verdict, so the Elo difference is overstated, and its interval too narrow")


def remarks(result: MatchResult) -> list[str]:
    """Return warnings about a result: repeated games, an early end, forfeits."""
    sentences: list[str] = []
    if result.repeats:
        sentences.append(
            f"{result.a} against {result.b}: {result.repeats} of the {len(result.lengths)} games repeat another one, "
            f"action by action, so the interval is too narrow; use more random actions "
            f"(--opening; in runs match.opening_actions)"
        )
    if result.missing:
        sentences.append(
            f"{result.a} against {result.b}: the match is not finished: {result.missing} games or more are missing; "
            f"short games end first, so the final score may be very different: continue with the same command"
        )
    return sentences + [f"forfeit: {forfeit}" for forfeit in result.forfeits]


def tell_remarks(results: Iterable[MatchResult]) -> None:
    """Print warnings about results to standard error."""
    for sentence in itertools.chain.from_iterable(map(remarks, results)):
        say(sentence, on=console)


def find_players(texts: Sequence[str], games: Sequence[Game], *, visits: int, seed: int) -> list[NamedPlayer]:
    """Return the players for these texts with unique names; print warnings about new names and missing heuristics."""
    players = [find_player(text, *games, visits=visits, seed=seed + number) for number, text in enumerate(texts)]
    names = distinct_names((player.name, player.identity) for player in players)
    for text, player in zip(texts, players, strict=True):
        name = names[player.name, player.identity]
        if name != player.name:
            say(f"{text} plays as {name}.", on=console)
        player.name = name
    for sentence in filter(None, (caveat(text, *games) for text in dict.fromkeys(texts))):
        say(sentence, on=console)
    return players


def doubts(players: Sequence[NamedPlayer]) -> list[str]:
    """Return a warning for each solver that played moves without a proof."""
    return [
        f"{player.name}: {player.unproved} of its {player.moves} moves were not proved within its limit of nodes, so "
        f"it did not play perfectly; begin later, with --opening 8 or more"
        for player in players
        if isinstance(player, SolverPlayer) and player.unproved
    ]


def plan_of(
    a: NamedPlayer,
    b: NamedPlayer,
    specs: list[str],
    seed: int,
    opening: int,
    *,
    balanced: bool,
    judge: SearchPlayer | None = None,
    test: Sprt | None = None,
) -> MatchPlan:
    """Return the plan of a match, which its record must match."""
    judged_by = f"{judge.name} {judge.identity}".strip() if judge else ""
    rules = [rules_fingerprint(find_game(spec)) for spec in specs]
    return MatchPlan(
        a.name,
        b.name,
        specs,
        seed,
        opening,
        balanced,
        a_is=a.identity,
        b_is=b.identity,
        judge=judged_by,
        rules=rules,
        test=str(test) if test else "",
    )


def play_plan(
    plan: MatchPlan,
    games: list[Game],
    players: tuple[NamedPlayer, NamedPlayer],
    pairs: int,
    *,
    accepts: Balance | None,
    record: Path | None = None,
    test: Sprt | None = None,
    at_once: int | None = None,
    timed: bool = False,
) -> MatchResult:
    """Play a match, or the rest of an interrupted one, with a progress bar; return the result.

    Args:
        plan: the plan of the match.
        games: the games of the plan.
        players: the players of the plan.
        pairs: number of pairs of games.
        accepts: decides which openings are played, with the seed and judge of the plan; None: all are.
        record: the file for finished games.
        test: ends the match as soon as it reaches a verdict.
        at_once: pairs to play side by side; by default 1 if `timed`, a wave if there is a test, else all.
        timed: whether a player has a limit in seconds; games side by side would share that time if a player evaluates
            their positions in one batch, but not if it searches one position after another.
    """
    assert plan.balanced == (accepts is not None), "the plan must say which openings are played"
    assert plan.test == (str(test) if test else ""), "the plan must contain the test"
    kept = Record(record, plan) if record else None
    if kept and kept.games:
        for player in players:
            player.go_on(len(kept.games))  # otherwise its random choices would repeat the recorded games
    ended = 0
    with interruptible(lambda: _left(kept, ended)), Progress(console=console, transient=True) as progress:
        done = sum(game.pair < pairs for game in kept.games) if kept else 0
        task = progress.add_task(escape(f"{plan.a} - {plan.b}"), total=2 * pairs, completed=done)

        def on_game(game: MatchGame) -> None:
            nonlocal ended
            ended += 1
            progress.advance(task)
            if kept:
                kept.add(game)

        return play_match(
            games,
            *players,
            pairs=pairs,
            seed=plan.seed,
            opening_actions=plan.opening_actions,
            accepts=accepts,
            on_game=on_game,
            played=tuple(kept.games) if kept else (),
            at_once=at_once or (1 if timed else WAVE if test else None),
            is_over=(lambda counts: test.verdict(counts) is not None) if test else None,
        )


def _left(kept: Record | None, ended: int) -> str:
    """Return what remains after an interrupt: the path of the record, or the number of games that are lost."""
    if kept:
        count = len(kept.games)
        return f"Interrupted; {kept.path} holds {count} game{'s' * (count != 1)}, and the same command continues."
    return f"Interrupted; {ended} finished game{'s are' if ended != 1 else ' is'} lost: --record FILE would keep them."


def read_sprt(text: str) -> Sprt:
    """Return the sequential test that the option describes."""
    try:
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError("it must have two or four numbers")
        return Sprt(*numbers)
    except ValueError as error:
        raise typer.BadParameter(f"--sprt {text}: {error}; write ELO0,ELO1 such as 0,20.") from error
