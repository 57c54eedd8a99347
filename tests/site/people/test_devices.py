"""Limits of password guesses: slow for strangers, and separate for devices that have logged in before."""

import pytest

from ludus.site.faults import TooOften
from ludus.site.people.devices import MAX_NAMES, OF_NAME, OWN, Device, Guesses
from ludus.site.people.keys import MAX_CHARS, Signer

PASSWORD = "correct horse"


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def allowed(guesses, name, device, addresses):
    """Return how many of the addresses may check a password."""
    count = 0
    for address in addresses:
        try:
            guesses.take(name, device, address)
            count += 1
        except TooOften:
            continue
    return count


def test_guesses_of_one_name_from_sixty_addresses_share_a_slow_limit():
    clock = Clock()
    guesses = Guesses(clock)
    places = [f"192.0.2.{each}" for each in range(60)]
    assert allowed(guesses, "Ann", Device(), places) == OF_NAME.most
    assert allowed(guesses, "ANN", Device(), places) == 0, "the same name"
    assert allowed(guesses, "Bob", Device(), places) == OF_NAME.most
    clock.now += 3600
    day = 24 * allowed(guesses, "Ann", Device(), places)
    assert day <= 24 * OF_NAME.most


def test_a_flood_of_guesses_locks_out_no_known_device_and_no_known_address():
    guesses = Guesses(Clock())
    device = Device().with_name("Ann")
    guesses.succeeded("Ann", "198.51.100.1")
    flood = [f"192.0.2.{each}" for each in range(100)]
    assert allowed(guesses, "Ann", Device(), flood) == OF_NAME.most
    assert allowed(guesses, "Ann", device, ["203.0.113.1"] * 20) == OWN.most
    assert allowed(guesses, "Ann", Device(), ["198.51.100.1"] * 20) == OWN.most
    with pytest.raises(TooOften, match=r"new devices; try again in \d+ seconds, or use a device on which you have"):
        guesses.take("Ann", Device(), "203.0.113.2")
    with pytest.raises(TooOften):
        guesses.take("Ann", Device().with_name("Bob"), "203.0.113.2")


def test_a_single_address_cannot_use_up_the_limit_of_a_name():
    clock = Clock()
    guesses, refused = Guesses(clock), 0
    for _ in range(3600):
        clock.now += 1
        allowed(guesses, "Ann", Device(), ["192.0.2.1"])
        if clock.now % 60 == 0:
            refused += 1 - allowed(guesses, "Ann", Device(), ["198.51.100.1" if clock.now % 120 else "198.51.100.2"])
    assert refused <= 20, "two new devices log in every two minutes"


def test_a_device_cookie_lists_the_latest_names_and_cannot_be_forged():
    signer = Signer(None)
    device = Device()
    for number in range(MAX_NAMES + 2):
        device = device.with_name(f"Name {number}")
    assert len(device.names) == MAX_NAMES
    assert Device.of_cookie(signer, device.cookie(signer)) == device
    assert len(device.cookie(signer)) <= MAX_CHARS
    assert device.with_name("name 5").names[0] == Device().with_name("NAME 5").names[0]
    assert len(device.with_name("name 5").names) == MAX_NAMES
    assert Device.of_cookie(Signer(None), device.cookie(signer)) == Device()
    assert Device.of_cookie(signer, signer.sign("1234-guest some")) == Device(), "a guest's cookie"
    assert signer.read(device.cookie(signer)) is None, "no guest's cookie"


def test_people_log_in_from_their_devices_while_strangers_guess(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app, address="198.51.100.1") as ann:
            await ann.register("Ann", PASSWORD)
            await ann.say("DELETE", "/api/session")
            asked = {"name": "Ann", "password": "wrong horse"}
            told = []
            for number in range(60):
                async with browser(app, address=f"192.0.2.{number}") as mallory:
                    told.append((await mallory.post("/api/session", json=asked)).status_code)
            assert (told.count(401), told.count(429)) == (OF_NAME.most, 60 - OF_NAME.most)
            away = browser(app, address="203.0.113.7")
            away.cookies = ann.cookies  # the same device in another place
            assert (await away.say("POST", "/api/session", name="Ann", password=PASSWORD))["account"]
            await away.aclose()

    with_people(scenario)
