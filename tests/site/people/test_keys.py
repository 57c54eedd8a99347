"""Signatures of the site: verification, forgery, rotation of keys and expiry."""

import json
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import BadRecord, Unavailable
from ludus.site.people import keys
from ludus.site.people.keys import DAY_S, LASTING_DAYS, ROTATE_DAYS, Signer


class Clock:
    now = 1_790_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@settings(deadline=None)
@given(st.text(max_size=60))
def test_a_signature_is_verified(text):
    signer = Signer(None)
    signed = signer.sign(text)
    assert signer.read(signed).text == text
    assert signed.isascii()
    assert not set(signed) & set(' ",;\\')


@settings(deadline=None)
@given(st.integers(0, 10_000), st.permutations("abcXYZ019-_."))
def test_a_changed_signature_is_refused(place, letters):
    signer = Signer(None, Clock())
    signed = signer.sign("guest-1")
    at = place % (len(signed) - 1)  # the last character has unused bits
    other = next(letter for letter in letters if letter != signed[at])
    assert signer.read(signed[:at] + other + signed[at + 1 :]) is None


@settings(deadline=None)
@given(st.text(max_size=300))
def test_arbitrary_text_is_not_a_signature(text):
    assert Signer(None).read(text) is None


def test_the_signature_of_another_site_is_refused():
    assert Signer(None).read(Signer(None).sign("x")) is None


def test_keys_survive_a_restart_and_are_private(tmp_path, clock):
    file = tmp_path / "secrets" / "keys.json"
    signed = Signer(file, clock).sign("guest-1")
    assert Signer(file, clock).read(signed).text == "guest-1"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_new_key_signs_and_old_keys_still_verify(tmp_path, clock):
    file = tmp_path / "keys.json"
    signer = Signer(file, clock)
    old = signer.sign("guest-1")
    assert signer.read(old).fresh
    clock.now += (ROTATE_DAYS + 1) * DAY_S
    assert signer.read(old).text == "guest-1"
    assert not signer.read(old).fresh, "it must be signed again"
    assert signer.sign("guest-1").split(".")[0] != old.split(".")[0]
    assert len(json.loads(file.read_text())["keys"]) == 2


def test_on_a_full_disk_the_old_key_stays_in_use(tmp_path, clock, monkeypatch):
    file, tries = tmp_path / "keys.json", []

    def full(path, _data):
        tries.append(path)
        raise OSError(28, "No space left on device")

    signer = Signer(file, clock)
    old = signer.sign("guest-1")
    clock.now += (ROTATE_DAYS + 1) * DAY_S
    with monkeypatch.context() as disk:
        disk.setattr(keys, "write_atomically", full)
        meanwhile = [signer.sign(f"guest-{number}") for number in range(2, 5)]
        assert len(tries) == 1, "not at every request"
    clock.now += 61
    later = signer.sign("guest-5")
    assert later.split(".")[0] != old.split(".")[0], "the new key signs as soon as it can be kept"
    restarted = Signer(file, clock)
    assert all(restarted.read(each) for each in (old, *meanwhile, later))


def test_old_signatures_and_old_keys_expire(clock):
    signer = Signer(None, clock)
    old = signer.sign("guest-1")
    clock.now += (LASTING_DAYS + 1) * DAY_S
    assert signer.read(old) is None
    for _ in range(20):
        clock.now += (ROTATE_DAYS + 1) * DAY_S
        signer.sign("x")
    assert len(signer._keys) <= 2 + LASTING_DAYS / ROTATE_DAYS


@pytest.mark.parametrize("damage", ["", "{", '{"keys":[{"id":"a","secret":"zz","made":1}]}', '{"keys":[{"id":"a"}]}'])
def test_a_damaged_key_file_is_reported(tmp_path, damage):
    file = tmp_path / "keys.json"
    file.write_text(damage)
    with pytest.raises(BadRecord, match=r"keys\.json: the file is damaged; restore it, or delete it"):
        Signer(file)


def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable):
        Signer(tmp_path / "file" / "deep" / "keys.json")


def test_signatures_are_compared_in_constant_time(monkeypatch):
    compared = []
    monkeypatch.setattr(keys.hmac, "compare_digest", lambda a, b: compared.append((a, b)) or False)
    signer = Signer(None)
    assert signer.read(signer.sign("x")) is None
    assert len(compared) == 1
