"""The catalogue lists the boards that attached bots offer, and checks what they declare."""

import pytest

from ludus.errors import BadInput
from ludus.protocol.registration import Attach, BoardSize, BotConfig, ClientInfo, Extent, ServerInfo, VariantSupport
from ludus.site.bots.bots import BotKey, BotLink, Bots
from ludus.site.catalogue.catalogue import bot_for, bot_offers, catalogue
from ludus.site.catalogue.specs import FIRST_AND_SECOND, UNNAMED, known_spec, spec_for, table_game
from ludus.site.faults import NotHere
from ludus.site.messages.requests import BoardConfig
from ludus.site.settings import SiteSettings
from ludus.trust import permit


def board(*sizes, low=3, high=20):
    return VariantSupport(Extent(low, high), Extent(low, high), [BoardSize(*size) for size in sizes])


def bot(bot_id, order=None, game="wallgame", variants=None, **more):
    variants = variants or {"classic": board((5, 5))}
    return BotConfig(bot_id, bot_id.title(), None, variants, list_order=order, game=game, **more)


def attached(*bots, settings=None):
    settings = settings or SiteSettings()
    permit(*settings.games)  # as the site does
    found = Bots(settings, ServerInfo("ludus", "0"))
    found.register(BotLink(found), Attach(3, "c", list(bots), ClientInfo("t", "1")))
    return found


def listed(bots):
    files = bots.settings.games
    return catalogue(bot_offers(bots.all(), files), files).games


def offered(bots):
    """Return the variants that a bot declares."""
    return [game for game in listed(bots) if game.bots]


def wished(game="wallgame", variant="classic", width=5, height=5):
    return BoardConfig(game=game, variant=variant, board_width=width, board_height=height)


def test_games_are_listed_with_their_bots_weak_ones_first():
    found = offered(attached(bot("strong", 4), bot("unranked"), bot("gentle", 1)))
    assert [game.spec for game in found] == ["wallgame:classic:5x5"]
    assert [entry.id for entry in found[0].bots] == ["c:gentle", "c:strong", "c:unranked"]
    assert (found[0].title, found[0].variant, found[0].board_width) == ("Wall Game", "classic", 5)
    assert (found[0].board.rows, found[0].board.choices) == (5, [])
    assert found[0].summary.endswith(".")


def test_every_recommended_board_has_its_own_entry():
    variants = {"classic": board((6, 6), (5, 5)), "standard": board((8, 8)), "freestyle": board()}
    found = offered(
        attached(bot("b", variants=variants), bot("c", game="connect4", variants={"standard": board((7, 6))}))
    )
    assert [game.spec for game in found] == [
        "wallgame:classic:5x5",
        "wallgame:classic:6x6",
        "wallgame:freestyle:12x10",
        "wallgame:standard:8x8",
        "connect4",
    ]


def test_the_sites_own_bots_come_before_those_of_others():
    found = attached(bot("stranger", 0), bot("own", 9, official_token="x"))
    assert [entry.id for entry in offered(found)[0].bots] == ["c:own", "c:stranger"]


@pytest.mark.parametrize("account", [None, "Bob", "\u0430lice"])
def test_private_bots_are_neither_listed_for_others_nor_played_by_them(account):
    private = attached(BotConfig("b", "B", "alice", {"classic": board((5, 5))}))
    assert bot_offers(private.all(), (), account) == []
    with pytest.raises(NotHere) as refused:
        bot_for(private, "c:b", wished(), account)
    with pytest.raises(NotHere) as unknown:
        bot_for(attached(), "c:b", wished(), account)
    assert str(refused.value) == str(unknown.value)


@pytest.mark.parametrize("account", ["alice", "Alice", "\uff21lice"])
def test_the_account_of_a_private_bot_finds_it_among_the_others_marked(account):
    bots = attached(bot("a"), BotConfig("b", "B", "alice", {"classic": board((5, 5))}), bot("own", official_token="x"))
    (entry,) = (game for game in catalogue(bot_offers(bots.all(), (), account)).games if game.bots)
    assert [(each.id, each.official, each.private) for each in entry.bots] == [
        ("c:own", True, False),
        ("c:a", False, False),
        ("c:b", False, True),
    ]
    assert bot_for(bots, "c:b", wished(), account).private
    assert not bot_for(bots, "c:a", wished(), account).private


@pytest.mark.parametrize("game", ["/tmp/evil.py", "../evil", "registry", "evil.py", "no such game", "board", ""])
def test_a_bot_cannot_name_files_or_modules_as_games(game, monkeypatch):
    loaded = []
    monkeypatch.setattr("ludus.games.registry._load_file", loaded.append)
    assert offered(attached(bot("b", game=game, variants={"standard": board((5, 5))}))) == []
    assert not loaded


def test_a_game_file_in_the_settings_can_be_played(tmp_path):
    path = tmp_path / "tiny.py"
    path.write_text("import copy\n\nimport ludus\n\ngame = copy.copy(ludus.game('connect4'))\n")
    settings = SiteSettings(games=(str(path),))
    tiny = bot("b", game="tiny", variants={"standard": board((7, 6))})
    assert [game.spec for game in offered(attached(tiny, settings=settings))] == [str(path)]


