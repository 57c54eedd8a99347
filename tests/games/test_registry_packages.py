"""A game that an installed package brings has everything that a built-in game has.

The package holds Gomoku's own files under another name.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest

import ludus
from ludus import lines
from ludus.bot.config import BotsFile
from ludus.bot.levels import bots_of_models, brought_models, heuristic_games, with_heuristics
from ludus.errors import BadGame, BadInput
from ludus.games import registry
from ludus.games.annotations import GameTree
from ludus.games.behaviour import behaviour
from ludus.games.plain import PLAIN
from ludus.games.puzzle import Mined, Mining, Puzzle
from ludus.games.recorded import game_told
from ludus.games.records import RecordHeader
from ludus.games.rules import SECOND_WINS
from ludus.loop.game_records.positions import positions_of
from ludus.loop.game_records.readers import find_records, read_records
from ludus.network.checkpoint import Checkpoint, ModelInfo, load_checkpoint, save_checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.site.archive.replay import _carried, _play_link
from ludus.site.archive.texts import read_text, write_text
from ludus.site.bots.bots import BotKey
from ludus.site.catalogue.catalogue import bot_offers, catalogue
from ludus.site.messages.study import Arrangement, StudyLine
from ludus.site.study.arrange import arrange, kit
from ludus.site.study.lessons import Classroom
from ludus.site.study.puzzles import Shelf

NAME, MODULE = "fiverow", "ludus_fiverow"
GOMOKU = Path(registry.__file__).parent / "gomoku"
PRESET = """
name = "tiny"
games = ["fiverow:5x5"]
generations = 1
workers = 1
deterministic = true
network = {blocks = 1, channels = 4, head_channels = 2}
selfplay = {games = 2, first_games = 2, parallel = 2, visits = 3, fast_visits = 2}
learner = {batch = 4, max_steps = 1}
match = {pairs = 0}
"""
MINING = Mining("tiny", "0123", 30, 2000, 0.7, 0.5, 0.15, 3)
PUZZLE = Puzzle(
    id="0123456789ab",
    spec="fiverow:freestyle:9x9",
    setup=None,
    moves=["a1", "a9", "b1", "b9", "c1", "c9", "d1", "d9"],
    right=["e1"],
    played="e9",
    value=1.0,
    value_played=0.0,
    wrong="f9",
    value_wrong=0.0,
    value_short=0.1,
    proof=1,
    prior=0.2,
    line=["e1"],
)
FORMAT = """
from ludus.games.records import BrokenGame, RecordedGame, RecordFormat, RecordHeader

class Fives(RecordFormat):  # one game a line: `FIVE 9x9 1-0 e5 d5 e6`
    title, suffix = "Fives", "fives"

    def recognises(self, text):
        return text.startswith("FIVE ")

    def read(self, text, *, compiled=False):
        for number, line in enumerate(text.splitlines(), 1):
            begin, *words = line.split()
            if begin == "FIVE" and len(words) > 1:
                size, result, *moves = words
                yield RecordedGame(spec=f"fiverow:{size}", header=RecordHeader(result=result), moves=moves)
            else:
                yield BrokenGame(f"line {number}: there is no game.")

    def write(self, tree, header):
        size = tree.last.game.name.split(":")[-1]
        return " ".join(["FIVE", size, header.result, *tree.last.moves])
"""
RECORDS = """
def records():
    from ludus_fiverow.fives import Fives

    return Fives()


