"""The analysis board and the lessons."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from ludus.errors import BadInput, BadMessage
from ludus.games import BUILT_IN
from ludus.games.game import Position
from ludus.site.app import create_app
from ludus.site.catalogue.catalogue import catalogue
from ludus.site.evaluation import device
from ludus.site.messages.page import Choices
from ludus.site.messages.reading import read_as
from ludus.site.messages.study import StudyLine
from ludus.site.safety import fair_queue
from ludus.site.study.lessons import Classroom
from ludus.site.study.study import position_of, replay
from ludus.trust import permit


def test_a_line_of_moves_and_actions_is_replayed() -> None:
    first = replay(StudyLine(spec="tictactoe", moves=["b2"]))
    action = next(choice.action for choice in first.board.choices if choice.text == "a1")
    view = replay(StudyLine(spec="tictactoe", moves=["b2"], actions=[action]))
    assert [(move.text, move.player, move.ply) for move in view.moves] == [("b2", 0, 1), ("a1", 1, 2)]
    assert (view.ply, view.to_play, view.result, len(view.board.choices)) == (2, 0, None, 7)
    assert replay(StudyLine(spec="tictactoe", actions=view.actions)) == view


def test_a_move_of_several_actions_is_one_move_and_an_unfinished_one_is_shown() -> None:
    view = replay(StudyLine(spec="wallgame:classic:5x5", moves=["Ca4.>c3"]))
    assert [(move.text, move.ply) for move in view.moves] == [("Ca4.>c3", 2)]
    half = replay(StudyLine(spec="wallgame:classic:5x5", actions=view.actions[:1]))
    assert [(move.player, move.ply) for move in half.moves] == [(0, 1)]
    assert half.to_play == 0


def test_a_finished_line_has_a_result_and_no_choices() -> None:
    view = replay(StudyLine(spec="tictactoe", moves=["a1", "a2", "b1", "b2", "c1"]))
    assert view.result
    assert view.result.winner == 0
    assert view.board.choices == []


@pytest.mark.parametrize(
    "text", [b"", b"{}", b'{"spec": 3}', b'{"spec": "go", "more": 1}', b'{"spec": "x", "actions": [-1]}']
)
def test_invalid_messages_are_refused(text: bytes) -> None:
    with pytest.raises(BadMessage, match="The line cannot be read: "):
        read_as(StudyLine, text, "line")


@pytest.mark.parametrize(
    ("spec", "players"),
    [("wallgame:classic:5x5", ("First", "Second")), ("connect4", ("Red", "Yellow")), ("go:9x9", ("Black", "White"))],
)
def test_the_sides_have_the_names_that_games_show(spec: str, players: tuple[str, str]) -> None:
    assert replay(StudyLine(spec=spec)).players == players


def test_an_illegal_line_is_refused() -> None:
    with pytest.raises(BadInput):
        replay(StudyLine(spec="tictactoe", moves=["b2", "b2"]))


LESSONS = Classroom()


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_lesson_can_be_played_in(game: str) -> None:
    found = LESSONS.lesson(game)
    assert found.parts
    for part in found.parts:
        assert part.text
        assert part.view.board.choices, "there is something to try"
        assert part.view.result is None
        again = replay(StudyLine(spec=part.spec, setup=part.setup, moves=part.before))
        assert again == part.view
        assert [move.text for move in part.view.moves] == part.before, "moves are written as they are read"


def test_a_game_in_a_file_without_a_lesson_can_be_tried(tmp_path) -> None:
    path, sized = tmp_path / "mine.py", tmp_path / "sized.py"
    path.write_text(
        '"""Four in a line.  More words."""\n\nimport copy\n\nimport ludus\n\ngame = copy.copy(ludus.game("connect4"))'
    )
    sized.write_text("def make(size):\n    raise AssertionError(size)\n")
    permit(str(path), str(sized))  # as the site does
    room = Classroom((str(path), str(sized)))
    assert [lesson.game for lesson in room.lessons().lessons] == ["mine", *BUILT_IN]
    found = room.lesson("mine")
    assert (found.title, found.summary, found.parts[0].spec) == ("Mine", "Four in a line.", str(path))
    assert {choice.text for choice in found.parts[0].view.board.choices} == set("1234567")


def test_the_positions_hold_what_the_lessons_say() -> None:
    def texts(game: str, index: int) -> set[str]:
        return {choice.text for choice in LESSONS.lesson(game).parts[index].view.board.choices}

    assert ">a1" not in texts("wallgame", 2)
    mate = LESSONS.lesson("chess").parts[3]
    over = replay(StudyLine(spec=mate.spec, moves=[*mate.before, "Qxf7"]))
    assert over.result
    assert over.result.reason == "checkmate"
    promotion = LESSONS.lesson("chess").parts[2]
    assert {choice.label for choice in promotion.view.board.choices} >= {"queen", "knight"}
    win = LESSONS.lesson("wallgame").parts[5]
    finished = replay(StudyLine(spec=win.spec, moves=[*win.before, "Cd1.Ce1"]))
    assert finished.result
    assert finished.result.winner == 0


def test_lessons_and_lines_are_served() -> None:
    async def visit() -> None:
        transport = httpx.ASGITransport(app=create_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://site") as client:
            titles = (await client.get("/api/lessons")).json()["lessons"]
            assert [one["game"] for one in titles] == [one.game for one in LESSONS.lessons().lessons]
            parts = (await client.get("/api/lessons/wallgame")).json()["parts"]
            assert parts[0]["view"]["board"]["choices"]
            assert (await client.get("/api/lessons/nothing")).status_code == 404
            answer = await client.post("/api/study", json={"spec": "tictactoe", "moves": ["b2"]})
            assert answer.json()["ply"] == 1
            assert (await client.post("/api/study", json={"spec": "tictactoe", "moves": ["z9"]})).status_code == 400
            nodes = [{"parent": -1}, {"parent": 0, "action": 4, "comment": "so", "marks": [[[0, 1], "label", "A"]]}]
            text = await client.post("/api/study/text", json={"spec": "tictactoe", "nodes": nodes})
            assert "1. b2 {so}" in text.text
            assert 'filename="tictactoe-analysis.txt"' in text.headers["content-disposition"]
            nodes[1]["parent"] = 1
            assert (await client.post("/api/study/text", json={"spec": "tictactoe", "nodes": nodes})).status_code == 400
            unknown = await client.post("/api/study", json={"spec": "wallgame:standard:30x3"})
            assert unknown.status_code == 400
            assert "does not offer the game" in unknown.json()["error"]
            heavy = await client.post("/api/study", json={"spec": "go:19x19:plies=30000"})
            assert (
                heavy.status_code,
                "has the option `plies=`, which this site does not allow; leave it out" in heavy.json()["error"],
            ) == (400, True)
            assert (await client.post("/api/study", content=b"x" * 70_000)).status_code == 413

    asyncio.run(visit())


def chosen(choices: Choices) -> list[str]:
    """Return the full names of all combinations of a game's options, as the page forms them."""
    openings = ["", *([f"-{choices.switch.value}"] if choices.switch else [])]
    return [
        f"{choices.game}:{variant.value}{opening}:{columns}x{rows}"
        for variant in choices.variants
        for opening in openings
        for columns, rows in choices.sizes or [(8, 8)]
    ]


