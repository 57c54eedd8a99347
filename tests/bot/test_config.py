"""Reading the bots file, TOML or the original JSON: errors name the location of each mistake."""

import json

import msgspec
import pytest

from ludus.bot.config import read_bots_file, socket_address, variables_without_secrets, with_options
from ludus.errors import BadInput

TOML = """
server = "ws://127.0.0.1:8000"
clientId = "lab"

[[bots]]
botId = "wally"
name = "Wally"
level = "Full"
listOrder = 4
engine = "ludus engine bgs --model 'models/my wall game'"
[bots.variants.classic]
boardWidth = { min = 5, max = 6 }
boardHeight = { min = 5, max = 6 }
recommended = [{ boardWidth = 5, boardHeight = 5 }]

[[bots]]
botId = "nell"
name = "Nell"
game = "connect4"
[bots.variants.standard]
boardWidth = { min = 7, max = 7 }
boardHeight = { min = 6, max = 6 }
recommended = [{ boardWidth = 7, boardHeight = 6 }]

[engineCommands]
nell = ["ludus", "engine", "dummy"]
"""


def written(tmp_path, text, name="bots.toml"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_bots_and_their_engines_are_read(tmp_path):
    file = read_bots_file(written(tmp_path, TOML))
    wally, nell = file.bots
    assert (file.client_id, wally.level, wally.game, nell.game) == ("lab", "Full", "wallgame", "connect4")
    assert file.command_of(wally) == ("ludus", "engine", "bgs", "--model", "models/my wall game")
    assert file.command_of(nell) == ("ludus", "engine", "dummy")
    assert not hasattr(file.registered_bots()[0], "engine")


def test_the_original_clients_file_is_read(tmp_path):
    size = {"min": 3, "max": 20}
    variant = {"boardWidth": size, "boardHeight": size, "recommended": [{"boardWidth": 5, "boardHeight": 5}]}
    bot = {"botId": "dummy", "name": "D", "username": None, "appearance": {"color": "gray"}}
    bots = [bot | {"variants": {"standard": variant}}]
    text = json.dumps({"server": "http://x:1", "bots": bots, "engineCommands": {"default": "bun run engine.ts"}})
    file = read_bots_file(written(tmp_path, text, "bots.json"))
    assert file.command_of(file.bots[0]) == ("bun", "run", "engine.ts")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('botId = "wally"', 'botid = "wally"', "'bots\\[0\\].botid'; did you mean 'botId'"),
        ("listOrder = 4", 'listOrder = "4"', r"bots\[0\].listOrder: expected a whole number or nothing, got text"),
        ('botId = "nell"', 'botId = "wally"', "two bots with the id 'wally'"),
        ('nell = ["lu', 'nelly = ["lu', "'nell' has no engine"),
        ("max = 7", "max = 6", "min must be less"),
        ('clientId = "lab"', 'clientId = "a:b"', "clientId"),
        ("[[bots]]", "[[bots]", "bots.toml"),
        ("max = 6 }\nrec", "max = 60 }\nrec", "<= 20"),
        ("wall game'\"", 'wall game"', "'wally': no closing quotation in the command of its engine; complete it"),
        ('nell = ["ludus", "engine", "dummy"]', 'nell = "ludus \\\\"', "'nell': no escaped character in the command"),
        ('nell = ["ludus", "engine", "dummy"]', 'nell = "   "', "'nell' has no engine; write engine ="),
        ('nell = ["ludus", ', 'nell = ["", ', "'nell' has no engine; write engine ="),
        ('"engine", "dummy"]', '"eng\\u0000ine"]', "'nell': a NUL character in the command of its engine"),
        ("my wall game", "my\\u0000game", "'wally': a NUL character in the command of its engine; remove it"),
    ],
)
def test_a_mistake_in_the_file_is_reported_with_its_location(tmp_path, old, new, message):
    assert old in TOML
    with pytest.raises(BadInput, match=message):
        read_bots_file(written(tmp_path, TOML.replace(old, new, 1)))


