"""Models, runs, records, evaluations and messages that mention a game's file never run it; its user's words do."""

import json
import re
import subprocess
from pathlib import Path

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

import ludus
from ludus import lines, trust
from ludus.arena.record import MatchPlan
from ludus.bot.engines import _BoardSize, _start_of
from ludus.cli.app import app
from ludus.errors import BadGame, BadInput, LudusError
from ludus.evaluations.file import EvaluationFile, FileInfo
from ludus.games import registry
from ludus.games.behaviour import behaviour
from ludus.games.puzzle import Mined, Mining, Puzzle
from ludus.games.recorded import game_told
from ludus.inference.server import load_networks
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import RunStart
from ludus.loop.distributed.member import Member
from ludus.loop.distributed.messages import JoinOrder
from ludus.loop.preset import Preset, load_preset
from ludus.network.checkpoint import load_checkpoint, save_checkpoint, weights_fingerprint
from ludus.site.archive.link import read_link, write_link
from ludus.site.catalogue.specs import known_spec
from ludus.site.study.puzzles import Shelf
from ludus.store import Samples, shard_path, write_shard
from ludus.store.samples import DTYPES

RULES = Path(ludus.__file__).parent / "games" / "tictactoe.py"
REFUSED = "this file of a game does not run, because you have not named it yourself"


class Stranger:
    """Files that a stranger sent, all of which mention `tictactoe.py` beside them, which leaves a trace if it runs."""

    def __init__(self, folder, honest):
        self.folder, self.game = folder, folder / "tictactoe.py"
        self.game.write_text(f"import pathlib\n(pathlib.Path(__file__).parent / 'ran').touch()\n{RULES.read_text()}")
        rules = behaviour(ludus.game("tictactoe"))
        own = load_checkpoint(honest)
        info = msgspec.structs.replace(own.info, name="theirs", games={str(self.game): rules})
        self.model, self.run = folder / "model", folder / "run"
        save_checkpoint(self.model / "model.safetensors", msgspec.structs.replace(own, info=info))
        self.honest, preset = honest, Preset(name="theirs", games=[str(self.game)])
        Folder(self.run).begin(preset, RunStart(0, "", "", "", "", "", 1, {}))
        save_checkpoint(Folder(self.run).model(0), msgspec.structs.replace(own, info=info))
        arrays = {name: np.zeros(0, dtype) for name, dtype in DTYPES.items()}
        empty = Samples(**arrays | {"states": np.zeros((0, 1), np.uint64), "policy_start": np.zeros(1, np.int32)})
        self.shard = shard_path(self.run / "shards", 0, 0)
        write_shard(self.shard, empty, rules_key=rules, names=[str(self.game)])
        self.records = folder / "games.jsonl"
        plan = MatchPlan("a", "b", [str(self.game)], 0, 0, False, rules=[rules])
        lines.begin(self.records, plan)
        self.evaluations = folder / "positions.ev"
        begin = FileInfo(str(self.game), rules, "0", "theirs", weights_fingerprint(own))
        EvaluationFile(self.evaluations, "append", begin=begin).close()
        self.puzzles = folder / "positions.puzzles"
        puzzle = Puzzle(
            id="p",
            spec=str(self.game),
            setup=None,
            moves=[],
            right=["a1"],
            played="b1",
            value=1.0,
            value_played=0.0,
            wrong="b1",
            value_wrong=0.0,
            value_short=0.0,
            proof=0,
            prior=0.1,
            line=["a1"],
        )
        lines.begin(self.puzzles, Mining("theirs", "0", 8, 16, 0.5, 0.5, 0.1, 1))
        lines.append(self.puzzles, Mined("g", 1, {}, [puzzle]))

    @property
    def has_run(self):
        return (self.folder / "ran").exists()


