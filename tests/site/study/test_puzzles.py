"""Puzzles are offered without their solutions, and tries are judged by the resulting state."""

import asyncio

import httpx
import msgspec
import pytest

import ludus
from ludus import lines
from ludus.errors import BadInput, BadRecord, IllegalMove, LudusError
from ludus.games.puzzle import Mined, Mining, Puzzle, name_of
from ludus.site.app import create_app
from ludus.site.faults import NotHere
from ludus.site.messages.puzzles import TryPuzzle
from ludus.site.study.puzzles import Shelf

MINING = Mining("tiny", "0123", 30, 2000, 0.7, 0.5, 0.15, 3)
FORK = Puzzle(
    id="0123456789ab",
    spec="tictactoe",
    setup=None,
    moves=["a1", "b1", "a3", "a2"],
    right=["c3"],
    played="b3",
    value=1.0,
    value_played=0.0,
    wrong="b2",
    value_wrong=0.1,
    value_short=0.2,
    proof=1,
    prior=0.2,
    line=["c3", "b3", "b2"],
)
WALL = msgspec.structs.replace(
    FORK,
    id="fedcba987654",
    spec="wallgame:classic:5x5",
    moves=["Cb5.>b3"],
    right=["Cd5.^c3", ">a1.^b2"],
    played="Cc5",
    value=-0.9,
    proof=0,
    prior=0.4,
    line=[],
)


def file_of(path, *puzzles, mining=MINING):
    lines.begin(path, mining)
    lines.append(path, Mined("g", 9, {"kept": 7}, list(puzzles)))
    return path


@pytest.fixture
def shelf(tmp_path):
    return Shelf([file_of(tmp_path / "one", FORK), file_of(tmp_path / "two", WALL)])


def actions_of(puzzle, *moves):
    position = ludus.game(f"{puzzle.spec}:short" if puzzle is WALL else puzzle.spec).start()
    for move in puzzle.moves:
        position = position.play(move)
    actions = []
    for move in moves:
        actions += position.parse(move)
        position = position.play(move)
    return actions


def judged(shelf, puzzle, *actions):
    game = puzzle.spec.partition(":")[0]
    return shelf.judge(game, puzzle.id, TryPuzzle(actions=list(actions)))


def test_games_are_listed_with_their_puzzles_in_the_order_of_the_site(shelf):
    told = shelf.games.games
    assert [(each.game, each.title, each.puzzles) for each in told] == [
        ("wallgame", "Wall Game", [WALL.id]),
        ("tictactoe", "Tic-tac-toe", [FORK.id]),
    ]
    assert told[1].view.ply == 4
    assert Shelf().games.games == []


def test_puzzles_with_the_highest_priors_are_first(tmp_path):
    easy = msgspec.structs.replace(FORK, id="aaaaaaaaaaaa", prior=0.9)
    [told] = Shelf([file_of(tmp_path / "p", FORK, easy)]).games.games
    assert told.puzzles == [easy.id, FORK.id]


def test_a_puzzle_states_its_goal_but_not_its_solution(shelf):
    told = shelf.puzzle("tictactoe", FORK.id)
    assert (told.player, told.goal, told.right, told.before) == (0, "win", 1, FORK.moves)
    assert (shelf.puzzle("wallgame", WALL.id).player, shelf.puzzle("wallgame", WALL.id).goal) == (1, "good")
    assert told.title == "Tic-tac-toe"
    classic = shelf.puzzle("wallgame", WALL.id)
    assert (classic.title, classic.rules[:19]) == ("Wall Game, classic", "Bring your cat home")
    words = msgspec.json.encode(msgspec.structs.replace(told, view=None))
    assert b"c3" not in words


def test_right_and_wrong_moves_are_distinguished(shelf):
    assert judged(shelf, FORK, *actions_of(FORK, "c3")).right
    wrong = judged(shelf, FORK, *actions_of(FORK, "b3"))
    assert (wrong.right, wrong.move) == (False, "b3")


def test_the_actions_of_a_move_may_come_in_any_order(shelf):
    for move in ("Cd5.^c3", "^c3.Cd5", "^b2.>a1", ">a1.^b2"):
        assert judged(shelf, WALL, *actions_of(WALL, move)).right, move
    assert not judged(shelf, WALL, *actions_of(WALL, "Cd5.>a1")).right


@pytest.mark.parametrize(
    ("actions", "fault", "complaint"),
    [
        ([0, 0], BadInput, "with a single move"),
        ([99], IllegalMove, "may not be played here"),
    ],
)
def test_illegal_tries_are_refused(shelf, actions, fault, complaint):
    free = actions_of(FORK, "b3")
    with pytest.raises(fault, match=complaint):
        judged(shelf, FORK, *(free + actions if actions == [0, 0] else actions))


def test_an_incomplete_move_is_refused(shelf):
    with pytest.raises(BadInput, match="This move is not complete"):
        judged(shelf, WALL, actions_of(WALL, "Cd5.^c3")[0])