def test_a_missing_file_and_an_empty_one_are_reported(tmp_path):
    with pytest.raises(BadInput, match=r"none.toml: cannot be read"):
        read_bots_file(tmp_path / "none.toml")
    with pytest.raises(BadInput, match="no bots"):
        read_bots_file(written(tmp_path, "bots = []"))


@pytest.mark.parametrize(
    ("server", "address"),
    [
        ("http://127.0.0.1:8000", "ws://127.0.0.1:8000/ws/custom-bot"),
        ("https://play.example/", "wss://play.example/ws/custom-bot"),
        ("ws://[::1]:80/other", "ws://[::1]:80/other"),
    ],
)
def test_a_server_address_becomes_its_socket_address(server, address):
    assert socket_address(server) == address


@pytest.mark.parametrize(
    "server",
    [
        "",
        "play.example",
        "ftp://x",
        "http://",
        "localhost:8000",
        "ws://:8000",
        "ws://x:port",
        "ws://x:-1",
        "ws://x:0",
        "ws://x:65536",
        "ws://x:80 ",
        "ws:// x",
        "ws://a b:80",
        "http://x/a b",
        "ws://x\n",
        "ws://[::1",
        "ws://[one]:80",
        "ws://a..b",
        f"ws://{64 * 'a'}",
        "ws://\u2100.com",
    ],
)
def test_an_invalid_address_is_reported(server):
    with pytest.raises(BadInput, match="write an address"):
        socket_address(server)


ORIGINAL = {
    "botId": "dummy",
    "name": "D",
    "username": None,
    "variants": {
        "standard": {
            "boardWidth": {"min": 3, "max": 20},
            "boardHeight": {"min": 3, "max": 20},
            "recommended": [{"boardWidth": 5, "boardHeight": 5}],
        }
    },
}


def original(tmp_path, **changes):
    text = json.dumps({"bots": [ORIGINAL | changes], "engineCommands": {"dummy": "bun run engine.ts"}})
    return read_bots_file(written(tmp_path, text, "bots.json"))


def on_the_wire(file):
    return json.loads(msgspec.json.encode(file.registered_bots()[0]))


def test_fields_unknown_to_the_original_server_are_not_sent(tmp_path):
    assert on_the_wire(original(tmp_path)) == ORIGINAL


def test_fields_of_later_original_servers_are_sent(tmp_path):
    later = {"placement": "puzzle", "analysis": True, "listOrder": 2, "appearance": {"dogStyle": "pug"}}
    assert on_the_wire(original(tmp_path, **later)) == ORIGINAL | later


def test_the_token_of_the_command_line_goes_to_official_bots_only(tmp_path):
    for official, token in ((True, {"officialToken": "secret"}), (False, {})):
        file = with_options(original(tmp_path, official=official), client_id="lab", official_token="secret")
        assert file.client_id == "lab"
        assert on_the_wire(file) == ORIGINAL | token


def test_an_invalid_client_id_is_reported(tmp_path):
    with pytest.raises(BadInput, match="the command line: clientId 'a:b' must not be blank or contain a colon"):
        with_options(original(tmp_path), client_id="a:b", official_token=None)


def test_naive_move_rate_is_refused_with_a_level_as_the_remedy(tmp_path):
    with pytest.raises(BadInput, match=r"naiveMoveRate is not supported; .* --level=dummy=4,1"):
        original(tmp_path, naiveMoveRate=0.33)


def test_child_processes_get_no_secrets(monkeypatch):
    secrets = {"OFFICIAL_BOT_TOKEN", "LUDUS_BOT_TOKEN", "LUDUS_OPERATOR_TOKEN", "LUDUS_METRICS_TOKEN", "LUDUS_DATABASE"}
    for name in (*secrets, "LUDUS_CACHE"):
        monkeypatch.setenv(name, "x")
    found = variables_without_secrets()
    assert not secrets & found.keys()
    assert found["LUDUS_CACHE"] == "x"
