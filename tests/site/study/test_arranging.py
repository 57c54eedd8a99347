"""Positions set up piece by piece: the kit, the result and the refusals."""

import asyncio
import re
from typing import Any

import httpx
import pytest

from ludus.errors import BadInput, BadMessage, BadNotation
from ludus.games import registry
from ludus.games.about import Kit
from ludus.site.app import create_app
from ludus.site.messages.reading import read_as
from ludus.site.messages.study import Arrangement, StudyLine, StudyView
from ludus.site.study.arrange import arrange, kit
from ludus.site.study.study import replay


def arrangement(spec: str, found: Kit, **changes: Any) -> Arrangement:
    """Return the arrangement that a page sends for an unchanged board of a kit."""
    pieces = [{"at": piece.at, "shape": piece.shape, "owner": piece.owner} for piece in found.board.pieces]
    edges = [{"at": edge.at, "side": edge.side, "owner": edge.owner} for edge in found.board.edges]
    sent = {"spec": spec, "pieces": pieces, "edges": edges, "toPlay": found.to_play, "switches": found.on}
    return Arrangement.model_validate(sent | changes)


def standing(view: StudyView) -> set[tuple[Any, ...]]:
    return {(piece.at, piece.shape, piece.owner) for piece in view.board.pieces} | {
        (edge.at, edge.side, edge.owner) for edge in view.board.edges
    }


def piece(row: int, column: int, shape: str, owner: int = 0) -> dict[str, Any]:
    return {"at": (row, column), "shape": shape, "owner": owner}


KINGS = [piece(7, 4, "king"), piece(0, 4, "king", 1)]


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("chess", ["e4", "e5", "Ke2", "Nc6"]),
        ("chess:960:3", ["e4"]),
        ("go:9x9", ["D4", "E5", "D5"]),
        ("gomoku:freestyle:9x9", ["d4", "e5", "d5"]),
        ("wallgame:classic:5x5", ["Ca4.>c3", "^b2.>d4"]),
        ("wallgame:standard:5x5", ["Ca4.>c3", "^b2.>d4"]),
        ("wallgame:freestyle:12x10", []),
    ],
)
def test_a_position_on_a_board_can_be_set_up_by_hand(spec: str, moves: list[str]) -> None:
    line = StudyLine(spec=spec, moves=moves)
    found, expected = kit(line), replay(line)
    assert found.board.choices == []
    assert {(one.at, one.shape, one.owner) for one in found.board.pieces} <= standing(expected)
    made = arrange(arrangement(spec, found))
    assert standing(made) == standing(expected)
    assert made.to_play == expected.to_play
    assert {choice.text for choice in made.board.choices} == {choice.text for choice in expected.board.choices}


def test_a_game_without_setups_has_no_kit() -> None:
    found = kit(StudyLine(spec="connect4"))
    assert (found.kinds, found.edges, found.movers) == ([], [], [])
    with pytest.raises(BadInput, match="play moves to reach one"):
        arrange(arrangement("connect4", found))


def test_castling_counts_only_where_king_and_rook_stand_for_it() -> None:
    rooks = [piece(7, 7, "rook"), piece(0, 0, "rook", 1)]
    made = arrange(
        Arrangement.model_validate({"spec": "chess", "pieces": KINGS + rooks, "switches": ["K", "Q", "k", "q"]})
    )
    assert made.setup == "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"
    pieces = [piece(7, 1, "king"), piece(0, 1, "king", 1), piece(7, 2, "rook"), piece(0, 0, "rook", 1)]
    free = Arrangement.model_validate({"spec": "chess:960", "pieces": pieces, "switches": ["K", "Q", "k", "q"]})
    assert (arrange(free)).setup == "rk6/8/8/8/8/8/8/1KR5 w Kq - 0 1"


def test_the_komi_of_a_position_stays() -> None:
    found = kit(StudyLine(spec="go:9x9", setup={"komi": 0.5}))
    made = arrange(arrangement("go:9x9", found, pieces=[piece(0, 0, "stone")], setup={"komi": 0.5}))
    assert isinstance(made.setup, dict)
    assert (made.setup["komi"], made.setup["black"]) == (0.5, "A9")


@pytest.mark.parametrize(
    ("spec", "pieces", "reason"),
    [
        ("chess", [], "White has no king."),
        ("chess", [*KINGS, piece(3, 3, "cat")], "A cat on"),
        ("chess", [*KINGS, piece(0, 0, "pawn")], "A pawn stands on the first or last rank."),
        ("chess", [*KINGS, piece(1, 4, "rook")], "Black is in check"),
        ("go:9x9", [piece(0, 0, "stone"), piece(0, 1, "stone", 1), piece(1, 0, "stone", 1)], "no liberty"),
        ("go:9x9", [piece(9, 0, "stone")], "A stone on"),
        ("gomoku:freestyle:9x9", [piece(0, column, "stone") for column in range(5)], "over before it begins"),
        ("wallgame:classic:5x5", [piece(0, 0, "cat")], "First player's home is missing; put it on the board."),
    ],
)
def test_an_impossible_position_is_refused_with_its_reason(spec: str, pieces: list[Any], reason: str) -> None:
    with pytest.raises(BadNotation) as refused:
        arrange(Arrangement.model_validate({"spec": spec, "pieces": pieces}))
    assert reason in str(refused.value)
    assert not re.match(f"{registry.about(spec).editor.prefix}: ", str(refused.value), re.IGNORECASE)


def test_walls_that_leave_a_cat_no_way_are_refused() -> None:
    found = kit(StudyLine(spec="wallgame:classic:5x5"))
    walls = [{"at": (0, 0), "side": "right"}, {"at": (1, 0), "side": "top"}]
    with pytest.raises(BadNotation, match="no path"):
        arrange(arrangement("wallgame:classic:5x5", found, edges=walls))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b'{"spec": "chess"}',
        b'{"spec": "chess", "pieces": [{"at": [99, 0], "shape": "king", "owner": 0}]}',
        b'{"spec": "chess", "pieces": [{"at": [0, 0], "shape": "king", "owner": 2}]}',
        b'{"spec": "chess", "pieces": [], "more": 1}',
    ],
)
def test_invalid_messages_are_refused(text: bytes) -> None:
    with pytest.raises(BadMessage, match="cannot be read"):
        read_as(Arrangement, text, "position")


def test_the_site_answers_both_questions() -> None:
    asyncio.run(asked_both())


async def asked_both() -> None:
    transport = httpx.ASGITransport(create_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        found = (await client.post("/api/study/kit", json={"spec": "chess"})).json()
        assert len(found["kinds"]) == 12
        assert [one["value"] for one in found["movers"]] == ["0", "1"]
        sent = {"spec": "chess", "pieces": KINGS, "toPlay": 1}
        assert (await client.post("/api/study/arrange", json=sent)).json()["setup"] == "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
        assert (await client.post("/api/study/arrange", json=sent | {"pieces": []})).status_code == 400
        assert (await client.post("/api/study/kit", json={"spec": "os:system"})).status_code == 400
