"""The live view of a training run: an updated picture on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ludus.arena.summary import MatchResult
from ludus.cli.terminal.screen import console, duration, is_live, say
from ludus.kernel import is_compiling, working_s
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.forecast.remaining import seconds_to_come
from ludus.loop.preset import Preset
from ludus.loop.stages.stage import RunNotice, RunProgress

EVERY_S = 30.0  # interval between lines about a stage if there is no terminal
ROWS = 10  # maximum number of generations in the picture
UNKNOWN = "-"  # shown if not measured: the run was interrupted after the self-play of a generation
COMPILING = "compiling the game's code for this machine (once)"  # shown in place of rates
NOTICES = 3  # number of recent notices
SPARED = ("first", "cache", "fill", "draws", "games", "length")  # columns that a narrow terminal omits, in this order
COLUMNS = ("gen", "games", "length", "first", "draws", "policy", "outcome", "evals/s", "cache", "fill", "Elo", "time")


class RunView:
    """A live view of a run, updated by the events of the run."""

    def __init__(self, preset: Preset, directory: Path) -> None:
        self._preset, self._directory = preset, directory
        self._rows: list[GenerationMetrics] = []
        self._to_come: list[float] = []  # predicted seconds of the remaining generations, if known
        self._progress: RunProgress | None = None
        self._reading: RunProgress | None = None
        self._matches: list[str] = []
        self._notices: list[str] = []
        self._live = (
            Live(console=console, refresh_per_second=2, get_renderable=self.render) if is_live(console) else None
        )
        self._begun, self._told = working_s(), time.monotonic()

    def __enter__(self) -> None:
        if self._live:
            self._live.__enter__()

    def __exit__(self, *error: object) -> None:
        if self._live:
            self._live.__exit__(None, None, None)

    def start(self, rows: list[GenerationMetrics], workers: int, cluster: str = "") -> None:
        """Show the results of earlier processes; `cluster` is the address of the cluster, or empty."""
        self._take_rows(rows)
        if not self._live:
            state = f"continues after generation {len(rows) - 1}" if rows else "begins"
            games = ", ".join(self._preset.games)
            who = f"the machines of the cluster {cluster}" if cluster else f"{workers} worker{'s' * (workers > 1)}"
            _say(f"{self._preset.name} in {self._directory} {state}: {games}; {who}")

    def hear(self, event: RunProgress | GenerationMetrics | MatchResult | RunNotice) -> None:
        """Process an event of the run, from any thread."""
        if isinstance(event, RunProgress):
            self._hear_progress(event)
        elif isinstance(event, RunNotice):
            self._notices = [*self._notices[1 - NOTICES :], f"{time.strftime('%H:%M')} {event.text}"]
            if not self._live:
                _say(f"  ! {event.text}")
        elif isinstance(event, MatchResult):
            line = f"{event.a} against {event.b}: +{event.wins} ={event.draws} -{event.losses}"
            if event.sequential:
                line += " (the gate's test; not rated, because it stops early)"
            self._matches = [*self._matches[-3:], line]
            if not self._live:
                _say(f"  {line}")
        else:
            self._take_rows([*self._rows, event])
            self._progress = None  # in pipelined mode, the next stage may have started long ago
            self._begun = working_s()
            if not self._live:
                _say(f"{line_of(event)}; {self.remaining()}")
                for alarm in event.alarms:
                    _say(f"  ! {alarm.text}")

    def _take_rows(self, rows: list[GenerationMetrics]) -> None:
        self._rows, self._to_come = list(rows), seconds_to_come(self._preset, rows)

    def _hear_progress(self, event: RunProgress) -> None:
        if event.reading:
            self._reading = event
        if not self._live and time.monotonic() - self._told > EVERY_S:
            self._told = time.monotonic()
            rates = f": {COMPILING if is_compiling() else event.reading}" if event.reading else ""
            _say(f"  {event.stage} {event.done}/{event.total}{rates}")
        if not event.reading or not self._progress or event.generation <= self._progress.generation:
            self._progress = event  # in pipelined mode, show the learner rather than self-play of the next generation

    def remaining(self) -> str:
        """Return a text with the remaining time of the run; empty if it is unknown."""
        if len(self._rows) >= self._preset.generations:
            return "finished"
        return f"about {duration(self._seconds_left() + sum(self._to_come[1:]))} to go" if self._to_come else ""

    def _seconds_left(self) -> float:
        """Return the seconds until the end of the current generation."""
        return max(0.0, self._to_come[0] - (working_s() - self._begun))

    def render(self) -> RenderableType:
        """Return the picture of the run."""
        parts: list[RenderableType] = [self._headline()]
        if self._reading and self._reading.reading and self._progress and self._progress.stage != "matches":
            parts.append(Text(f"  {COMPILING if is_compiling() else self._reading.reading}", style="dim"))
        below = [Text(f"! {alarm.text}", style="yellow") for row in self._rows[-1:] for alarm in row.alarms]
        below += [Text(f"  {line}", style="dim") for line in self._matches]
        below += [Text(f"! {line}", style="yellow") for line in self._notices]
        if self._rows:
            parts.append(Text(f"  time went to {shares_of(self._rows[-1])}", style="dim"))
            if self._rows[-1].played_out:
                parts.append(Text(f"  {resignations_of(self._rows[-1])}", style="dim"))
            taken = sum(len(console.render_lines(part)) for part in [*parts, *below])
            parts.append(_table(self._rows[-max(1, min(ROWS, console.height - taken - 2)) :]))
        return Group(*parts, *below)

    def _headline(self) -> Text:
        text = Text(f"{self._preset.name} ", style="bold")
        now = self._progress
        if now:
            share = f" {now.done}/{now.total}" if now.total else ""
            text.append(f"generation {now.generation} of {self._preset.generations}: {now.stage}{share}")
            if self._to_come:
                text.append(f", about {duration(self._seconds_left())} to its end")
        else:
            text.append(f"{len(self._rows)} of {self._preset.generations} generations")
        if remaining := self.remaining():
            text.append(f"; {remaining}")
        return text


def _say(line: str) -> None:
    say(line, on=console)


def _table(rows: Sequence[GenerationMetrics]) -> Table:
    """Return a table of generations with as many columns as fit."""
    lines = [COLUMNS, *(cells(row) for row in rows)]
    widths = [max(map(len, column)) + 2 for column in zip(*lines, strict=True)]
    shown = list(range(len(COLUMNS)))
    for name in SPARED:
        if sum(widths[place] for place in shown) > console.width:
            shown.remove(COLUMNS.index(name))
    table = Table(box=None, padding=(0, 1), header_style="bold")
    for place in shown:
        table.add_column(COLUMNS[place], justify="right", no_wrap=True)
    for line in lines[1:]:
        table.add_row(*(line[place] for place in shown))
    return table


def cells(row: GenerationMetrics) -> list[str]:
    """Return the values of a generation in the order of `COLUMNS`."""
    facts, losses = row.facts, row.losses
    return [
        str(row.generation),
        str(facts.games),
        f"{facts.mean_length:.1f}",
        f"{facts.first_wins:.0%}",
        f"{facts.draws:.0%}",
        f"{losses.policy:.3f}",
        f"{losses.outcome:.3f}",
        f"{row.evaluations / row.selfplay_s:,.0f}" if row.evaluations and row.selfplay_s else UNKNOWN,
        f"{row.cache_hits / asked:.0%}" if (asked := row.evaluations + row.cache_hits) else UNKNOWN,
        f"{row.fill:.0%}" if row.evaluations else UNKNOWN,
        "" if row.elo is None else f"{row.elo:+.0f} ±{row.elo_error or 0.0:.0f}",
        duration(row.seconds),
    ]


def line_of(row: GenerationMetrics) -> str:
    """Return the values of a generation as a line."""
    names = ("generation", "games", "length", "first wins", "draws", "policy loss", "outcome loss", *COLUMNS[7:])
    parts = [f"{name} {cell}" for name, cell in zip(names, cells(row), strict=True) if cell]
    return ", ".join([*parts, *([resignations_of(row)] if row.played_out else [])])


def resignations_of(row: GenerationMetrics) -> str:
    """Return how often resigning would have been wrong in the games without resigning."""
    return f"resigning would have been wrong in {row.wrongly_resigned} of {row.played_out} games"


def shares_of(row: GenerationMetrics) -> str:
    """Return how the time of a generation was used."""
    parts = {
        "search": row.selfplay_s * row.search_share,
        "network": row.selfplay_s * row.evaluator_share,
        "learner": row.learner_s,
        "matches": row.match_s,
    }
    whole = sum(parts.values()) or 1.0
    unknown = () if row.search_share or row.evaluator_share else ("search", "network")
    return ", ".join(
        f"{name} {UNKNOWN if name in unknown else f'{seconds / whole:.0%}'}" for name, seconds in parts.items()
    )
