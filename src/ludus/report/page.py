"""The report of a run: one HTML page that needs neither server nor network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from ludus import config
from ludus.errors import BadInput
from ludus.games.behaviour import behaviour
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.preset import Preset
from ludus.report.chart import ChartLine, Point, chart
from ludus.report.examples import Example, examples_of
from ludus.store import read_header, read_shard, shard_path

EXAMPLES = 4  # games
STYLE, SCRIPT = (Path(__file__).with_name(name) for name in ("page.css", "page.js"))

Figure = Callable[[GenerationMetrics], float | None]


def make_page(folder: Folder) -> str:
    """Return the report's HTML.

    Raises:
        BadInput: the directory contains no run, or no complete generation.
        BadRecord: a file of the run is damaged.
    """
    preset, lines = folder.preset(), folder.metrics()
    if preset is None:
        raise BadInput(f"{folder.path}: contains no run (preset.toml is missing); give a run's directory.")
    if not lines:
        raise BadInput(f"{folder.path}: no generation is complete yet; wait for the first one.")
    last = lines[-1]
    sections = [
        _summary(folder, lines, preset.generations),
        _alarms(lines),
        _charts(lines),
        _examples(folder, preset, last.generation),
        _boards(lines),
        _table(lines),
        _history(folder),
        f"<section><h2>Settings</h2><pre>{escape(config.dump(preset))}</pre></section>",
    ]
    title = escape(f"{preset.name}: report of a run")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE.read_text(encoding='utf-8')}</style></head><body><main><h1>{title}</h1>"
        + "".join(sections)
        + f"</main><script>{SCRIPT.read_text(encoding='utf-8')}</script></body></html>\n"
    )


def _summary(folder: Folder, lines: list[GenerationMetrics], generations: int) -> str:
    last, history = lines[-1], folder.history()
    hours = sum(line.seconds for line in lines) / 3600
    rated = [line for line in lines if line.elo is not None]
    items = {
        "Generations": f"{len(lines)} of {generations}",
        "Games": f"{sum(line.facts.games for line in lines):,}",
        "Positions": f"{sum(line.facts.positions for line in lines):,}",
        "Hours": f"{hours:.1f}",
        "Elo": f"{rated[-1].elo:+.0f} ±{rated[-1].elo_error or 0:.0f}" if rated else "not measured",
        "Starts": str(max(1, len(history))),
        "Alarms at the end": str(len(last.alarms)),
    }
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in items.items())
    return f'<dl class="summary">{cells}</dl>'


def _alarms(lines: list[GenerationMetrics]) -> str:
    latest: dict[str, tuple[int, int, str]] = {}
    for line in lines:
        for alarm in line.alarms:
            first = latest.get(alarm.kind, (line.generation, 0, ""))[0]
            latest[alarm.kind] = (first, line.generation, alarm.text)
    if not latest:
        return "<section><h2>Alarms</h2><p>None in any generation.</p></section>"
    rows = "".join(
        f'<li class="{"now" if end == lines[-1].generation else "past"}"><b>{escape(kind)}</b> '
        f"(generation {begin if begin == end else f'{begin} to {end}'}): {escape(text)}</li>"
        for kind, (begin, end, text) in latest.items()
    )
    return f'<section><h2>Alarms</h2><ul class="alarms">{rows}</ul></section>'


def _charts(lines: list[GenerationMetrics]) -> str:
    def line(name: str, figure: Figure, error: Figure = lambda _line: 0.0) -> ChartLine:
        points = [(each.generation, figure(each), error(each)) for each in lines]
        return ChartLine(name, [Point(x, y, bar or 0.0) for x, y, bar in points if y is not None])

    def per_second(count: int, seconds: float) -> float | None:
        return count / seconds if count and seconds else None

    pictures = {
        "Elo, with 95 % intervals": chart(
            [line("Elo", lambda each: each.elo, lambda each: each.elo_error)], label="Elo by generation"
        ),
        "Loss of the policy": chart(
            [
                line("training", lambda each: each.losses.policy),
                line("held-out games", lambda each: each.losses.validation_policy),
                line("lower bound", lambda each: each.losses.target_entropy or None),
            ],
            label="Policy loss by generation",
        ),
        "Loss of the outcome": chart(
            [
                line("training", lambda each: each.losses.outcome),
                line("held-out games", lambda each: each.losses.validation_outcome),
            ],
            label="Outcome loss by generation",
        ),
        "Throughput": chart(
            [
                line("evaluations/s", lambda each: per_second(each.evaluations, each.selfplay_s)),
                line("simulations/s", lambda each: per_second(each.simulations, each.selfplay_s)),
            ],
            label="Evaluations per second by generation",
            zero=True,
        ),
        "Duration of generations, in seconds": chart(
            [
                line("self-play", lambda each: each.selfplay_s),
                line("learning", lambda each: each.learner_s),
                line("matches", lambda each: each.match_s),
            ],
            label="Seconds by generation",
            zero=True,
        ),
        "Outcomes": chart(
            [
                line("player 0 wins", lambda each: 100 * each.facts.first_wins),
                line("draws", lambda each: 100 * each.facts.draws),
                line("repeated games", lambda each: 100 * each.facts.repeated),
                line("wrong resignations", lambda each: None if each.wrong_share is None else 100 * each.wrong_share),
            ],
            label="Outcomes by generation",
            unit=" %",
            zero=True,
        ),
        "Mean length of games": chart(
            [line("actions", lambda each: each.facts.mean_length)], label="Length by generation", zero=True
        ),
        "Quality of policy and value for each player's positions": chart(
            [
                line(f"{what} of player {player}", lambda each, player=player, name=name: _side(each, player, name))
                for what, name in (("policy gain", "policy_gain"), ("value and results", "value_agreement"))
                for player in (0, 1)
            ],
            label="Policy gain and agreement of value and results by generation",
        ),
    }
    figures = "".join(
        f"<figure><figcaption>{escape(name)}</figcaption>{picture}</figure>"
        for name, picture in pictures.items()
        if picture
    )
    return f'<section><h2>By generation</h2><div class="charts">{figures}</div></section>'


def _side(line: GenerationMetrics, player: int, name: str) -> float | None:
    return getattr(line.probe.sides[player], name) if line.probe else None


def _examples(folder: Folder, preset: Preset, generation: int) -> str:
    """Return example games of a generation, or a notice if the rules have changed since."""
    path = shard_path(folder.shards, generation, 0)
    games = preset.make_games()
    if read_header(path).rules_key == behaviour(games[0]):
        examples = examples_of(read_shard(path), games, generation, EXAMPLES)
        shown = f'<div class="games">{"".join(map(_example, examples))}</div>'
    else:
        shown = f"<p>None: the rules of {escape(games[0].name)} have changed since these games were played.</p>"
    return f"<section><h2>Example games</h2>{shown}</section>"


def _example(example: Example) -> str:
    boards = "".join(
        f'<div class="step"{"" if index == 0 else " hidden"}>{board}<p>{escape(note)}</p></div>'
        for index, (board, note) in enumerate(zip(example.boards, example.notes, strict=True))
    )
    return (
        f'<article class="game" tabindex="0"><h3>{escape(example.title)}: {escape(example.result)}</h3>{boards}'
        '<nav><button data-to="first">|◀</button><button data-to="back">◀</button><output></output>'
        '<button data-to="on">▶</button><button data-to="last">▶|</button></nav></article>'
    )


def _boards(lines: list[GenerationMetrics]) -> str:
    """Return the results per board of the last generation, if the run has several boards."""
    rows = [
        [name, f"{each.games}", f"{each.mean_length:.1f}", f"{each.first_wins:.0%}", f"{each.draws:.0%}"]
        for name, each in lines[-1].facts.by_game.items()
    ]
    if not rows:
        return ""
    head = ("board", "games", "length", "first wins", "draws")
    return f"<section><h2>Boards, last generation</h2>{_rows(head, rows)}</section>"


def _table(lines: list[GenerationMetrics]) -> str:
    head = ("generation", "games", "length", "first wins", "draws", "policy", "outcome", "Elo", "seconds")
    rows = [
        [
            str(line.generation),
            str(line.facts.games),
            f"{line.facts.mean_length:.1f}",
            f"{line.facts.first_wins:.0%}",
            f"{line.facts.draws:.0%}",
            f"{line.losses.policy:.3f}",
            f"{line.losses.outcome:.3f}",
            "" if line.elo is None else f"{line.elo:+.0f} ±{line.elo_error or 0:.0f}",
            f"{line.seconds:.0f}",
        ]
        for line in lines
    ]
    details = f"<details><summary>{len(lines)} lines</summary>{_rows(head, rows)}</details>"
    return f"<section><h2>Generations</h2>{details}</section>"


def _history(folder: Folder) -> str:
    rows = [
        [start.date, str(start.generation), start.ludus, start.commit, start.processor, "; ".join(start.changes)]
        for start in folder.history()
    ]
    head = ("started or continued", "at generation", "Ludus", "commit", "machine", "changed settings")
    rules = ", ".join(f"{spec} {key}" for start in folder.history()[-1:] for spec, key in start.games.items())
    return f"<section><h2>History</h2>{_rows(head, rows)}<p>Rules: {escape(rules)}</p></section>"


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
