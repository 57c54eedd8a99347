"""Positions that look alike in all planes but are not alike to a player are noticed."""

import re

from tests.games.check.conftest import PARTS

import ludus
from ludus.games import tictactoe as sound
from ludus.games.check.run import check


def notices_of(**parts):
    """Return what the checker notices in tic-tac-toe with some parts replaced."""
    report = check(ludus.Game(**PARTS | {"state_size": 11} | parts), games=60)
    assert report.breach is None
    return report.notices


def play_counting_corners(state, action):
    """Count moves into corners in an item that the planes do not show."""
    sound.play(state, action)
    if action == 0:
        state[10] = int(state[9])


def test_a_rule_that_no_plane_shows_is_noticed_with_its_item():
    def outcome(state):  # the player who took the first corner wins a full board
        found = sound.outcome(state)
        return 1 + int(state[10]) if found == 3 else found

    def encode(state, planes):  # does not tell the players' pieces apart
        for cell in range(9):
            planes[0, cell // 3, cell % 3] = int(state[cell] != 0)

    [notice] = notices_of(play=play_counting_corners, outcome=outcome, encode=encode)
    assert re.match(
        r"two positions look alike in all planes, but after action \d one (is|goes) .* and the other ", notice
    )
    assert " of the state: write that into a plane" in notice
    assert notice.endswith("(Ludus plays no games with hidden information)")


def test_the_planes_of_finished_games_need_not_tell_them_from_others():
    def encode(state, planes):  # hides the last stone, and so whether a full line ended the game
        sound.encode(state, planes)
        if sound.outcome(state) != ludus.ONGOING:
            planes[:] = 0

    assert notices_of(state_size=10, encode=encode) == []


def test_legal_actions_that_no_plane_explains_are_noticed():
    def legal(state, actions):  # the centre is closed while the hidden item is set
        count = 0
        for cell in range(9):
            if state[cell] == 0 and (cell != 4 or state[10] == 0 or int((state[:9] == 0).sum()) == 1):
                actions[count] = cell
                count += 1
        return count

    def play(state, action):
        sound.play(state, action)
        if state[10] == 0 and action == 0:
            state[10] = 1
        elif action == 1:
            state[10] = 0

    [notice] = notices_of(legal=legal, play=play)
    assert "action 4 is legal in one of them only; they differ in item 10 of the state" in notice


def test_planes_that_show_everything_cause_no_notice():
    assert notices_of(state_size=10) == []
