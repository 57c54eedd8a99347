"""Looking for opponents: open seats, quick pairing, live games, challenges, the search for players, the header."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.page.test_accessible import findings, sticks_out
from tests.page.test_friends import make_account

pytestmark = pytest.mark.page

PHONE, SIDEWAYS, NARROW = (
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 320, "height": 640},
)
SMALL = pytest.mark.parametrize("viewport", [PHONE, SIDEWAYS, NARROW], ids=["phone", "sideways", "narrow"])
PATHS = ("/", "/games", "/ratings", "/study", "/learn", "/puzzles", "/settings", "/people/nobody", "/nothing")


def account_at(open_page, name: str, path: str = "/settings", **more: Any) -> Page:
    """Open a page of a new account."""
    page = open_page("/settings", **more)
    make_account(page, name)
    if path != "/settings":
        page.goto(page.url.replace("/settings", path))
    return page


def offer_seat(page: Page, game: str) -> None:
    """Offer an open seat in a game."""
    page.locator(".card", has_text=game).click()
    page.locator(".setup").get_by_text("Anyone", exact=True).click()
    page.get_by_role("button", name="Offer a seat").click()
    expect(page.get_by_text("Waiting for an opponent")).to_be_visible()


def seek(page: Page, game: str, time: str = "5 + 3") -> None:
    """Begin quick pairing."""
    pairing = page.get_by_role("form", name="Quick pairing")
    pairing.get_by_label("Game").select_option(label=game)
    pairing.get_by_label("Time").select_option(label=time)
    pairing.get_by_role("button", name="Find an opponent").click()


def waiting(page: Page) -> Locator:
    """Return the card of a wait for an opponent."""
    return page.get_by_role("region", name="Looking for an opponent")


def expect_game(*pages: Page) -> None:
    """Assert that these pages show one running game, each from a player's seat."""
    for page in pages:
        expect(page.locator(".board-area svg.board")).to_be_visible()
        expect(page.locator(".player.bottom .tag", has_text="you")).to_be_visible()
    assert len({page.url for page in pages}) == 1


@pytest.mark.parametrize(
    "viewport", [{"width": 1280, "height": 800}, PHONE, SIDEWAYS], ids=["wide", "phone", "sideways"]
)
def test_every_page_says_who_one_is_or_how_to_log_in(open_page, site, viewport: dict[str, int]) -> None:
    page = open_page("/", viewport=viewport)
    for path in PATHS:
        page.goto(site.url + path)
        expect(page.locator(".header").get_by_role("link", name="Log in")).to_be_visible()
    page.locator(".header").get_by_role("link", name="Log in").click()
    name = f"Somebody-{viewport['width']}"
    make_account(page, name)
    for path in PATHS:
        page.goto(site.url + path)
        expect(page.locator(".header").get_by_role("link", name=name)).to_be_visible()
        assert sticks_out(page) == []


def test_the_menu_of_a_narrow_header_has_what_does_not_fit(open_page) -> None:
    page = open_page("/", viewport=NARROW)
    button = page.get_by_role("button", name="Menu")
    button.focus()
    page.keyboard.press("Enter")
    for name in ("Ratings", "Analysis", "Settings"):
        expect(page.get_by_role("navigation", name="More pages").get_by_role("link", name=name)).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("navigation", name="More pages")).to_have_count(0)
    expect(button).to_be_focused()
    button.click()
    page.get_by_role("link", name="Ratings").click()
    expect(page.get_by_role("heading", name="Ratings")).to_be_visible()
    expect(page.get_by_role("navigation", name="More pages")).to_have_count(0)


def test_an_open_seat_says_who_waits_and_one_click_begins_the_game(open_page) -> None:
    host, guest = account_at(open_page, "Seat-Host", "/"), open_page()
    offer_seat(host, "Tic-tac-toe")
    seats = guest.get_by_role("region", name="Open seats")
    row = seats.get_by_role("listitem").filter(has_text="Seat-Host")
    expect(row).to_contain_text("Tic-tac-toe")
    expect(row).to_contain_text("no clock")
    row.get_by_role("button", name="Play Seat-Host").click()
    expect_game(host, guest)
    expect(open_page().get_by_role("region", name="Open seats")).to_contain_text("Nobody is waiting")


def test_play_now_offers_a_person_who_waits_before_the_bot(open_page) -> None:
    guest = open_page()
    buttons = guest.locator(".play-now").get_by_role("button")
    expect(buttons).to_have_count(2)
    expect(buttons.first).to_contain_text("Find an opponent")
    expect(buttons.nth(1)).to_contain_text(re.compile("Play now.*against Pip"))
    place = buttons.nth(1).bounding_box()
    host = open_page()
    offer_seat(host, "Tic-tac-toe")
    expect(buttons.first).to_contain_text(re.compile("Play now.*Tic-tac-toe.* against Guest"))
    expect(buttons.nth(1)).to_contain_text("Play a bot")
    assert buttons.nth(1).bounding_box() == place, "no button moves when somebody begins to wait"
    buttons.first.click()
    expect_game(host, guest)


