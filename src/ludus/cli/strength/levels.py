"""`ludus levels`: matches between many levels of a model, to choose six with about equal distances."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from ludus.arena.balance import Balance
from ludus.arena.record import record_of
from ludus.bot.levels import PERSONAS
from ludus.cli.strength.judge import JudgeOption, OpeningOption, SeedOption, find_judge
from ludus.cli.strength.match import plan_of, play_plan, tell_remarks
from ludus.cli.terminal.destination import check_destination
from ludus.cli.terminal.screen import announce_compilation, console, output, say
from ludus.engine.ladder import FILE, Ladder, Rung, write_ladder
from ludus.engine.level import read_level
from ludus.errors import BadInput, BadModel
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint, weights_fingerprint
from ludus.players.matches.roster import NamedPlayer, find_player
from ludus.rating import MatchScore, Rating, rate
from ludus.rating.elo import step_errors
from ludus.rating.rungs import choose_rungs
from ludus.rating.sprt import MOST_PAIRS

ANCHOR = "random"
CANDIDATES = ("30,10", "12,5", "8,2", "8,1", "16,1", "16,0.5", "30,0.5", "30,0.2", "60,0.2", "100", "200", "400")
"""Levels in the notation of the option, roughly from the weakest to the strongest."""
REACH = 2  # each level meets this many of the levels after it
_IN_MATCHES = re.compile(r"\d+(,\d+(\.\d+)?)?", re.ASCII)  # the part of a player's name that denotes its level


def levels(
    model: Annotated[
        Path, typer.Argument(exists=True, file_okay=False, help="A model's folder; the result is written into it.")
    ],
    folder: Annotated[Path, typer.Option(help="Store match records here, so that the same command can continue.")],
    candidate: Annotated[
        list[str] | None,
        typer.Option(help="VISITS[,TEMPERATURE], from the weakest to the strongest; repeatable."),
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, max=MOST_PAIRS, help="Pairs of games for each two levels.")] = 20,
    opening: OpeningOption = 4,
    judge: JudgeOption = None,
    seed: SeedOption = 0,
) -> None:
    """Play matches between levels of a model, and write six with about equal distances into its folder."""
    announce_compilation()
    chosen = [_read_candidate(each) for each in candidate or CANDIDATES]
    if twice := {each for each in chosen if chosen.count(each) > 1}:
        raise typer.BadParameter(f"candidate {min(twice)} is given twice; remove one of the two")
    if len(chosen) < len(PERSONAS):
        raise typer.BadParameter(f"give at least {len(PERSONAS)} different candidates")
    checkpoint = load_checkpoint(model)
    check_destination("MODEL", model / FILE, ".json")
    info = checkpoint.info
    field = _Field(model, list(info.games), folder, pairs, opening, seed, judge)
    field.meet([ANCHOR, *chosen])
    scouted = Ladder(weights_fingerprint(checkpoint), pairs, field.rungs(field.ratings()), ANCHOR)
    even = list(dict.fromkeys(str(level) for level in scouted.evenly(len(PERSONAS))))
    field.meet([ANCHOR, *even])
    rated = field.ratings()
    rungs = field.rungs([rated[place] for place in choose_rungs([each.elo for each in rated], len(PERSONAS))])
    write_ladder(model, msgspec.structs.replace(scouted, levels=rungs))
    title = f"{info.name}, with {ANCHOR} at 0"
    table = Table("level", "Elo", "±95 %", "of the six", "step", "its ±95 %", title=title, title_justify="left")
    persona_and_rung = {rung.level: (persona, rung) for persona, rung in zip(PERSONAS, rungs, strict=True)}
    for rating in rated:
        level = field.level_of[rating.name]
        cells = [level, f"{rating.elo:+.0f}", f"{rating.error:.0f}"]
        if level in persona_and_rung:
            persona, rung = persona_and_rung[level]
            cells += [persona.label] if rung.step is None else [persona.label, f"{rung.step:+}", f"{rung.step_error}"]
        table.add_row(*cells)
    output().print(table)
    say(f"{model / FILE} is written.", on=console)


def _read_candidate(text: str) -> str:
    """Return a level as given; raises BadInput if it is invalid, or uses options that matches do not support."""
    level = str(read_level(text))
    if not _IN_MATCHES.fullmatch(level):
        raise BadInput(f"--candidate {text}: matches support only VISITS[,TEMPERATURE]; write a level such as 30,0.5.")
    return level


class _Field:
    """The match results between the levels of one model, including `ANCHOR`."""

    def __init__(
        self, model: Path, specs: list[str], folder: Path, pairs: int, opening: int, seed: int, judge: str | None
    ) -> None:
        """Store the settings of the matches; raises BadInput if `judge` cannot check openings."""
        self._model, self._specs, self._games = model, specs, [find_game(spec) for spec in specs]
        self._folder, self._pairs, self._opening, self._seed = folder, pairs, opening, seed
        self._judge = find_judge(judge, self._games, balanced=True)
        self._accepts = Balance(seed, self._judge)  # shared, so that all matches have the same openings
        self._players: dict[str, NamedPlayer] = {}  # by level
        self._results: dict[frozenset[str], MatchScore] = {}  # by the pair of levels
        self.level_of: dict[str, str] = {}
        """Level by player name."""

    def meet(self, levels: list[str]) -> None:
        """Play a match of each level, from the weakest to the strongest, against the REACH levels after it.

        Raises:
            BadModel: a game was forfeited, so that the match result is not valid.
        """
        for a, b in itertools.combinations(range(len(levels)), 2):
            both = frozenset((levels[a], levels[b]))
            if b - a <= REACH and both not in self._results:
                one, other = self._player(levels[a]), self._player(levels[b])
                plan = plan_of(one, other, self._specs, self._seed, self._opening, balanced=True, judge=self._judge)
                record = record_of(self._folder, plan)
                result = play_plan(plan, self._games, (one, other), self._pairs, accepts=self._accepts, record=record)
                tell_remarks([result])
                if result.forfeits:
                    raise BadModel(
                        f"{record}: {len(result.forfeits)} of {len(result.lengths)} games were forfeited; the result "
                        f"is not valid and {FILE} is not written; repair the model, and remove this record."
                    )
                self._results[both] = result.result

    def _player(self, level: str) -> NamedPlayer:
        if level not in self._players:
            name = level if level == ANCHOR else f"{self._model}:{level}"
            player = find_player(name, *self._games, visits=2, seed=self._seed + len(self._players))
            self._players[level], self.level_of[player.name] = player, level
        return self._players[level]

    def ratings(self) -> list[Rating]:
        """Return the ratings of all levels that have played, from the weakest on, without the anchor."""
        return [each for each in rate(list(self._results.values()), anchor=ANCHOR) if each.name != ANCHOR][::-1]

    def rungs(self, ratings: list[Rating]) -> list[Rung]:
        """Return the levels of players, given from the weakest on, with the rating differences between them."""
        errors = step_errors(list(self._results.values()), [rating.name for rating in ratings])
        steps = [round(high.elo - low.elo) for low, high in itertools.pairwise(ratings)]
        return [
            Rung(self.level_of[rating.name], round(rating.elo), round(rating.error), *step)
            for rating, step in zip(ratings, [(), *zip(steps, map(round, errors), strict=True)], strict=True)
        ]
