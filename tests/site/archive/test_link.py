"""Links that contain whole games: encoding, decoding, length, and refusal of wrong links."""

import base64
import hashlib
import random
import zlib

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadInput, Unavailable
from ludus.site.archive import link
from ludus.site.archive.link import MAX_LINK_CHARS, SharedGame, read_link, write_link

END = {"names": ("Ann", "Bo, Expert"), "winner": 0, "reason": "capture", "ended": 1_795_000_000}


def played(spec, seed, setup=None, actions=80):
    position, chance = ludus.game(spec).start(setup), random.Random(seed)
    while position.outcome is None and position.num_actions_played < actions:
        position = position.play(chance.choice(position.actions))
    return position


def sealed(told):
    return base64.urlsafe_b64encode(told + hashlib.sha256(told).digest()[:4]).rstrip(b"=").decode()


def forged(**changes):
    honest = {"spec": "connect4", "setup": None, "names": ("a", "b"), "winner": None}
    honest |= {"reason": "", "ended": None, "num_actions": 0, "actions": b""}
    return sealed(bytes((1, 0)) + msgspec.msgpack.encode(list((honest | changes).values())))


@pytest.mark.parametrize(
    ("spec", "setup"),
    [
        ("tictactoe", None),
        ("connect4", None),
        ("chess", None),
        ("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("wallgame:classic:5x5:short", None),
        ("wallgame:standard:6x6:short", "random:4"),
    ],
)
def test_a_game_survives_its_link(spec, setup):
    position = played(spec, 3, setup, 30)
    game, again = read_link(write_link(position, **END))
    assert again.moves == position.moves
    assert (again.state == position.state).all()
    assert (game.names, game.winner, game.reason, game.ended) == tuple(END.values())
    assert game.setup == setup


def test_a_link_is_short_enough_for_a_url():
    position = played("wallgame:standard:8x8:short", 1, actions=60)
    assert len(write_link(position, **END)) < 200


def test_a_link_needs_no_escaping_in_a_url():
    assert set(write_link(played("chess", 2), **END)) <= set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    )


@settings(deadline=None)
@given(st.data())
def test_any_changed_character_is_detected(data):
    text = write_link(played("connect4", 5), **END)
    at = data.draw(st.integers(0, len(text) - 2))  # the last character has unused bits
    other = data.draw(st.sampled_from("ABCxyz019-_").filter(lambda letter: letter != text[at]))
    with pytest.raises(BadInput, match=r"damaged|version"):
        read_link(text[:at] + other + text[at + 1 :])


@settings(deadline=None)
@given(st.data())
def test_a_truncated_link_is_detected(data):
    text = write_link(played("connect4", 5), **END)
    with pytest.raises(BadInput, match="damaged"):
        read_link(text[: data.draw(st.integers(0, len(text) - 2))])


@settings(deadline=None)
@given(st.text(max_size=300))
def test_arbitrary_text_is_refused(text):
    with pytest.raises(BadInput, match=r"^This link .*\.$"):
        read_link(text)


@settings(deadline=None)
@given(st.binary(max_size=200), st.booleans())
@example(b"\x98\xa5\0\0\0\0\x80", False)
def test_arbitrary_bytes_with_a_correct_checksum_are_refused(body, compressed):
    with pytest.raises(BadInput, match=r"^(This|The) link .*\.$"):
        read_link(sealed(bytes((1, compressed)) + body))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"spec": "../etc/passwd.py"}, "does not have"),
        ({"spec": "nonsense"}, "does not have"),
        ({"spec": "connect4:x"}, "cannot be replayed"),
        ({"spec": "go:19x19:plies=8191"}, "has the option `plies=`, which this site does not allow; leave it out"),
        ({"num_actions": -1}, "damaged"),
        ({"num_actions": 10**9}, "damaged"),
        ({"num_actions": 3, "actions": b"\x00"}, "damaged"),
        ({"num_actions": 1, "actions": b"\x07"}, "action 7 may not be played"),
        ({"winner": 2}, "damaged"),
        ({"setup": {"a": 1}}, "leave out the setup"),
        ({"names": ("a",)}, "damaged"),
        ({"actions": "text"}, "damaged"),
    ],
)
def test_a_forged_link_is_refused(changes, sentence):
    with pytest.raises(BadInput, match=sentence):
        read_link(forged(**changes))


def test_a_link_of_a_newer_version_is_refused():
    with pytest.raises(BadInput, match="has version 2, but this site reads only version 1"):
        read_link(sealed(bytes((2, 0)) + b"whatever"))


def test_a_link_with_a_huge_body_is_refused():
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = deflate.compress(b"\x00" * 4_000_000) + deflate.flush()
    with pytest.raises(BadInput, match="damaged"):
        read_link(sealed(bytes((1, 1)) + bomb))
    with pytest.raises(BadInput, match=f"a link has at most {MAX_LINK_CHARS}"):
        read_link("A" * (MAX_LINK_CHARS + 1))


def test_a_game_too_long_for_a_link_names_the_remedy(monkeypatch):
    monkeypatch.setattr(link, "MAX_LINK_CHARS", 20)
    with pytest.raises(Unavailable, match="download it as text"):
        write_link(played("connect4", 1), **END)


def test_a_link_contains_only_these_fields():
    assert SharedGame.__struct_fields__ == (
        "spec", "setup", "names", "winner", "reason", "ended", "num_actions", "actions", "annotations",
        "clock", "ratings", "overtime",
    )  # fmt: skip