def test_quick_pairing_shows_the_wait_and_seats_two_who_fit(open_page) -> None:
    ann, bob = open_page(), open_page(viewport=PHONE)
    seek(ann, "Tic-tac-toe")
    card = waiting(ann)
    expect(card).to_contain_text("Tic-tac-toe, 5 + 3")
    expect(card).to_contain_text("Nobody else waits for this board yet.")
    expect(card.locator(".timer")).to_have_text(re.compile(r"0:0[2-9]|0:[1-5]\d"))  # it runs
    ann.get_by_role("link", name="Learn", exact=True).click()  # the wait goes on on every page
    expect(card).to_be_visible()
    offered = bob.get_by_role("region", name="Open seats").get_by_role("listitem")
    expect(offered).to_contain_text("1 person is waiting")
    seek(bob, "Tic-tac-toe", "Any time")
    expect_game(ann, bob)
    expect(waiting(ann)).to_have_count(0)
    expect(ann.locator(".clock")).to_have_text(["5:00", "5:00"])


def test_one_click_joins_a_person_who_waits_for_quick_pairing(open_page) -> None:
    ann, bob = open_page(), open_page()
    seek(ann, "Tic-tac-toe", "10 + 2")
    bob.get_by_role("button", name="Play Tic-tac-toe, quick pairing").click()
    expect_game(ann, bob)


def test_a_wait_can_be_cancelled_and_ends_when_the_page_is_closed(open_page) -> None:
    ann, bob = open_page(), open_page()
    seek(ann, "Tic-tac-toe")
    waiting(ann).get_by_role("button", name="Cancel").click()
    expect(waiting(ann)).to_have_count(0)
    seek(bob, "Tic-tac-toe")
    expect(waiting(bob)).to_contain_text("Nobody else waits")
    seek(ann, "Tic-tac-toe", "No clock")
    expect(waiting(bob)).to_contain_text("1 other waits for this board")
    ann.close()
    expect(waiting(bob)).to_contain_text("Nobody else waits")


def test_a_wait_survives_a_lost_connection_and_says_how_its_range_grows(open_page) -> None:
    page = open_page()
    page.get_by_role("form", name="Quick pairing").get_by_label("Opponent").select_option(label="± 100")
    seek(page, "Tic-tac-toe")
    expect(waiting(page)).to_contain_text("Ratings within 100 of yours; 50 more every 10 seconds.")
    page.evaluate("window.cutOff()")
    expect(waiting(page)).to_contain_text("Connection lost. Reconnecting…")
    page.evaluate("window.reach()")
    expect(waiting(page)).to_contain_text("Nobody else waits")


def test_live_games_show_their_boards_move_by_move(open_page, play) -> None:
    player = open_page()
    player.locator(".card", has_text="Tic-tac-toe").click()
    player.locator(".setup").get_by_title("First", exact=True).click()
    player.locator(".setup").get_by_role("button", name="Play").click()
    player.locator("svg.board.play").wait_for()
    onlooker = open_page("/games")
    tile = onlooker.get_by_role("region", name="Live games").locator("li").filter(has_text="Guest").first
    expect(tile.locator("svg.board")).to_be_visible()
    before = tile.locator(".piece").count()
    play(player, "b2")
    expect(tile.locator(".piece")).to_have_count(before + 2)  # the bot answers
    asked = onlooker.evaluate(
        """async () => {
            const sent = [];
            for (const socket of window.sockets.filter(({ url }) => url.endsWith("/ws/live-games"))) {
                socket.send = (text) => sent.push(JSON.parse(text));
            }
            document.querySelector(".reader").scrollIntoView({ block: "end" });
            window.scrollTo(0, document.body.scrollHeight);
            document.querySelector(".live-games").style.marginTop = "5000px"; // out of view
            await new Promise((done) => setTimeout(done, 500));
            return sent.filter(({ type }) => type === "watch");
        }"""
    )
    assert asked[-1]["games"] == [], "boards that are not on screen are not followed"


def test_a_challenge_is_seen_on_every_page_and_accepted(open_page) -> None:
    ann = account_at(open_page, "Ann-Accepts", "/study?spec=tictactoe")
    bob = account_at(open_page, "Bob-Asks", "/people/Ann-Accepts")
    expect(bob.get_by_text("Ann-Accepts is here.")).to_be_visible()
    bob.get_by_role("button", name="Challenge").click()
    dialog = bob.get_by_role("dialog", name="Challenge Ann-Accepts")
    dialog.get_by_label("Game").select_option(label="Tic-tac-toe")
    dialog.get_by_label("Time").select_option(label="10 + 2")
    assert findings(bob) == []
    dialog.get_by_role("button", name="Send the challenge").click()
    expect(bob.get_by_role("region", name="Your challenge to Ann-Accepts")).to_contain_text("Waiting for Ann-Accepts")
    card = ann.get_by_role("region", name="Challenge of Bob-Asks")
    expect(card).to_contain_text("Tic-tac-toe, 10 + 2")
    ann.get_by_role("link", name="Learn", exact=True).click()
    ann.reload()
    expect(card).to_be_visible()
    assert findings(ann) == []
    card.get_by_role("button", name="Accept").click()
    expect_game(ann, bob)
    expect(card).to_have_count(0)


