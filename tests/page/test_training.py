"""The Training page shows a run from its directory, pauses it, and starts games against its generations."""

import re
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import expect
from tests.page.test_accessible import findings

import ludus
from ludus.games.behaviour import behaviour
from ludus.learner.losses import Losses
from ludus.loop.diagnostics.facts import facts_of
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import Alarm, GenerationMetrics, RunStart
from ludus.loop.preset import Preset
from ludus.report.training import described, sample_game
from ludus.store import Samples, shard_path, write_shard
from ludus.store.samples import DTYPES

PRESET = Preset(name="tictactoe", games=["tictactoe"], generations=9)
ELO = (-40.0, None, 310.0)


def played(number: int) -> Samples:
    """Return a game of Tic-tac-toe that Cross wins in the left column: a1, b1, a2, b2, a3."""
    position, states, actions = ludus.game("tictactoe").start(), [], []
    for move in ("a1", "b1", "a2", "b2", "a3"):
        states.append(position.state.view(np.uint64))
        actions.append(position.parse(move)[0])
        position = position.play(move)
    arrays = {name: np.zeros(len(actions), dtype) for name, dtype in DTYPES.items()}
    arrays |= {"states": np.stack(states), "action": np.array(actions, DTYPES["action"])}
    arrays |= {"policy_start": np.zeros(len(actions) + 1, np.int32), "policy_action": np.zeros(0, np.int16)}
    arrays |= {"policy_weight": np.zeros(0, np.float32), "outcome": np.ones(len(actions), np.uint8)}
    arrays |= {"game_id": np.full(len(actions), number, np.int64), "root_value": np.full(5, 0.25, np.float32)}
    return Samples(**arrays)


def record(path: Path) -> Folder:
    """Write a run with three generations; the last did not pass the gate."""
    game, folder = ludus.game("tictactoe"), Folder(path)
    folder.begin(PRESET, RunStart(0, "2026-01-01", "0.1.0", "abc", "a processor", "3.11", 2, {}))
    samples = Samples.concatenate([played(number) for number in range(3)])
    for generation, elo in enumerate(ELO):
        write_shard(shard_path(folder.shards, generation, 0), samples, rules_key=behaviour(game), names=PRESET.games)
        line = GenerationMetrics(
            generation=generation,
            facts=facts_of(samples, [game]),
            losses=Losses(2.0 - 0.5 * generation, 1.0, 0.5, 8),
            probe=None,
            **dict.fromkeys(("selfplay_s", "learner_s", "match_s", "seconds"), 60.0),
            **dict.fromkeys(("evaluator_share", "search_share", "fill"), 0.5),
            **dict.fromkeys(("evaluations", "simulations", "cache_hits"), 3000),
            alarms=[Alarm("draws", "Too many draws.")] if generation == 2 else [],
            elo=elo,
            elo_error=elo and 50.0,
            playing=1 if generation == 2 else None,
        )
        folder.note(line)
    return folder


class RecordedRun:
    """A run that trains nothing: it is read from its directory, and pause and resumption change its state only."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        shown = described(PRESET, folder.metrics(), "test:wally-tictactoe", lambda _: "test:pip-tictactoe")
        self.shown = replace(shown, state="training", stage="self-play", done=3, total=12, remaining_s=400.0)

    def run(self):
        return self.shown

    def sample(self, generation, number):
        return sample_game(self.folder, PRESET, generation, number)

    def pause(self):
        self.shown = replace(self.shown, state="paused")

    def resume(self):
        self.shown = replace(self.shown, state="training")


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    return RecordedRun(record(tmp_path_factory.mktemp("runs") / "run"))


def test_the_link_leads_to_the_state_of_the_run(open_page):
    page = open_page()
    page.get_by_role("link", name="Training").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Training: Tic-tac-toe")
    state = page.get_by_role("region", name="State")
    expect(state).to_contain_text("Generation 3, the last is 8: self-play, 3 of 12 games. About 7 min to go.")
    expect(state).to_contain_text("The site's bots play with generation 1.")
    expect(state).to_contain_text("Too many draws.")
    rows = page.get_by_role("row")
    expect(rows).to_have_count(4)
    expect(rows.nth(1)).to_contain_text("did not pass the gate")
    expect(rows.nth(1)).to_contain_text("+310 ± 50")
    expect(rows.nth(2)).to_contain_text("\u2013")
    expect(rows.nth(3)).to_contain_text("\u221240 ± 50")
    elo = page.get_by_role("img", name="Elo, with 95 % intervals by generation")
    expect(elo.locator("circle")).to_have_count(2)
    expect(page.get_by_role("img", name="Losses by generation").locator("circle")).to_have_count(6)


def test_training_is_paused_and_goes_on(open_page):
    page = open_page("/training")
    page.get_by_role("button", name="Pause training").click()
    expect(page.get_by_role("region", name="State")).to_contain_text("Paused in generation 3.")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause training")).to_be_visible()


def test_a_sample_game_is_stepped_through(open_page):
    page = open_page("/training")
    page.get_by_role("button", name="Show games of generation 1").click()
    game = page.get_by_role("region", name="A game of generation 1 against itself")
    expect(game).to_contain_text("Won by Crosses (three in a line).")
    page.get_by_role("button", name="One move forward").click()
    expect(game).to_contain_text("1 of 5: a1")
    expect(game).to_contain_text("Win chance of Crosses: 63 %")
    page.get_by_role("button", name="To the latest position").click()
    expect(game).to_contain_text("5 of 5: a3")
    page.get_by_role("button", name="Another game").click()
    expect(game).to_contain_text("The first recorded position")


def test_a_generation_can_be_played(open_page):
    page = open_page("/training")
    page.get_by_role("button", name="Play generation 0").click()
    page.wait_for_url(re.compile("/game/"))
    expect(page.get_by_text("Pip").first).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible_with_a_sample_game(open_page, scheme):
    page = open_page("/training", viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page.get_by_role("button", name="Show games of generation 1").click()
    expect(page.get_by_role("region", name="A game of generation 1 against itself")).to_contain_text("Won by Crosses")
    assert findings(page) == []


def test_phones_show_the_page_without_scrolling_sideways(open_page):
    page = open_page("/training", viewport={"width": 360, "height": 740})
    expect(page.get_by_role("table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
