"""Settings: strict reading, error messages, and writing."""

from pathlib import Path
from typing import Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus import config
from ludus.errors import BadPreset


class Opponent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    visits: int | None = None
    strength: Literal["weak", "strong"] | None = None


class Search(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    visits: int = 100
    noise: float = 0.25
    reuse: bool = True

    def __post_init__(self):
        if self.visits < 1:
            raise ValueError("visits must be 1 or more")


class Preset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    game: str
    search: Search = Search()
    sizes: tuple[int, ...] = ()
    opponents: list[Opponent] = []
    shares: dict[str, float] = {}
    mode: Literal["generations", "pipelined"] = "generations"
    heads: tuple[Literal["reply", "moves_left", "maps"], ...] = ()


def load(tmp_path: Path, text: str) -> Preset:
    path = tmp_path / "preset.toml"
    path.write_text(text)
    return config.load(path, Preset)


def refusal(tmp_path: Path, text: str) -> str:
    with pytest.raises(BadPreset) as caught:
        load(tmp_path, text)
    sentence = str(caught.value)
    assert sentence.startswith(str(tmp_path / "preset.toml"))
    assert "\n" not in sentence
    return sentence.removeprefix(f"{tmp_path / 'preset.toml'}: ")


def test_settings_left_out_keep_their_defaults(tmp_path):
    preset = load(tmp_path, 'game = "connect4"\nsizes = [5, 6]\n[search]\nvisits = 7\n')
    assert preset == Preset(game="connect4", sizes=(5, 6), search=Search(visits=7))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("game = 'x'\n[search]\nvisit = 3", "there is no setting 'search.visit'; did you mean 'visits'?"),
        ("gmae = 'x'", "there is no setting 'gmae'; did you mean 'game'?"),
        ("game = 'x'\n[search]\nzzzz = 3", "there is no setting 'search.zzzz'; known here: visits, noise, reuse."),
        (
            "game = 'x'\n[[opponents]]\nname='a'\n[[opponents]]\nname='b'\nvisists=1",
            "there is no setting 'opponents[1].visists'; did you mean 'visits'?",
        ),
        ("game = 'x'\n[search]\nvisits = 'many'", 'search.visits: expected a whole number, got text in "quotes".'),
        ("game = 'x'\n[search]\nvisits = 0", "search: visits must be 1 or more."),
        (
            "game = 'x'\n[[opponents]]\nname='a'\nvisits='b'",
            'opponents[0].visits: expected a whole number or nothing, got text in "quotes".',
        ),
        ("game = 3", 'game: expected text in "quotes", got a whole number.'),
        ("sizes = [1]", "the setting 'game' is missing; add it."),
        ("game = 'x'\n[[opponents]]\nvisits=1", "the setting 'opponents[0].name' is missing; add it."),
        ("game = 'x'\nsearch = 3", "search: expected a table, got a whole number."),
        ("game = 'x'\nmode = 'fast'", "mode: 'fast' is none of generations, pipelined."),
        (
            "game = 'x'\nheads = ['maps', 'replies']",
            "heads[1]: 'replies' is none of maps, moves_left, reply; did you mean 'reply'?",
        ),
        (
            "game = 'x'\n[[opponents]]\nname='a'\nstrength='week'",
            "opponents[0].strength: 'week' is none of strong, weak; did you mean 'weak'?",
        ),
    ],
)
def test_a_wrong_setting_is_named_with_its_remedy(tmp_path, text, sentence):
    assert refusal(tmp_path, text) == sentence


def test_broken_toml_names_the_line(tmp_path):
    assert "line 2" in refusal(tmp_path, "game = 'x'\nsearch ==\n")


def test_a_file_that_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "preset.toml"
    path.write_bytes(b"game = '\xff'")
    with pytest.raises(BadPreset, match="byte 8 is not UTF-8"):
        config.load(path, Preset)


def test_a_byte_order_mark_is_ignored(tmp_path):
    path = tmp_path / "preset.toml"
    path.write_text("game = 'x'", encoding="utf-8-sig")
    assert config.load(path, Preset).game == "x"


def test_the_error_about_a_missing_file_suggests_a_similar_one(tmp_path):
    (tmp_path / "connect4-laptop.toml").touch()
    with pytest.raises(BadPreset, match=r"no such file; did you mean .*connect4-laptop\.toml\?$"):
        config.load(tmp_path / "conect4-laptop.toml", Preset)
    with pytest.raises(BadPreset, match="no such file; check the path"):
        config.load(tmp_path / "nowhere" / "at-all.toml", Preset)


def test_a_folder_is_not_a_preset(tmp_path):
    with pytest.raises(BadPreset, match=r"cannot be read \(Is a directory\)"):
        config.load(tmp_path, Preset)


def test_written_settings_are_readable_toml():
    preset = Preset(game="connect4", sizes=(5, 6), opponents=[Opponent(name="a")], shares={"5 x 5": 0.5})
    assert config.dump(preset).splitlines() == [
        'game = "connect4"',
        "sizes = [5, 6]",
        'opponents = [{name = "a"}]',
        'mode = "generations"',
        "heads = []",
        "",
        "[search]",
        "visits = 100",
        "noise = 0.25",
        "reuse = true",
        "",
        "[shares]",
        '"5 x 5" = 0.5',
    ]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(
    st.builds(
        Preset,
        game=TEXT,
        search=st.builds(Search, visits=st.integers(1, 2**62), noise=st.floats(allow_nan=False), reuse=st.booleans()),
        sizes=st.lists(st.integers(-5, 5)).map(tuple),
        opponents=st.lists(st.builds(Opponent, name=TEXT, visits=st.none() | st.integers(0, 9)), max_size=2),
        shares=st.dictionaries(TEXT, st.floats(allow_nan=False), max_size=3),
    )
)
def test_written_settings_are_read_back_unchanged(tmp_path_factory, preset):
    path = tmp_path_factory.mktemp("settings") / "preset.toml"
    path.write_text(config.dump(preset), encoding="utf-8", newline="")
    assert config.load(path, Preset) == preset


class Bounded(config.Settings, frozen=True):
    share: config.Share = 0.5
    visits: config.AtLeastOne = 1
    shares: tuple[config.NotNegative, ...] = ()


def test_a_number_out_of_bounds_is_refused_from_a_file_and_in_code(tmp_path):
    with pytest.raises(ValueError, match=r"^visits must be 1 or more, and is 0$"):
        Bounded(visits=0)
    with pytest.raises(ValueError, match=r"^share must be between 0\.0 and 1\.0, and is nan$"):
        Bounded(share=float("nan"))
    with pytest.raises(ValueError, match=r"^shares\[1\] must be 0\.0 or more, and is -1$"):
        Bounded(shares=(1, -1))
    (tmp_path / "bounded.toml").write_text("share = 1.5")
    with pytest.raises(BadPreset, match=r"settings: share must be between 0\.0 and 1\.0, and is 1\.5\.$"):
        config.load(tmp_path / "bounded.toml", Bounded)