about = About(
    records=records,
"""


def install(folder, name, module, files):
    """Install a package with one game into a folder as pip does it."""
    wheel = folder.with_name(f"{module}-1.0-py3-none-any.whl")
    about = f"{module}-1.0.dist-info"
    files = {f"{module}/{path}": data for path, data in files.items()} | {
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/entry_points.txt": f"[ludus.games]\n{name} = {module}\n",
    }
    with zipfile.ZipFile(wheel, "w") as packed:
        for path, data in files.items():
            packed.writestr(path, data)
        packed.writestr(f"{about}/RECORD", "".join(f"{path},,\n" for path in [*files, f"{about}/RECORD"]))
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-compile", "--target", folder]
    subprocess.run([*pip, wheel], check=True, env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})


@contextlib.contextmanager
def on_the_path(folder):
    """Let this process and its children find the packages in a folder."""
    caches = (registry.installed, registry._about, registry._game)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]))
        for each in caches:
            each.cache_clear()
        yield
    for each in caches:
        each.cache_clear()
    for name in [
        each for each in sys.modules if str(getattr(sys.modules[each], "__file__", "")).startswith(str(folder))
    ]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Return the folder of the installed package, which has a lesson, puzzles and a model."""
    target = tmp_path_factory.mktemp("installed") / "lib"
    files = [path for path in GOMOKU.rglob("*") if path.suffix in (".py", ".toml")]
    texts = {path.relative_to(GOMOKU).as_posix(): path.read_text() for path in files}
    texts = {
        name: text.replace("ludus.games.gomoku", MODULE).replace("gomoku", NAME).replace("Gomoku", "Five in a row")
        for name, text in texts.items()
    }
    texts |= {"fives.py": FORMAT, "__init__.py": texts["__init__.py"].replace("about = About(\n", RECORDS)}
    puzzles = lines.sealed(MINING) + lines.sealed(Mined("g1", 9, {}, [PUZZLE]))
    install(target, NAME, MODULE, texts | {"puzzles/fives.puzzles": puzzles})
    with on_the_path(target):
        model = target / MODULE / "models" / "fiverow-5x5"
        save_checkpoint(model / "model.safetensors", small_model("fiverow:5x5"))
        yield target / MODULE


def small_model(spec):
    from ludus.network.model import draw_arrays

    game = ludus.game(spec)
    network, shapes = NetworkSettings(blocks=1, channels=4, head_channels=2), Shapes.of(game)
    return Checkpoint(
        ModelInfo("small", network, shapes, {spec: behaviour(game)}), draw_arrays(network, shapes, seed=0)
    )


def ludus_command(*arguments, **options):
    """Run a command without compiled code, which small searches do not need."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "ludus", *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_found_by_name_after_the_built_in_games(package):
    assert registry.names()[-1] == NAME
    assert registry.about("fiverow:9x9").title == "Five in a row"
    assert ludus.game("fiverow:renju:9x9").name == "fiverow:renju:9x9"
    assert Path(sys.modules[MODULE].__file__).parent == package


def test_the_page_offers_its_variants_sizes_and_opening(package):
    bots = with_heuristics(BotsFile(bots=[]), heuristic_games()).bots
    attached = [(BotKey("ludus", bot.bot_id), bot.registered(), True) for bot in bots]
    found = catalogue(bot_offers(attached))
    (listed,) = (game for game in found.games if game.game == NAME)
    assert (listed.title, listed.variant, len(listed.bots), listed.arranges) == ("Five in a row", "freestyle", 6, True)
    own, gomoku = (next(each for each in found.choices if each.game == game) for game in (NAME, "gomoku"))
    assert own == msgspec.structs.replace(gomoku, game=NAME)
    assert own.switch.value == "swap2"


def test_it_has_a_lesson_an_editor_and_puzzles(package):
    lesson = Classroom().lesson(NAME)
    assert lesson.title == "Five in a row"
    assert all(part.spec.startswith("fiverow:") for part in lesson.parts)
    spec = "fiverow:freestyle:9x9"
    found = kit(StudyLine(spec=spec))
    assert [kind.shape for kind in found.kinds] == ["stone", "stone"]
    stone = {"at": (4, 4), "shape": "stone", "owner": 0}
    sent = {"spec": spec, "pieces": [stone], "edges": [], "toPlay": 1, "switches": []}
    assert len(arrange(Arrangement.model_validate(sent)).board.pieces) == 1
    shelf = Shelf(registry.brought("puzzles"))
    assert [(each.game, each.puzzles) for each in shelf.games.games] == [(NAME, [PUZZLE.id])]


def test_its_games_are_written_and_read(package):
    position = ludus.game("fiverow:9x9").start()
    for move in ("e5", "d5", "e6"):
        position = position.play(move)
    text = PLAIN.write(GameTree(position), RecordHeader())
    assert '[Game "fiverow:9x9"]' in text
    (game,) = PLAIN.read(text)
    assert game.positions(game_told(game.spec))[-1].moves == position.moves


def test_a_site_imports_and_exports_its_games_in_its_own_format(package):
    brought = read_text("FIVE 9x9 0-1 e5 d5 e6")
    assert (brought.last.game.name, brought.last.moves, brought.winner) == ("fiverow:9x9", ["e5", "d5", "e6"], 1)
    told, line = _carried(brought, ())
    assert _play_link(told.link).last.moves == brought.last.moves
    assert write_text(GameTree(line.last), line.summary) == ("FIVE 9x9 0-1 e5 d5 e6", "fives")
    with pytest.raises(BadInput, match=r"^Fives, line 1: there is no game\.$"):
        read_text("FIVE 9x9")


def test_networks_learn_from_files_of_its_own_format(package, tmp_path):
    (tmp_path / "a.fives").write_text("FIVE 9x9 0-1 e5 d5 e6\nnothing\nFIVE 9x9 1-0 e5 zz\nFIVE 5x5 1-0 c3\n")
    games, faults = [ludus.game("fiverow:9x9")], []
    assert find_records([tmp_path], games) == [tmp_path / "a.fives"]
    samples = read_records(tmp_path / "a.fives", games, faults.append)
    assert (samples.action.tolist(), set(samples.outcome.tolist())) == ([40, 39, 31], {SECOND_WINS})
    assert [fault.partition("a.fives, ")[2][:24] for fault in faults] == [
        "game 2, line 2: there is",
        "game 3: Move 1: fiverow:",
        "game 4: it is a game of ",
    ]
    assert len(positions_of([tmp_path / "a.fives"], games[0], faults.append)) == 4


def test_bots_play_with_the_model_it_brings_unless_another_has_its_name(package, tmp_path):
    (model,) = brought_models([], with_shipped=False)
    assert (model.path, model.specs) == (package / "models" / "fiverow-5x5", ("fiverow:5x5",))
    assert [bot.game for bot in bots_of_models([model]).bots] == [NAME] * 6
    assert brought_models([model._replace(path=tmp_path / "fiverow-5x5")], with_shipped=False) == []


def test_a_run_trains_it(package, tmp_path):
    (tmp_path / "tiny.toml").write_text(PRESET)
    ludus_command("train", "tiny.toml", cwd=tmp_path)
    info = load_checkpoint(tmp_path / "runs" / "tiny" / "models" / "gen-0000.safetensors").info
    assert info.games == {"fiverow:5x5": behaviour(ludus.game("fiverow:5x5"))}


def test_an_engine_plays_it(package):
    config = {"variant": "freestyle", "boardWidth": 5, "boardHeight": 5, "initialState": None, "game": NAME}
    asked = [
        {"type": "start_game_session", "bgsId": "A", "botId": "any", "config": config},
        {"type": "evaluate_position", "bgsId": "A", "expectedPly": 0},
    ]
    answers = ludus_command(
        "engine", "bgs", "--sense=fiverow:5x5", "--visits=2", input="".join(json.dumps(each) + "\n" for each in asked)
    )
    started, evaluated = map(json.loads, answers.splitlines())
    assert started["success"]
    assert evaluated["success"]
    assert evaluated["bestMove"]


def test_a_manager_plays_it_over_the_protocol_that_it_brings(package):
    asked = "START 5\nTURN 2,2\nTURN 0,0\n"
    answers = ludus_command("engine", "fiverow-gomocup", "--visits=2", "--tree-visits=20", input=asked).splitlines()
    assert "MESSAGE 2 visits" in "\n".join(answers)
    started, *moves = (line for line in answers if not line.startswith("MESSAGE"))
    assert started == "OK"
    assert len({*moves, "2,2", "0,0"}) == 4
    assert all(re.fullmatch("[0-4],[0-4]", move) for move in moves)


BROKEN = {
    "raises": ("raises", "1 / 0", r"brings the game 'raises', which cannot be loaded \(ZeroDivisionError: .*\)"),
    "leaves": ("leaves", "raise SystemExit(3)", r"brings the game 'leaves', which cannot be loaded \(SystemExit: 3\)"),
    "empty": ("empty", "", "brings the game 'empty', but ludus_empty is not a module that defines `game` or `make`"),
    "told": ("told", "game, about = 1, 2", "'told', but `about` in ludus_told is not a ludus.About"),
    "named": ("Badname", "game = 1", "'Badname', whose name must have small letters, digits"),
    "taken": ("go", "game = 1", "brings the game 'go', but there is another game of this name; uninstall one"),
}


def by_hand(folder, kind, name, text):
    """Write what an installer leaves of a package whose only module has this text."""
    module, about = folder / f"ludus_{kind}", folder / f"ludus_{kind}-1.0.dist-info"
    module.mkdir(parents=True)
    about.mkdir()
    (module / "__init__.py").write_text(text)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: ludus_{kind}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[ludus.games]\n{name} = ludus_{kind}\n")


def test_an_error_in_an_installed_game_is_reported_with_its_line(tmp_path):
    folder = tmp_path / "site-packages"
    by_hand(folder, "late", "late", "def make(*parts):\n    raise KeyError(parts[0])\n")
    with on_the_path(folder), pytest.raises(BadGame, match=r"late does not take these parts \('5x5', line 2\)"):
        ludus.game("late:5x5")


def test_faults_of_packages_are_told_in_one_sentence_each_and_harm_no_other_game(tmp_path):
    for kind, (name, text, _) in BROKEN.items():
        by_hand(tmp_path, kind, name, text)
    with on_the_path(tmp_path):
        assert not set(registry.names()) & {name for name, _, _ in BROKEN.values() if name != "go"}
        faults = registry.installed().faults
        assert len(faults) == len(BROKEN)
        for kind, (name, _, sentence) in BROKEN.items():
            (fault,) = (fault for fault in faults.values() if f"ludus_{kind} " in fault)
            assert "\n" not in fault
            assert fault.startswith(f"The installed package ludus_{kind} brings")
            assert re.search(sentence, fault)
            if name != "go":
                with pytest.raises(BadGame, match=f"^{re.escape(fault)}$"):
                    ludus.game(name)
        assert ludus.game("go:9x9").name == "go:9x9"
        assert "go" in [each.game for each in Classroom().lessons().lessons]