@pytest.mark.parametrize("choices", catalogue([]).choices, ids=lambda choices: choices.game)
def test_all_options_can_be_studied_and_started(choices: Choices) -> None:
    async def visit() -> None:
        transport = httpx.ASGITransport(app=create_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://site") as client:
            for spec in chosen(choices):
                kit = await client.post("/api/study/kit", json={"spec": spec})
                assert kit.status_code == 200, kit.text
                view = (await client.post("/api/study", json={"spec": spec})).json()
                game, variant, size = spec.split(":")
                extent = f"{view['board']['columns']}x{view['board']['rows']}"
                assert (view["game"], view["variant"], extent) == (game, variant, size)

    asyncio.run(visit())


WALL_GAME = '[Variant "classic"]\n[Board "8x8"]\n[Result "*"]\n\n1. >d4.>d2 ^e3 *'


@pytest.mark.parametrize(
    "text",
    [
        '[Event "?"]\n\n1. e4 e5 2. Nf3 Nc6 *',
        "(;GM[1]FF[4]SZ[9];B[cc];W[gg];B[gc])",
        "(;GM[1]SZ[9]RU[Japanese];B[cc])",
        WALL_GAME,
        WALL_GAME.replace("8x8", "7x9").replace("classic", "survival"),
        '[Game "connect4"]\n[Result "*"]\n\n1. 4 4 *',
        '[Game "gomoku:renju:15x15"]\n[Result "*"]\n\n1. h8 *',
    ],
)
def test_a_recorded_game_that_was_read_can_be_studied(at_site, text: str) -> None:
    async def scenario(address: str, _site: object) -> None:
        async with httpx.AsyncClient(base_url=address, timeout=300) as browser:
            link = (await browser.post("/api/read", json={"text": text})).json()
            read = (await browser.post("/api/shared", json=link)).json()
            line = {"spec": read["game"]["spec"], "moves": [move["text"] for move in read["moves"]]}
            answer = await browser.post("/api/study", json=line)
            assert answer.status_code == 200, answer.text
            assert len(answer.json()["moves"]) == len(read["moves"]) > 0
            judged = await browser.post("/api/study/evaluation", json=line)
            assert judged.status_code == 503, "nobody is attached who could judge it; but it is a game of this site"

    at_site(scenario)


@pytest.fixture
def long_lines(monkeypatch):
    """Return an event that ends the replays, and a list of the replays that have begun."""
    done, begun = threading.Event(), list[StudyLine]()

    def slowly(line: StudyLine) -> Position:
        begun.append(line)
        assert done.wait(300)
        return position_of(line)

    monkeypatch.setattr(device, "position_of", slowly)
    yield done, begun
    done.set()


def test_long_lines_do_not_delay_other_requests(at_site, long_lines) -> None:
    done, begun = long_lines

    async def scenario(address: str, _site: object) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        async with httpx.AsyncClient(base_url=address, timeout=300) as browser:
            asked = [asyncio.create_task(browser.post("/api/study", json={"spec": "tictactoe"})) for _ in range(6)]
            while len(begun) < 2:
                await asyncio.sleep(0.01)
            config = {"game": "tictactoe", "boardWidth": 3, "boardHeight": 3}
            assert (await browser.post("/api/games", json={"config": config})).status_code == 201
            assert not any(task.done() for task in asked)
            done.set()
            assert {(await task).status_code for task in asked} == {200}

    at_site(scenario)


def test_lines_beyond_the_queue_limit_are_refused(at_site, long_lines, monkeypatch) -> None:
    monkeypatch.setattr(fair_queue, "MAX_OWN", 1)
    done, _ = long_lines

    async def scenario(address: str, _site: object) -> None:
        async with httpx.AsyncClient(base_url=address, timeout=300) as browser:
            asked = [asyncio.create_task(browser.post("/api/study", json={"spec": "tictactoe"})) for _ in range(4)]
            refused, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            answer = refused.pop().result()
            assert answer.status_code == 503
            assert answer.json()["error"].endswith("; try again in a few seconds.")
            done.set()
            assert sorted([(await task).status_code for task in asked]) == [200, 200, 200, 503]

    at_site(scenario)