def test_a_challenge_can_be_declined_withdrawn_and_turned_off(open_page, site) -> None:
    ann = account_at(open_page, "Ann-Declines")
    bob = open_page("/people/Ann-Declines")

    def challenge() -> None:
        bob.get_by_role("button", name="Challenge").click()
        bob.get_by_role("button", name="Send the challenge").click()

    card = ann.get_by_role("region", name=re.compile("Challenge of Guest"))
    challenge()
    expect(card).to_be_visible()
    bob.get_by_role("button", name="Withdraw").click()
    expect(card).to_have_count(0)
    challenge()
    card.get_by_role("button", name="Decline").click()
    expect(bob.get_by_role("alert")).to_contain_text("Ann-Declines declined your challenge.")
    challenge()
    expect(bob.get_by_role("alert")).to_contain_text("has just declined")
    with ann.expect_response("**/api/account/settings"):
        ann.get_by_text("Nobody", exact=True).click()
    bob.reload()
    expect(bob.get_by_text("Ann-Declines accepts no challenges at present.")).to_be_visible()
    expect(bob.get_by_role("button", name="Challenge")).to_have_count(0)


def test_players_are_found_while_one_types_by_keyboard(open_page) -> None:
    account_at(open_page, "Zora-Found", viewport=PHONE)
    page = open_page("/learn")
    page.get_by_role("button", name="Find a player").click()
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    page.keyboard.type("zora")
    expect(page.locator(".found a")).to_have_text(["Zora-Found"])
    expect(page.locator(".found")).to_contain_text("here now")
    assert findings(page) == []
    field.fill("wal")
    expect(page.locator(".found li").first).to_contain_text("Wally")
    field.fill("nobody-at-all")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("Nobody is called nobody-at-all.")
    field.fill("Zo")
    expect(page.locator(".found a")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Zora-Found")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_person_can_be_challenged_from_the_search_by_touch(open_page) -> None:
    sought = account_at(open_page, "Zed-Sought", viewport=PHONE)
    page = open_page("/learn", viewport=PHONE, has_touch=True)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Find a player").tap()
    page.get_by_role("searchbox").fill("zed")
    page.get_by_role("button", name="Challenge Zed-Sought").tap()
    page.get_by_role("dialog", name="Challenge Zed-Sought").get_by_role("button", name="Send the challenge").tap()
    card = sought.get_by_role("region", name=re.compile("Challenge of Guest"))
    card.get_by_role("button", name="Accept").click()
    expect_game(sought, page)


def test_a_bot_that_was_found_becomes_the_opponent(open_page) -> None:
    page = open_page("/learn")
    page.get_by_role("button", name="Find a player").click()
    page.get_by_role("searchbox").fill("wally")
    page.get_by_role("link", name="Wally").first.click()
    expect(page.locator(".setup").get_by_role("button", name="Play Wally")).to_be_in_viewport()


def test_a_search_that_fails_says_why(open_page) -> None:
    page = open_page("/learn")
    page.route("**/api/players**", lambda route: route.fulfill(status=429, json={"error": "Too many searches."}))
    page.get_by_role("button", name="Find a player").click()
    page.get_by_role("searchbox").fill("zora")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("Too many searches.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Find a player")).to_be_focused()


@pytest.mark.full
@SMALL
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lobby_is_accessible_and_fits_on_small_screens(
    open_page, site, viewport: dict[str, int], scheme: str
) -> None:
    host = open_page(viewport=viewport, color_scheme=scheme, has_touch=True)
    offer_seat(host, "Tic-tac-toe")
    page = open_page(viewport=viewport, color_scheme=scheme, has_touch=True)
    config = {"game": "chess", "boardWidth": 8, "boardHeight": 8}
    assert page.request.post(site.url + "/api/bots/play", data={"botId": "test:pip-chess", "config": config}).ok
    seek(page, "Connect Four")
    expect(waiting(page)).to_be_visible()
    page.locator(".live-tile").first.scroll_into_view_if_needed()
    expect(page.locator(".live-tile svg.board").first).to_be_visible()
    assert findings(page) == []
    assert sticks_out(page) == []
    box = waiting(page).bounding_box()
    assert box is not None
    assert box["height"] < 0.45 * viewport["height"]
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Find a player").tap()
    page.get_by_role("searchbox").fill("p")
    expect(page.locator(".found li").first).to_be_visible()
    assert findings(page) == []
    assert sticks_out(page) == []