def test_the_solution_says_what_the_engine_thought(shelf):
    told = shelf.solution("tictactoe", FORK.id)
    assert [move.text for move in told.lines[0].moves] == FORK.line
    assert told.lines[0].actions == actions_of(FORK, *FORK.line)
    assert (told.played, told.value_played, told.model, told.visits) == ("b3", 0.0, "tiny", 4000)
    two = shelf.solution("wallgame", WALL.id)
    assert [line.moves[0].text for line in two.lines] == ["Cd5.^c3", ">a1.^b2"]


@pytest.mark.parametrize("game", ["tictactoe", "chess"])
def test_unknown_puzzles_are_not_found(shelf, game):
    with pytest.raises(NotHere):
        shelf.puzzle(game, "nothing")


@pytest.mark.parametrize(
    ("puzzle", "complaint"),
    [
        (msgspec.structs.replace(FORK, right=["a1"]), "p: The puzzle 0123456789ab: "),
        (msgspec.structs.replace(FORK, spec="nosuch"), "p: There is no game 'nosuch'"),
        (msgspec.structs.replace(FORK, setup="x"), "p: The puzzle 0123456789ab: tictactoe has only one start"),
    ],
)
def test_a_file_with_a_puzzle_that_cannot_be_played_is_refused(tmp_path, puzzle, complaint):
    with pytest.raises(BadInput, match=complaint):
        Shelf([file_of(tmp_path / "p", puzzle)])


def test_files_without_puzzles_are_refused(tmp_path):
    with pytest.raises(BadInput, match="there are no puzzles in this file"):
        Shelf([file_of(tmp_path / "p")])
    with pytest.raises(LudusError, match="nowhere: cannot be read"):
        Shelf([tmp_path / "nowhere"])
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(BadRecord, match="line 1"):
        Shelf([tmp_path / "text"])


def test_only_puzzle_files_of_a_folder_are_read(tmp_path):
    with pytest.raises(BadInput, match=r"this folder has no \.puzzles files"):
        Shelf([tmp_path])
    file_of(tmp_path / "a.puzzles", FORK)
    file_of(tmp_path / "b.puzzles", WALL)
    (tmp_path / "README.md").write_text("hello")
    assert len(Shelf([tmp_path]).games.games) == 2


def test_a_file_may_be_served_twice(tmp_path):
    path = file_of(tmp_path / "p", FORK)
    [told] = Shelf([path, path]).games.games
    assert told.puzzles == [FORK.id]


def test_puzzles_are_served(shelf):
    async def visit():
        transport = httpx.ASGITransport(app=create_app(shelf=shelf))
        async with httpx.AsyncClient(transport=transport, base_url="http://site") as client:
            games = (await client.get("/api/puzzles")).json()["games"]
            assert [each["game"] for each in games] == ["wallgame", "tictactoe"]
            place = f"/api/puzzles/tictactoe/{FORK.id}"
            told = (await client.get(place)).json()
            assert told["view"]["board"]["choices"]
            assert (await client.get("/api/puzzles/tictactoe/nothing")).status_code == 404
            tried = await client.post(place, json={"actions": actions_of(FORK, "c3")})
            assert tried.json() == {"right": True, "move": "c3", "rated": None}, "without a database, nothing is rated"
            assert (await client.post(place, json={"actions": actions_of(FORK, "c3") * 2})).status_code == 400
            assert (await client.post(place, json={"moves": []})).status_code == 400
            assert (await client.post(place, json={"actions": [0] * 1001})).status_code == 400
            assert (await client.get(f"{place}/solution")).json()["played"] == "b3"
            studied = await client.post("/api/study", json={"spec": "wallgame:classic:5x5", "moves": WALL.moves})
            assert studied.json()["toPlay"] == 1, "every game of a puzzle can be analysed"

    asyncio.run(visit())


def test_a_site_without_puzzles_has_none():
    async def visit():
        transport = httpx.ASGITransport(app=create_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://site") as client:
            assert (await client.get("/api/puzzles")).json() == {"games": []}
            assert (await client.get("/api/puzzles/tictactoe/x")).status_code == 404

    asyncio.run(visit())


def test_games_with_puzzles_can_be_analysed_even_if_not_in_the_catalogue(tmp_path):
    path = "examples/breakthrough.py"
    game = ludus.game(path)
    begin = game.start()
    move, other = (begin.text(action) for action in begin.actions[:2])
    puzzle = msgspec.structs.replace(
        FORK, id=name_of(begin, path), spec=path, moves=[], right=[move], played=other, line=[move]
    )
    shelf = Shelf([file_of(tmp_path / "p", puzzle)])

    async def visit():
        transport = httpx.ASGITransport(app=create_app(shelf=shelf))
        async with httpx.AsyncClient(transport=transport, base_url="http://site") as client:
            assert (await client.get("/api/puzzles")).json()["games"][0]["game"] == "breakthrough"
            assert (await client.post("/api/study", json={"spec": path})).status_code == 200

    asyncio.run(visit())