def test_games_in_files_are_listed_first_and_before_their_bots_are_ready(tmp_path):
    path, sized = tmp_path / "mine.py", tmp_path / "sized.py"
    path.write_text("import copy\n\nimport ludus\n\ngame = copy.copy(ludus.game('connect4'))\n")
    sized.write_text("def make(size):\n    raise AssertionError(size)\n")  # has no board without a part of its name
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n")
    found = listed(attached(settings=SiteSettings(games=tuple(map(str, (broken, path, sized))))))
    assert (found[0].spec, found[0].game, found[0].bots) == (str(path), "mine", [])
    assert (found[0].board_width, found[0].board_height) == (7, 6)
    assert [game.game for game in found[1:]] == [game.game for game in listed(attached())]


def test_a_board_of_two_rows_is_listed_as_bots_declare_it(tmp_path):
    path = tmp_path / "rows.py"
    source = "import copy\n\nimport ludus\n\ngame = copy.copy(ludus.game('tictactoe'))\n"
    path.write_text(f"{source}game.describe = lambda position: ludus.Board(2, 8, 'squares')\n")
    rows = bot("b", game="rows", variants={"standard": board((8, 3))})
    assert [game.spec for game in offered(attached(rows, settings=SiteSettings(games=(str(path),))))] == [str(path)]


def test_boards_that_the_game_does_not_have_are_not_offered():
    wrong = bot(
        "b", game="connect4", variants={"standard": board((8, 8)), "odd": board((7, 6)), "ahead": board((7, 6))}
    )
    assert offered(attached(wrong)) == []


def test_a_size_within_the_range_can_be_played_without_being_listed():
    key, name, spec, *_ = bot_for(attached(bot("b")), "c:b", wished(width=7, height=4))
    assert (key, name, spec) == (BotKey("c", "b"), "B", "wallgame:classic:7x4")


@pytest.mark.parametrize(
    "config",
    [
        wished(variant="standard"),
        wished(width=21),
        wished(variant="classic:5x5"),
        wished(variant="classic", game="connect4"),
        wished(game="connect4", variant="standard", width=7, height=6),
        wished(game="x.py"),
    ],
)
def test_what_a_bot_does_not_play_is_refused_in_a_sentence(config):
    with pytest.raises(BadInput, match="does not play"):
        bot_for(attached(bot("b")), "c:b", config)


def test_games_for_two_persons_are_listed_without_a_bot():
    alone = {game.spec for game in listed(attached(bot("b"))) if not game.bots}
    assert {"tictactoe", "connect4"} <= alone


def test_the_usual_rules_of_a_game_come_first_and_its_sides_have_names():
    sizes = [bot("g", game="go", variants={name: board((9, 9)) for name in ("aga", "standard", "japanese")})]
    sizes += [bot("c", game="chess", variants={name: board((8, 8)) for name in ("960", "standard")})]
    found = offered(attached(*sizes))
    assert [game.spec for game in found] == ["chess", "chess:960", "go:9x9", "go:9x9:japanese", "go:9x9:aga"]
    assert found[0].players == ("White", "Black")
    assert listed(attached())[0].players == ("First", "Second")


@pytest.mark.parametrize(
    "spec",
    [
        "chess:960",
        "go:13x13:japanese",
        "go:9x9:marking",
        "chess:play-on",
        "chess:960:play-on",
        "go:9x9:ko=simple:suicide=yes",
        "gomoku:renju:13x13:swap2",
        "wallgame:survival:9x11",
        "wallgame:freestyle:20x20",
        "wallgame:classic:8x8:2026-01",
        "connect4",
    ],
)
def test_what_can_be_chosen_is_known_though_no_bot_plays_it(spec):
    assert known_spec(spec, ()) == spec


@pytest.mark.parametrize(
    ("chosen", "spec"),
    [
        ("go:standard:13x13", "go:13x13"),
        ("go:japanese:19x19", "go:19x19:japanese"),
        ("gomoku:renju-swap2:15x15", "gomoku:renju:15x15:swap2"),
        ("chess:960:8x8", "chess:960"),
        ("connect4:standard:7x6", "connect4"),
        ("wallgame:classic:8x8:short", "wallgame:classic:8x8"),
        ("wallgame:classic:5x5@6x6:ways:2026-01:short", "wallgame:classic:5x5:2026-01"),
        ("gomoku:renju:15x15:threats:swap2", "gomoku:renju:15x15:swap2"),
        ("wallgame:animal-cycle:8x8", "wallgame:animal-cycle:8x8"),
    ],
)
def test_what_was_chosen_is_spelt_as_the_game_spells_it(chosen, spec):
    assert known_spec(chosen, ()) == spec


@pytest.mark.parametrize(
    "spec",
    [
        "chess:seed",
        "chess:960:9x9",
        "nosuch:play-on",
        "go:x",
        "go:standard:13x12",
        "wallgame:standard:30x30",
        "wallgame:animal-cycle:8x2",
        "wallgame",
    ],
)
def test_what_cannot_be_chosen_is_not_known(spec):
    assert known_spec(spec, ()) is None


def sides(game, variant, width, height):
    spec = spec_for(game, variant, width, height, ())
    position = table_game(spec).start()
    players = position.game.players
    return FIRST_AND_SECOND if players == UNNAMED else players, position.describe().colours


def test_what_can_be_chosen_calls_the_sides_as_the_games_do():
    for choices in catalogue([]).choices:
        for variant in choices.variants:
            width, height = choices.sizes[0] if choices.sizes else (8, 8)
            assert sides(choices.game, variant.value, width, height) == (choices.players, (0, 1))
            if choices.switch:
                opened = sides(choices.game, f"{variant.value}-{choices.switch.value}", width, height)
                assert opened == (choices.switch.players, (None, None))