@pytest.fixture
def stranger(tmp_path, save_tiny, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sent").mkdir()
    return Stranger(tmp_path / "sent", save_tiny(tmp_path / "own"))


def said(*arguments):
    """Return what a command prints or complains about, on one line."""
    result = CliRunner().invoke(app, [str(each) for each in arguments])
    assert result.exception is None or isinstance(result.exception, (LudusError, SystemExit)), result.exception
    return " ".join(f"{result.output} {result.exception}".split())


REFUSING = {
    "match": "match MODEL random --pairs 1",
    "play": "play MODEL",
    "rate": "league MODEL random --folder x --pairs 1",
    "grade": "grade connect4 MODEL --perfect 1",
    "levels": "levels MODEL --folder x",
    "sweep": "sweep MODEL --vary cpuct=1:4 --folder x",
    "surgery": "surgery MODEL out.safetensors --blocks 2",
    "show": "show tictactoe --out x --model MODEL",
    "precompute": "precompute MODEL x.ev --opening-depth 1",
    "mine": "mine MODEL --records RECORDS --out x.puzzles",
    "bench": "bench sessions --model MODEL",
    "train": "train RUN",
    "verify": "runs RUN --verify",
    "learn-from a shard": "learn-from SHARD --preset tictactoe-smoke --out x.safetensors",
    "learn-from a match": "learn-from RECORDS --preset tictactoe-smoke --out x.safetensors",
    "serve": "serve --models FOLDER --port 0",
    "evaluations": "engine bgs --model OWN --evaluations EVALUATIONS",
    "bgs": "engine bgs --model MODEL",
    "bgs run": "engine bgs --sense tictactoe --run RUN",
    "gtp": "engine gtp --model MODEL",
    "uci": "engine uci --model MODEL",
    "gomocup": "engine gomocup --model MODEL",
    "export": "export MODEL x",
    "pack": "pack MODEL x.safetensors",
    "runs": "runs RUN",
    "report": "report RUN --out x.html",
}
SILENT = {  # these need the rules of another game or none
    "grade",
    "show",
    "learn-from a match",
    "bgs run",
    "gtp",
    "uci",
    "gomocup",
    "export",
    "pack",
    "runs",
    "report",
}


@pytest.mark.parametrize("door", REFUSING)
def test_a_command_refuses_a_file_that_only_data_mentions(stranger, door):
    names = {
        "MODEL": stranger.model,
        "RECORDS": stranger.records,
        "RUN": stranger.run,
        "SHARD": stranger.shard,
        "FOLDER": stranger.folder,
        "OWN": stranger.honest,
        "EVALUATIONS": stranger.evaluations,
    }
    words = [str(names.get(word, word)) for word in REFUSING[door].split()]
    answer = said(*words)
    assert not stranger.has_run
    if door not in SILENT:
        assert REFUSED in answer
        assert re.search(r"run `ludus check \S+` once, or give it with --game", answer)


def test_a_site_refuses_puzzles_of_a_game_that_nobody_named(stranger):
    with pytest.raises(BadInput, match=REFUSED):
        Shelf([stranger.puzzles])
    assert not stranger.has_run


def test_an_inference_server_evaluates_a_network_without_its_rules(stranger):
    assert len(load_networks([stranger.model], device="auto", batch=1, streams=1)) == 1
    assert not stranger.has_run


@pytest.mark.parametrize("command", ["analysis", "analysis --model OWN", "analysis --model MODEL"])
def test_an_engine_refuses_a_request_that_mentions_a_file(stranger, command):
    words = command.replace("OWN", str(stranger.honest)).replace("MODEL", str(stranger.model)).split()
    request = json.dumps({"id": "1", "type": "analyse", "game": str(stranger.game), "visits": 8})
    engine = [*trust.COMMAND, "engine", *words]
    answered = subprocess.run(engine, input=f"{request}\n", capture_output=True, text=True, check=False)
    assert REFUSED in answered.stdout
    assert not stranger.has_run


def test_a_member_of_a_cluster_runs_no_file_that_the_run_did_not_send(stranger):
    preset = msgspec.structs.replace(load_preset("tictactoe-smoke"), games=[str(stranger.game)])
    with pytest.raises(BadGame, match=REFUSED):
        Member().join(JoinOrder(preset, 1, {}), None)
    assert not stranger.has_run
    member, sent = Member(), {str(stranger.game): RULES.read_bytes()}
    assert member.join(JoinOrder(preset, 1, sent), None) == [behaviour(ludus.game("tictactoe"))]
    member._folder.cleanup()
    assert not stranger.has_run


def test_a_site_and_its_records_know_no_file_that_its_settings_do_not_name(stranger, monkeypatch):
    spec = str(stranger.game)
    assert known_spec(spec, ()) is None
    with pytest.raises(BadGame, match="a record cannot name a file"):
        game_told(spec)
    monkeypatch.setattr(registry, "told_name", lambda _name: spec)  # a link that another program wrote
    link = write_link(ludus.game("tictactoe").start(), names=("a", "b"), winner=None, reason="", ended=None)
    with pytest.raises(BadInput, match="which this site does not have"):
        read_link(link)
    with pytest.raises(BadGame, match=REFUSED):
        registry.lesson_file(spec)
    assert registry.about(spec).title == "Tictactoe"
    assert not stranger.has_run


def test_a_bot_whose_configuration_names_a_file_as_its_game_does_not_run_it(stranger):
    assert _start_of(_BoardSize(str(stranger.game), "standard", 3, 3)) is None
    assert not stranger.has_run


@pytest.mark.parametrize(
    "words",
    [
        "match MODEL random --pairs 1 --game GAME",
        "runs RUN --verify --game GAME",
        "engine bgs --model MODEL --game GAME",
    ],
)
def test_a_file_runs_if_the_user_names_it_beside_the_data(stranger, words):
    names = {"MODEL": str(stranger.model), "RUN": str(stranger.run), "GAME": str(stranger.game)}
    answer = said(*(names.get(word, word) for word in words.split()))
    assert REFUSED not in answer
    assert stranger.has_run


def test_a_preset_runs_the_file_of_a_game_and_a_run_of_the_same_game_does_not(stranger):
    named = stranger.folder / "mine.toml"
    named.write_text('name = "mine"\ngames = ["tictactoe.py"]\n')
    assert REFUSED in said("train", stranger.run)
    assert not stranger.has_run
    load_preset(str(named)).make_games()
    assert stranger.has_run


def test_a_moved_file_that_the_user_names_stands_for_the_one_that_a_model_mentions(stranger, tmp_path):
    moved = tmp_path / "elsewhere" / "tictactoe.py"
    moved.parent.mkdir()
    moved.write_bytes(RULES.read_bytes())
    trust.permit(str(moved))
    assert [*load_checkpoint(stranger.model).info.games] == ["elsewhere/tictactoe.py"]
    assert '"wins": ' in said("match", stranger.model, "random", "--pairs", "1", "--json")
    assert not stranger.has_run
