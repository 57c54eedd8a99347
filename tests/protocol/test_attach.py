"""Attach messages get the same verdicts as from the original server, which were recorded."""

import json

import pytest

from ludus.protocol.attach import is_attach, read_attach
from ludus.protocol.registration import Attach


def bot(**changes):
    sizes = {"min": 3, "max": 20}
    standard = {"boardWidth": sizes, "boardHeight": sizes, "recommended": [{"boardWidth": 5, "boardHeight": 5}]}
    return {"botId": "b", "name": "B", "username": None, "variants": {"standard": standard}} | changes


def variant(name="standard", **changes):
    return bot(variants={name: bot()["variants"]["standard"] | changes})


def attach(**changes):
    client = {"name": "t", "version": "1"}
    message = {"type": "attach", "protocolVersion": 3, "clientId": "c1", "bots": [bot()], "client": client} | changes
    return json.dumps({key: value for key, value in message.items() if value is not None})


SIZE_5 = {"boardWidth": 5, "boardHeight": 5}

ACCEPTED = {
    "ok": attach(),
    "good token": attach(bots=[bot(officialToken="labtoken")]),
    "unknown fields": attach(bots=[bot(bar=2)], foo=1),
    "private bot": attach(bots=[bot(username="alice")]),
    "another game": attach(bots=[bot(game="connect4", level="Strong")]),
    "freestyle without sizes": attach(bots=[variant("freestyle", recommended=[])]),
}
REJECTED = {
    "v2": (attach(protocolVersion=2), "PROTOCOL_UNSUPPORTED"),
    "no version": (attach(protocolVersion=None), "PROTOCOL_UNSUPPORTED"),
    "version true": (attach(protocolVersion=True), "PROTOCOL_UNSUPPORTED"),
    "no client": (attach(client=None), "INVALID_MESSAGE"),
    "blank client": (attach(client={"name": " ", "version": "1"}), "INVALID_MESSAGE"),
    "blank clientId": (attach(clientId=" "), "INVALID_MESSAGE"),
    "long clientId": (attach(clientId="a" * 201), "INVALID_MESSAGE"),
    "NUL in clientId": (attach(clientId="a\0b"), "INVALID_MESSAGE"),
    "NUL in a bot's name": (attach(bots=[bot(name="B\0")]), "INVALID_BOT_CONFIG"),
    "colon in clientId": (attach(clientId="a:b"), "INVALID_MESSAGE"),
    "no bots": (attach(bots=[]), "NO_BOTS"),
    "bots not a list": (attach(bots="b"), "NO_BOTS"),
    "duplicate bot": (attach(bots=[bot(), bot()]), "DUPLICATE_BOT_ID"),
    "bad token": (attach(bots=[bot(officialToken="wrong")]), "INVALID_OFFICIAL_TOKEN"),
    "no username": (attach(bots=[{k: v for k, v in bot().items() if k != "username"}]), "INVALID_BOT_CONFIG"),
    "no variants": (attach(bots=[bot(variants={})]), "INVALID_BOT_CONFIG"),
    "survival": (attach(bots=[variant("survival")]), "INVALID_BOT_CONFIG"),
    "min > max": (attach(bots=[variant(boardWidth={"min": 9, "max": 5})]), "INVALID_BOT_CONFIG"),
    "nothing recommended": (attach(bots=[variant(recommended=[])]), "INVALID_BOT_CONFIG"),
    "four recommended": (attach(bots=[variant(recommended=[SIZE_5] * 4)]), "INVALID_BOT_CONFIG"),
    "out of range": (attach(bots=[variant(boardWidth={"min": 6, "max": 8})]), "INVALID_BOT_CONFIG"),
    "freestyle with sizes": (attach(bots=[variant("freestyle")]), "INVALID_BOT_CONFIG"),
    "width 21": (attach(bots=[variant(boardWidth={"min": 3, "max": 21})]), "INVALID_BOT_CONFIG"),
    "a bot that is a number": (attach(bots=[7]), "INVALID_BOT_CONFIG"),
}


LONG = {
    "name": {"name": "x" * 51},
    "level": {"level": "x" * 41},
    "fields of the appearance": {"appearance": {str(each): "x" for each in range(17)}},
    "a field of the appearance": {"appearance": {"color": "x" * 65}},
    "a word of the appearance": {"appearance": {"x" * 33: "red"}},
    "variants": {"variants": {f"v{each}": bot()["variants"]["standard"] for each in range(65)}},
    "a variant's name": {"variants": {"v" * 41: bot()["variants"]["standard"]}},
}


@pytest.mark.parametrize("more", LONG.values(), ids=LONG)
def test_long_names_levels_and_appearances_are_rejected(more):
    found = read_attach(attach(bots=[bot(**more)]), None)
    assert getattr(found, "code", None) == "INVALID_BOT_CONFIG"
    assert "Expected `" in found.message


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_a_valid_attach_registers_its_bots(text):
    found = read_attach(text, "labtoken")
    assert isinstance(found, Attach), found
    assert found.client_id == "c1"


@pytest.mark.parametrize(("text", "code"), REJECTED.values(), ids=REJECTED)
def test_an_invalid_attach_is_rejected_with_the_recorded_code(text, code):
    found = read_attach(text, "labtoken")
    assert not isinstance(found, Attach)
    assert found.code == code
    assert len(found.message) > 10


def test_a_token_is_refused_where_the_server_has_none():
    found = read_attach(attach(bots=[bot(officialToken="x")]), None)
    assert getattr(found, "code", None) == "INVALID_OFFICIAL_TOKEN"


@pytest.mark.parametrize("text", ["hello", "{}", '{"type":"ping"}', "[]", "[" * 9000], ids=lambda text: text[:9])
def test_other_texts_are_not_attach_messages(text):
    assert not is_attach(text)


def test_only_official_clients_may_register_any_number_of_bots():
    many = [bot(botId=f"b{number}") for number in range(65)]
    own = [each | {"officialToken": "labtoken"} for each in many]
    assert len(read_attach(attach(bots=own), "labtoken").bots) == 65
    assert len(read_attach(attach(bots=many[:64]), "labtoken").bots) == 64
    for bots in (many, [*own[:64], many[64]]):
        found = read_attach(attach(bots=bots), "labtoken")
        assert (found.code, found.message) == ("INVALID_BOT_CONFIG", "65 bots; a client may register 64.")
