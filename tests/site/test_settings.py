"""The settings file of a site, and errors about mistakes in it."""

import re

import msgspec
import pytest

from ludus import config
from ludus.errors import LudusError
from ludus.site.safety.limits import RateLimit
from ludus.site.settings import SiteSettings, read_settings


@pytest.fixture
def read(tmp_path):
    def read(text):
        (tmp_path / "site.toml").write_text(text)
        return read_settings(tmp_path / "site.toml")

    return read


def test_what_a_file_does_not_name_stays_as_it_is(read):
    assert read("") == SiteSettings()
    found = read("[safety]\nrequests = {most = 5, per_s = 1}\nunlimited_addresses = ['2001:db8::1']")
    assert found.safety.requests == RateLimit(5, 1)
    assert found.safety.costly == SiteSettings().safety.costly
    assert found.safety.exempt() == {"", "2001:db8::/64"}


def test_games_start_at_the_folder_of_the_file(read, tmp_path):
    assert read("games = ['mine.py:5x5', '/elsewhere/mine.py']").games == (
        f"{tmp_path}/mine.py:5x5",
        "/elsewhere/mine.py",
    )


def test_all_settings_as_they_are_usually_are_accepted(read):
    assert read(config.dump(SiteSettings())) == SiteSettings()


MOST = 1e9  # of a rate limit


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max_game = 3", "there is no setting 'max_game'; did you mean 'max_games'?"),
        ("[safety]\nmax_table = 3", "there is no setting 'safety.max_table'; did you mean"),
        ("[safety]\nrequests = {most = 5, per_second = 1}", "there is no setting 'safety.requests.per_second'"),
        ("[safety]\nrequests = {most = 5}", "the setting 'safety.requests.per_s' is missing; add it."),
        (
            "[safety]\nrequests = {most = 5, per_s = 0}",
            f"safety.requests: per_s must be above 0 and at most {MOST}, and is 0.",
        ),
        (
            "[safety]\nrequests = {most = 0, per_s = 1}",
            f"safety.requests: most must be between 1 and {MOST}, and is 0.",
        ),
        (
            "[safety]\nrequests = {most = 5, per_s = nan}",
            f"safety.requests: per_s must be above 0 and at most {MOST}, and is nan.",
        ),
        (
            "[safety]\nrequests = {most = inf, per_s = 1}",
            f"safety.requests: most must be between 1 and {MOST}, and is inf.",
        ),
        ("[safety]\nmax_tables = 0", "safety: max_tables must be 1 or more, and is 0."),
        ("[safety]\nunlimited_addresses = ['10.0.0.0/8']", "'10.0.0.0/8' is not an IP address; write single ones"),
        ("max_games = 257", "settings: max_games must be between 1 and 256, and is 257."),
        ("max_games = 'many'", "max_games: expected a whole number, got text"),
        ("stand_s = -1", "settings: stand_s must be between 0 and 315360000, and is -1."),
        ("pulse_s = 0", "settings: pulse_s must be above 0 and at most 315360000, and is 0."),
        ("strangers_bots = 'no'", "strangers_bots: expected true or false"),
        ("strangers_bots", "this is not TOML"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_place(read, text, sentence):
    with pytest.raises(LudusError, match=re.escape(sentence)):
        read(text)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(LudusError, match="there is no such file"):
        read_settings(tmp_path / "none.toml")


def numbers(kind):
    """Yield the numbers of a struct of settings, by name, with what is allowed."""
    for field in msgspec.inspect.type_info(kind).fields:
        if isinstance(field.type, msgspec.inspect.StructType):
            yield from numbers(field.type.cls)
        elif isinstance(field.type, (msgspec.inspect.IntType, msgspec.inspect.FloatType)):
            yield f"{kind.__name__}.{field.name}", field.type


@pytest.mark.parametrize(("name", "kind"), [*numbers(SiteSettings)])
def test_every_number_says_what_is_allowed(name, kind):
    least = kind.ge if kind.gt is None else kind.gt
    assert least is not None, name
    assert least >= 0, name
