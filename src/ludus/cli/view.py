"""The live view of a training run: a calm table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from pathlib import Path

from rich.live import Live
from rich.table import Table

from ludus.arena import MatchResult
from ludus.cli.screen import console
from ludus.loop.folder import Metrics
from ludus.loop.preset import Preset
from ludus.loop.run import Progress

EVERY_S = 30.0  # between two lines about self-play where there is no terminal


class View:
    """Listens to a run and shows it."""

    def __init__(self, preset: Preset, directory: Path) -> None:
        self._preset, self._directory = preset, directory
        self._rows: list[Metrics] = []
        self._progress: Progress | None = None
        self._matches: list[str] = []
        self._workers = 0
        self._live = (
            Live(console=console, refresh_per_second=2, get_renderable=self._render) if console.is_terminal else None
        )
        self._begun = self._told = time.monotonic()
        self._done_before = 0

    def __enter__(self) -> None:
        if self._live:
            self._live.__enter__()

    def __exit__(self, *error: object) -> None:
        if self._live:
            self._live.__exit__(None, None, None)

    def start(self, rows: list[Metrics], workers: int) -> None:
        """Take over what an earlier process did."""
        self._rows, self._workers, self._done_before = rows, workers, len(rows)
        if not self._live:
            state = f"continues after generation {len(rows) - 1}" if rows else "begins"
            console.print(
                f"{self._preset.name} in {self._directory} {state}: {', '.join(self._preset.games)}; {workers} workers"
            )

    def hear(self, event: Progress | Metrics | MatchResult) -> None:
        """Take an event of the run."""
        if isinstance(event, Progress):
            self._progress = event
            if event.pump and not self._live and time.monotonic() - self._told > EVERY_S:
                self._told = time.monotonic()
                console.print(f"  {event.stage} {event.done}/{event.total}: {event.pump}")
        elif isinstance(event, MatchResult):
            line = f"{event.a} against {event.b}: +{event.wins} ={event.draws} -{event.losses}"
            self._matches = [*self._matches[-3:], line]
            if not self._live:
                console.print(f"  {line}")
        else:
            self._rows.append(event)
            if not self._live:
                console.print(_line(event) + f"; {self._remaining()}")

    def _remaining(self) -> str:
        done = len(self._rows) - self._done_before
        left = self._preset.generations - len(self._rows)
        if done <= 0 or left <= 0:
            return "" if left > 0 else "finished"
        seconds = (time.monotonic() - self._begun) / done * left
        return f"about {_duration(seconds)} to go"

    def _render(self) -> Table:
        table = Table(
            title=f"{self._preset.name}: {len(self._rows)}/{self._preset.generations} generations, {self._remaining()}",
            caption="\n".join(self._matches) or None,
            title_justify="left",
            caption_justify="left",
        )
        for name in (
            "gen",
            "games",
            "length",
            "first wins",
            "draws",
            "policy",
            "outcome",
            "evals/s",
            "net",
            "cache",
            "Elo",
            "time",
        ):
            table.add_column(name, justify="right")
        for row in self._rows[-12:]:
            table.add_row(*_cells(row))
        if self._progress:
            now = self._progress
            share = f"{now.done}/{now.total}" if now.total else ""
            table.add_row(str(now.generation), f"[bold]{now.stage}[/]", share)
            table.caption = "\n".join([*([now.pump] if now.pump else []), *self._matches]) or None
        return table


def _cells(row: Metrics) -> list[str]:
    evaluations = row.evaluations / row.selfplay_s if row.evaluations else 0.0
    known = row.evaluations + row.cache_hits
    return [
        str(row.generation),
        str(row.games),
        f"{row.mean_length:.1f}",
        f"{row.first_wins:.0%}",
        f"{row.draws:.0%}",
        f"{row.policy_loss:.3f}",
        f"{row.outcome_loss:.3f}",
        f"{evaluations:,.0f}",
        f"{row.evaluator_share:.0%}",
        f"{row.cache_hits / max(1, known):.0%}",
        "" if row.elo is None else f"{row.elo:+.0f} ±{row.elo_error or 0.0:.0f}",
        _duration(row.selfplay_s + row.learner_s + row.match_s),
    ]


def _line(row: Metrics) -> str:
    names = (
        "generation",
        "games",
        "length",
        "first wins",
        "draws",
        "policy loss",
        "outcome loss",
        "evals/s",
        "network share",
        "cache hits",
        "Elo",
        "time",
    )
    return ", ".join(f"{name} {cell}" for name, cell in zip(names, _cells(row), strict=True) if cell)


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
