"""The network's input for chess."""

import numpy as np

import ludus
from ludus.games.chess.layout import square_named
from ludus.games.chess.view import ChessView

MOVES = ["e4", "d5", "e5", "f5", "Nf3", "Kd7"]


def after(spec, moves):
    position = ludus.game(spec).start()
    for move in moves:
        position = position.play(move)
    return position


def cells(plane, *, turn=0):
    """Return the names of the squares set in a plane [file, row] seen by `player`."""
    return {f"{'abcdefgh'[file]}{row + 1 if turn else 8 - row}" for file, row in np.argwhere(plane)}


def test_piece_planes_are_seen_by_the_mover():
    for turn in (0, 1):
        position = after("chess", MOVES[: 4 + turn])
        view, planes = ChessView.read(position.state), position.planes
        for owner in (0, 1):
            for kind, letter in enumerate("PNBRQK"):
                mine = letter if turn ^ owner == 0 else letter.lower()
                wanted = {square for square, piece in view.pieces.items() if piece == mine}
                assert {square_named(name) for name in cells(planes[6 * owner + kind], turn=turn)} == wanted


def test_castling_en_passant_and_recent_actions_have_planes():
    position = after("chess", MOVES[:4])
    planes = position.planes
    assert cells(planes[12]) == {"a1", "h1"}
    assert cells(planes[13]) == {"a8", "h8"}
    assert cells(planes[14]) == {"f6"}
    went = [{"f7"}, {"f5"}, {"e4"}, {"e5"}, {"d7"}, {"d5"}, {"e2"}, {"e4"}]
    assert [cells(plane) for plane in planes[18:]] == went
    later = after("chess", MOVES).planes
    assert cells(later[13]) == set()  # the king has moved
    assert cells(later[14]) == set()
    assert later[15].tolist() == np.full((8, 8), 2).tolist()
    assert ludus.game("chess").plane_scale[15] == 0.01


def test_blacks_planes_are_turned_around():
    planes = after("chess", ["e4"]).planes
    assert planes[0, :, 6].tolist() == [1] * 8  # my pawns, one row before the last
    assert planes[5, 4, 7] == 1  # my king
    assert planes[6, 4, 3] == 1  # the pawn on e4, in row 3
    assert (planes[18, 4, 1], planes[19, 4, 3]) == (1, 1)


def test_occurrences_are_counted():
    hops = ["Nf3", "Nf6", "Ng1", "Ng8"]
    seen = [after("chess:play-on", hops * times).planes[16:18].max(axis=(1, 2)).tolist() for times in (0, 1, 2)]
    assert seen == [[0, 0], [1, 0], [1, 1]]


def test_the_seed_planes_are_seen_by_white_rank_by_rank():
    for count in (4, 5, 6):
        position = after("chess:seed", MOVES[:count])
        view, planes = ChessView.read(position.state), position.planes
        assert planes[0].min() == planes[0].max() == 1 - position.to_play
        assert [plane.max() for plane in planes[1:5]] == ([1, 1, 1, 1] if count < 6 else [1, 1, 0, 0])
        for plane, letter in zip(planes[6:18], "PNBRQKpnbrqk", strict=True):
            found = {8 * file + row for row, file in np.argwhere(plane)}
            assert found == {square for square, piece in view.pieces.items() if piece == letter}
        assert [f"{'abcdefgh'[file]}{8 - row}" for row, file in np.argwhere(planes[18])] == (
            ["f6"] if count == 4 else []
        )


def test_the_seed_plane_of_blacks_en_passant_square_is_on_rank_three():
    planes = after("chess:seed", ["a3", "e5", "a4", "e4", "d4"]).planes
    assert np.argwhere(planes[18]).tolist() == [[5, 3]]


def test_the_seed_plane_of_repetition():
    hops = ["Nf3", "Nf6", "Ng1", "Ng8"]
    assert [after("chess:seed", hops[:count]).planes[5].max() for count in (3, 4)] == [0, 1]
