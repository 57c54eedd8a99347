"""Finished games over HTTP: filters, replays, texts and links."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import msgspec
import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse

from ludus.errors import LudusError
from ludus.site.archive import replay
from ludus.site.archive.texts import read_text
from ludus.site.database.database import Database, database_url
from ludus.site.database.games import GameStore
from ludus.site.database.records import Evaluation, GameProgress, GameRow, MoveRow, SeatRow
from ludus.site.faults import status_of
from ludus.site.routes import archive as routes
from ludus.site.routes.archive import archive_routes
from ludus.site.safety.fair_queue import AT_ONCE, WorkerThreads
from ludus.trust import permit

MANY = 12
"""Number of requests of one address in the queue; another address must not wait for all of them."""
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ANN, BO = SeatRow("person", "Ann", host=True), SeatRow("bot", "Bo, Expert", bot="c1:b")
MOVES = {
    "tictactoe": ["b2", "a1", "a3", "c1", "c3"],
    "connect4": list("44355324336"),
    "chess": ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"],
    "go:9x9": ["E5", "C3", "G7"],
    "gomoku:15x15": ["h8", "i9", "h9"],
    "wallgame:classic:5x5": ["Cb5.>c3", "Cd5", "---", "^b2.^c2"],
}


def finished(name, spec="tictactoe", seats=(ANN, BO), day=0, **changes):
    game, _, rest = spec.partition(":")
    moves = [MoveRow(text, 60_000 - 1000 * n, 59_000, NOON) for n, text in enumerate(changes.pop("moves", MOVES[spec]))]
    progress = GameProgress("over", winner=0, reason="resignation", ended_at=NOON + timedelta(days=day))
    progress = changes.pop("progress", progress)
    values = {
        "id": name, "spec": spec, "game": game, "variant": rest.split(":")[0] or "standard", "width": 3, "height": 3,
        "setup": None, "kind": "friend", "rated": False, "initial_ms": 60_000, "increment_ms": 0, "preset": None,
        "series": name, "score_0": 0.0, "score_1": 0.0, "created_at": NOON, "seats": seats, "progress": progress,
        "moves": moves,
    }  # fmt: skip
    return GameRow(**values | changes)


@pytest.fixture
def with_archive(tmp_path):
    """Return a function that runs `async def (browser, games)` on an archive of these games."""

    def run(scenario, *rows, files=()):
        async def opened():
            database = await Database.open(database_url(tmp_path))
            app = FastAPI()
            threads = WorkerThreads()
            app.include_router(archive_routes(lambda: database, replay.Lines(threads, files), threads, files))

            @app.exception_handler(LudusError)
            async def fault(_request, error):
                return JSONResponse({"error": str(error)}, status_of(error))

            games = GameStore(database)
            for row in rows:
                await games.add(row)
            try:
                async with asyncio.timeout(240):
                    transport = httpx.ASGITransport(app)
                    async with httpx.AsyncClient(transport=transport, base_url="http://home") as browser:
                        await scenario(browser, games)
            finally:
                threads.close()
                await database.close()

        asyncio.run(opened())

    return run


LIBRARY = [
    finished("g1"),
    finished("g2", "connect4", day=1, width=7, height=6),
    finished("g3", "wallgame:classic:5x5", (BO, ANN), day=2, width=5, height=5, rated=True),
    finished("g4", day=3, seats=(SeatRow("person", "Eve", account_id="e"), SeatRow("person", "Éloise"))),
    finished(
        "g5",
        day=4,
        progress=GameProgress("over", winner=None, reason="draw-agreement", ended_at=NOON + timedelta(days=4)),
    ),
    finished("aborted", progress=GameProgress("over", winner=None, reason="aborted", ended_at=NOON)),
    finished("running", progress=GameProgress("playing")),
    finished("empty", moves=[]),
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "g5 g4 g3 g2 g1"),
        ("game=tictactoe", "g5 g4 g1"),
        ("game=wallgame&variant=classic", "g3"),
        ("size=7x6", "g2"),
        ("size=7 \N{MULTIPLICATION SIGN} 6", "g2"),
        ("player=ann", "g5 g3 g2 g1"),
        ("player=Éloise", "g4"),
        ("player=éLOISE", "g4"),
        ("player=Bo, Expert", ""),
        ("bot=c1:b", "g5 g3 g2 g1"),
        ("result=draw", "g5"),
        ("result=first&game=tictactoe", "g4 g1"),
        ("result=second", ""),
        ("from=2026-11-22&to=2026-11-23", "g3 g2"),
        ("from=2026-11-25", "g5"),
        ("from=2026-11-22T00:00:00.000Z&to=2026-11-24T00:00:00.000Z", "g3 g2"),
        ("from=2026-11-22T05:00%2B05:00&to=2026-11-23T23:00-01:00", "g3 g2"),
        ("rated=true", "g3"),
        ("rated=false&to=2026-11-21", "g1"),
        ("player=' OR 1=1 --", ""),
        ("player=%25", ""),
        ("game=tictactoe'; DROP TABLE games; --", ""),
        ("page=2", ""),
    ],
)
def test_filters_find_the_matching_games(with_archive, query, found):
    async def scenario(browser, games):
        answer = (await browser.get(f"/api/archive?{query}")).json()
        assert [game["id"] for game in answer["games"]] == found.split()
        assert await games.load("g1"), "nothing was lost by asking"

    with_archive(scenario, *LIBRARY)


def test_exported_files_have_safe_names(with_archive):
    async def scenario(browser, _games):
        told = (await browser.get("/api/archive/g1/text")).headers["content-disposition"]
        assert told == "attachment; filename=\"______-g1.txt\"; filename*=UTF-8''%D0%9C%D0%B5%D0%BB%D1%8C%22%0A-g1.txt"

    with_archive(scenario, finished("g1", game='Мель"\n'))


@pytest.mark.parametrize(
    "query",
    ["size=8", "size=8x", "size=ax8", "size=²x8", "result=x", "from=x", "to=2026-13-01", "from=0001-01-01",
     "from=20261121T05", "to=2026-11-21T05:00", "rated=1",
     "page=0", "page=201", "page=x", "foo=1", "begin=x", "player=%00", "player=" + "x" * 500],
)  # fmt: skip
def test_wrong_filters_are_refused(with_archive, query):
    async def scenario(browser, _games):
        answer = await browser.get(f"/api/archive?{query}")
        assert answer.status_code == 400
        assert answer.json()["error"].endswith(".")

    with_archive(scenario)


def test_pages_follow_one_another(with_archive):
    async def scenario(browser, _games):
        first, second = [(await browser.get(f"/api/archive?page={page}")).json() for page in (1, 2)]
        assert (len(first["games"]), len(second["games"]), first["total"], first["pages"]) == (50, 3, 53, 2)
        assert not {game["id"] for game in first["games"]} & {game["id"] for game in second["games"]}

    with_archive(scenario, *(finished(f"g{number:02}", day=number / 100) for number in range(53)))


def test_summaries_describe_the_game(with_archive):
    async def scenario(browser, _games):
        (game,) = (await browser.get("/api/archive?game=wallgame")).json()["games"]
        assert game["players"] == [
            {"name": "Bo, Expert", "kind": "bot", "rating": None, "ratingAfter": None, "inBrowser": False},
            {"name": "Ann", "kind": "guest", "rating": None, "ratingAfter": None, "inBrowser": False},
        ]
        told = {key: game[key] for key in ("title", "size", "winner", "reason", "timeClass", "numMoves", "finished")}
        assert told == {
            "title": "Wall Game", "size": "5x5", "winner": 0, "reason": "resignation", "timeClass": "bullet",
            "numMoves": 4, "finished": (NOON + timedelta(days=2)).timestamp(),
        }  # fmt: skip

    with_archive(scenario, *LIBRARY)


@pytest.mark.parametrize("spec", MOVES)
def test_a_game_is_replayed_exported_and_linked(with_archive, spec):
    async def scenario(browser, games):
        await games.note_evaluation("g1", 1, Evaluation(0.25, "x"))
        replay = (await browser.get("/api/archive/g1")).json()
        assert [move["text"] for move in replay["moves"]] == MOVES[spec]
        assert replay["moves"][1]["timeLeft"] == [59.0, 59.0]
        assert replay["evaluations"][replay["moves"][0]["ply"]] == 0.25
        assert len(replay["evaluations"]) == replay["plies"] + 1
        last = replay["plies"]
        views = [(await browser.get(f"/api/archive/g1/plies/{ply}")).json() for ply in (0, last)]
        assert views[0]["board"] != views[1]["board"]
        assert views[0]["board"]["choices"], "best moves are drawn by them"
        text = await browser.get("/api/archive/g1/text")
        assert text.headers["content-disposition"].startswith("attachment; filename=")
        brought = read_text(text.text)
        assert brought.last.moves == MOVES[spec]
        assert brought.header.names == ("Ann", "Bo, Expert")
        assert brought.winner == 0
        link = (await browser.get("/api/archive/g1/link")).json()
        read = (await browser.post("/api/read", json={"text": text.text})).json()
        for each in (link, read):
            shared = (await browser.post("/api/shared", json=each)).json()
            assert [move["text"] for move in shared["moves"]] == MOVES[spec]
            assert [move["ply"] for move in shared["moves"]] == [move["ply"] for move in replay["moves"]]
            assert shared["game"]["winner"] == 0
            view = (await browser.post(f"/api/shared/plies/{last}", json=each)).json()
            assert view["board"] == views[1]["board"]
        again = await browser.post("/api/shared/text", json=link)
        assert read_text(again.text).last.moves == MOVES[spec]

    with_archive(scenario, finished("g1", spec))


@pytest.mark.parametrize(
    "path", ["running", "nothing", "x" * 40, "g1/plies/99", "g1/plies/-1", "g1/plies/²", "nothing/text", "nothing/link"]
)
def test_unknown_games_and_plies_are_not_found(with_archive, path):
    async def scenario(browser, _games):
        assert (await browser.get(f"/api/archive/{path}")).status_code == 404

    with_archive(scenario, *LIBRARY)


@pytest.mark.parametrize(
    "body", [{"link": "damaged"}, {"link": ""}, {"link": "A" * 30_000}, {"link": 1}, {}, {"link": "x", "y": 1}]
)
def test_a_damaged_link_is_refused(with_archive, body):
    async def scenario(browser, _games):
        for path in ("/api/shared", "/api/shared/plies/0", "/api/shared/text"):
            answer = await browser.post(path, json=body)
            assert answer.status_code == 400
            assert answer.json()["error"].endswith(".")

    with_archive(scenario)


@pytest.mark.parametrize(
    "text",
    ["", "hello", "[Event", '[Event "x"]\n\n1. e5', '[Board "8x8"]', '[Game "x"]', "x" * 300_000, '[Event "?"]\n{',
     "1. e4 $" + "1" * 5000, f"(;HA[{'1' * 5000}])", f"(;SZ[{'1' * 5000}])"],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_a_text_that_is_not_a_game_is_refused(with_archive, text):
    async def scenario(browser, _games):
        answer = await browser.post("/api/read", json={"text": text})
        assert answer.status_code == 400
        assert answer.json()["error"]

    with_archive(scenario)


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        (";B[aa];W[];B[];W[bb]", "In this game a player moves twice in a row, or moves after the end;"),
        (";B[aa];B[bb]", "In this game a player moves twice in a row, or moves after the end;"),
        (";B[aa];AW[bb];B[cc]", "This game sets up pieces after its first move;"),
        (";B[aa];AW[bb]B[cc]", "This game sets up pieces after its first move;"),
        pytest.param(";AB[aa]" * 5000, "This game sets up pieces after its first move;", id="5,000 set-ups"),
        pytest.param(
            ";B[]W[]" * 5000, "This game has 10000 moves; a link can contain at most 2000.", id="10,000 moves"
        ),
    ],
)
def test_a_game_that_a_link_cannot_contain_is_refused(with_archive, moves, complaint):
    async def scenario(browser, _games):
        answer = await browser.post("/api/read", json={"text": f"(;GM[1]SZ[9]RU[Chinese]{moves})"})
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(complaint)

    with_archive(scenario)


@pytest.mark.parametrize("rules", ["AGA", "Japanese", "klingon"])
@pytest.mark.parametrize(
    ("moves", "read"),
    [
        (";W[ee];B[cc]", ["E5", "C7"]),
        (";C[nothing];AB[ee][cc];PL[W];W[gg]", ["G3"]),
        (";B[aa];W[];B[]", ["A9", "pass", "pass"]),
    ],
)
def test_a_link_contains_the_setup_of_a_record(with_archive, rules, moves, read):
    async def scenario(browser, _games):
        link = (await browser.post("/api/read", json={"text": f"(;GM[1]SZ[9]RU[{rules}]{moves})"})).json()
        shared = (await browser.post("/api/shared", json=link)).json()
        assert [move["text"] for move in shared["moves"]] == read

    with_archive(scenario)


def test_a_stored_game_with_an_illegal_move_is_reported(with_archive):
    async def scenario(browser, _games):
        answer = await browser.get("/api/archive/g1")
        assert answer.status_code == 500
        assert "Move 2 of this stored game cannot be replayed" in answer.json()["error"]

    with_archive(scenario, finished("g1", moves=["b2", "b2"]))


@pytest.mark.parametrize("what", ["a text that is read", "a text that is written", "a replay"])
def test_slow_requests_of_one_address_do_not_delay_others(with_archive, monkeypatch, what):
    done, queued, begun, do = threading.Event(), [], [], WorkerThreads.do

    def slowly(name, work):
        begun.append(name)
        assert done.wait(300)
        return work()

    def told(threads, address, work):
        queued.append(address)
        return do(threads, address, work)

    monkeypatch.setattr(WorkerThreads, "do", told)
    read, played = routes.read_text, replay._play_row
    if what == "a text that is read":
        monkeypatch.setattr(routes, "read_text", lambda text, _files: slowly(text, lambda: read("1. e4 *")))
    elif what == "a text that is written":
        write = routes.write_text
        monkeypatch.setattr(routes, "write_text", lambda tree, told: slowly(told.id, lambda: write(tree, told)))
    else:
        monkeypatch.setattr(replay, "_play_row", lambda row, spec: slowly(row.id, lambda: played(row, spec)))

    async def scenario(browser, _games):
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(AT_ONCE))

        async def ask(name, address):
            transport = httpx.ASGITransport(browser._transport.app, client=(address, 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://home") as other:
                if what == "a text that is read":
                    return await other.post("/api/read", json={"text": name})
                return await other.get(f"/api/archive/{name}" + "/text" * (what == "a text that is written"))

        many = [asyncio.create_task(ask(f"g{number}", "192.0.2.1")) for number in range(MANY)]
        while len(begun) < AT_ONCE:
            await asyncio.sleep(0.01)
        one = asyncio.create_task(ask("other", "192.0.2.2"))
        while queued.count("192.0.2.1") < MANY or "192.0.2.2" not in queued:  # the order of responses is not fixed
            await asyncio.sleep(0.01)
        try:  # the event loop's own threads are free
            async with asyncio.timeout(120):
                assert await asyncio.to_thread(len, begun) == AT_ONCE
        finally:
            done.set()
        assert {(await task).status_code for task in [*many, one]} == {200}
        # What is written was played before, so that it asks for two turns.
        assert begun.index("other") <= AT_ONCE + 4, "each address has its turn"

    with_archive(scenario, *(finished(name) for name in ["other", *(f"g{number}" for number in range(MANY))]))


def test_games_of_a_file_are_found_again_after_it_has_moved(with_archive, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import copy\n\nimport ludus\n\nabout = ludus.About(title='My game')\n"
        "game = copy.copy(ludus.game('tictactoe'))\n"
    )
    permit(str(file))
    row = msgspec.structs.replace(finished("a"), spec="games/mine.py", game="mine")

    async def known(browser, games):
        assert (await games.load("a")).spec == "mine", "a database has no paths"
        replay = (await browser.get("/api/archive/a")).json()
        assert [move["text"] for move in replay["moves"]] == MOVES["tictactoe"]
        [summary] = (await browser.get("/api/archive?game=mine")).json()["games"]
        assert summary["title"] == "My game"

    async def unknown(browser, _games):
        answer = await browser.get("/api/archive/b")
        assert (answer.status_code, "mine" in answer.json()["error"]) == (404, True)

    with_archive(known, row, files=(str(file),))
    with_archive(unknown, msgspec.structs.replace(row, id="b"))
