"""The page on phones, for spectators, after lost connections and with refused requests."""

import re
from collections import Counter

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.page

PHONE = {"width": 360, "height": 740}


def begin(page: Page, game: str) -> None:
    """Start a game as first player."""
    page.locator(".card", has_text=game).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.locator("svg.board.active").wait_for()


def scrolls_sideways(page: Page) -> bool:
    """Return whether the page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_pages_fit_on_a_phone_without_horizontal_scrolling(open_page) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    expect(page.locator(".card").first).to_be_visible()
    assert not scrolls_sideways(page)
    begin(page, "Wall Game")
    assert not scrolls_sideways(page)
    part = page.locator(".board-area svg.board")
    part.scroll_into_view_if_needed()  # also waits until it is stable
    board = part.bounding_box()
    assert board is not None
    assert board["width"] > 300
    assert board["y"] + board["height"] < PHONE["height"]
    page.touchscreen.tap(board["x"] + 0.62 * board["width"], board["y"] + 0.5 * board["height"])
    expect(page.locator(".status")).to_contain_text("1 of 2 actions made")


def test_a_phone_in_landscape_shows_a_board_of_playable_size(open_page, site) -> None:
    page = open_page(viewport={"width": 800, "height": 340}, has_touch=True, is_mobile=True)
    begin(page, "Wall Game")
    for path in (page.url, f"{site.url}/study?spec=chess", f"{site.url}/puzzles/tictactoe"):
        page.goto(path)
        board = page.locator(".board-area svg.board")
        board.scroll_into_view_if_needed()  # also waits until it is stable
        assert board.bounding_box()["width"] > 270, path
        assert not scrolls_sideways(page)


def test_a_full_game_is_reported_and_reconnected_with_growing_delays(open_page, run_until) -> None:
    page = open_page()
    sockets = []

    def full(socket):
        sockets.append(socket)
        socket.close(code=1013, reason="Too many people are watching this game; try again later.")

    page.route_web_socket("**/ws/play/*", full)
    page.clock.install()
    page.goto(page.url + "game/full")
    expect(page.get_by_text("Too many people are watching this game; try again later. Trying again…")).to_be_visible()
    for _ in range(40):
        page.clock.fast_forward(1000)
        page.wait_for_timeout(20)
    assert len(sockets) <= 12
    run_until(page, lambda: len(sockets) >= 4, step_ms=1000)  # a busy machine may need longer than the loop above


def test_a_failed_evaluation_socket_is_reconnected(open_page) -> None:
    page = open_page()
    page.evaluate("""() => {
        window.refusing = true;
        window.WebSocket = class extends WebSocket {
            constructor(url) {
                if (!url.includes("/ws/eval/") || !window.refusing) {
                    super(url);
                    return;
                }
                const dead = { readyState: 3, send() {}, close() {} };
                setTimeout(() => dead.onclose({ code: 1006, reason: "" }));
                return dead;
            }
        };
    }""")
    begin(page, "Connect Four")
    page.get_by_role("button", name="Evaluation").click()
    expect(page.get_by_text("Trying again…")).to_be_visible()
    page.evaluate("window.refusing = false")
    expect(page.get_by_text("Trying again…")).to_have_count(0)


@pytest.mark.full
def test_a_long_name_and_the_waiting_room_fit_on_a_phone(open_page, site) -> None:
    name = "W" * 20
    page = open_page("/settings", viewport=PHONE)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    assert not scrolls_sideways(page)
    page.goto(site.url)
    page.locator(".card", has_text="Connect Four").click()
    page.locator(".setup").get_by_text("A friend", exact=True).click()
    page.get_by_role("button", name="Create a link for a friend").click()
    expect(page.get_by_text("Waiting for your friend")).to_be_visible()
    assert not scrolls_sideways(page)


def test_a_name_that_is_cut_off_has_a_tooltip_with_its_full_text(open_page) -> None:
    page = open_page("/settings", viewport=PHONE)
    name = "M" * 20
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.get_by_role("link", name="Play", exact=True).click()
    begin(page, "Connect Four")
    mine, theirs = (page.locator(f".player.{place} .name") for place in ("bottom", "top"))
    for shown in (mine, theirs):
        shown.hover()
    expect(theirs).not_to_have_attribute("title", re.compile(""))
    expect(mine).to_have_attribute("title", name)
    page.set_viewport_size({"width": 1280, "height": 800})
    theirs.hover()
    mine.hover()
    expect(mine).not_to_have_attribute("title", re.compile(""))
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("link", name="Games", exact=True).click()
    listed = page.get_by_label("Live games").locator(".clipped", has_text=name).first
    listed.hover()
    expect(listed).to_have_attribute("title", name)


@pytest.mark.full
@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 840}], ids=["phone", "desktop"])
def test_options_of_the_setup_never_leave_one_alone_on_a_line(open_page, viewport: dict[str, int]) -> None:
    page = open_page(viewport=viewport)
    for game in ("Wall Game", "Connect Four", "Tic-tac-toe", "Chess", "Go", "Gomoku"):
        page.locator(".card", has=page.get_by_text(game, exact=True)).click()
        page.locator(".setup").get_by_text("A friend", exact=True).click()
        for row in page.locator(".setup .segments").all():
            tops = row.locator("label").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
            lines = Counter(tops).values()
            assert len(lines) == 1 if len(tops) <= 3 else min(lines) > 1, f"{game}: {row.inner_text()}"
    assert not scrolls_sideways(page)


@pytest.mark.full
@pytest.mark.parametrize("width", [360, 800, 1280, 1900])
def test_the_picture_on_a_card_does_not_overlap_its_text(open_page, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 800})
    expect(page.locator(".card").first).to_be_visible()
    for card in page.locator(".card").all():
        picture, words = (card.locator(part).bounding_box() for part in (".picture .board", ".words"))
        assert picture is not None
        assert words is not None
        below = picture["y"] + picture["height"] <= words["y"]
        beside = picture["x"] + picture["width"] <= words["x"]
        assert below or beside


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast_in_both_themes(open_page, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    expect(page.locator(".card").first).to_be_visible()
    for selector in (".card .words span", ".card small", ".button.primary", ".opponents .level", ".welcome p"):
        ink, ground = page.evaluate(
            """(selector) => {
                const element = document.querySelector(selector);
                let under = element;
                while (getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)") under = under.parentElement;
                return [getComputedStyle(element).color, getComputedStyle(under).backgroundColor];
            }""",
            selector,
        )
        assert contrast(ink, ground) >= 4.5, f"{selector}: {ink} on {ground}"


def contrast(ink: str, ground: str) -> float:
    """Return WCAG's contrast ratio of two colours written `rgb(r, g, b)`."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(ink), luminance(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_a_spectator_sees_the_moves_but_cannot_play(open_page) -> None:
    player = open_page()
    begin(player, "Connect Four")
    assert "token" not in player.url
    spectator = open_page(player.url.removeprefix(player.url.split("/game/")[0]))
    expect(spectator.get_by_text("You are watching.")).to_be_visible()
    player.locator('.grid-cell[tabindex="0"]').focus()
    player.keyboard.press("Enter")
    expect(spectator.locator("button.move")).to_have_count(2)
    expect(spectator.locator("svg.board.active")).to_have_count(0)
    expect(spectator.get_by_role("button", name="Undo")).to_have_count(0)


def test_a_lost_connection_is_reported_and_restored(open_page) -> None:
    page = open_page()
    begin(page, "Connect Four")
    page.evaluate("window.cutOff()")
    expect(page.get_by_text("Connection lost. Reconnecting…")).to_be_visible()
    expect(page.locator("svg.board.active")).to_have_count(0)
    page.evaluate("window.reach()")
    expect(page.get_by_text("Connection lost. Reconnecting…")).to_have_count(0)
    expect(page.locator("svg.board.active")).to_be_visible()


def test_a_silent_connection_is_replaced(open_page) -> None:
    page = open_page()
    page.clock.install()
    page.reload()
    begin(page, "Connect Four")
    page.evaluate("window.sockets.at(-1).onmessage = null")  # messages no longer arrive, but the socket stays open
    page.clock.fast_forward(3_000)  # the page sends a ping
    page.clock.fast_forward(5_000)  # and gives up waiting for the answer
    page.wait_for_function("() => window.sockets.at(-1).onmessage !== null")
    expect(page.locator("svg.board.active")).to_be_visible()
    page.locator('.grid-cell[tabindex="0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("button.move")).to_have_count(2)


def test_a_move_sent_when_the_connection_breaks_is_sent_again(open_page) -> None:
    page = open_page()
    begin(page, "Connect Four")
    # the message is dropped, then the socket closes
    page.evaluate("window.sockets.at(-1).send = function () { setTimeout(() => this.close(), 50); }")
    page.locator('.grid-cell[tabindex="0"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("button.move")).to_have_count(2)


def test_a_link_is_shown_for_manual_copying_without_a_clipboard(open_page) -> None:
    page = open_page()
    page.add_init_script('Object.defineProperty(navigator, "clipboard", {})')  # as over http
    page.reload()
    begin(page, "Connect Four")
    page.get_by_role("button", name="Copy link for spectators").click()
    field = page.get_by_label("Link to copy")
    expect(field).to_be_focused()
    expect(field).to_have_value(page.url)
    assert page.evaluate("getSelection().toString()") == page.url


def test_a_reload_keeps_the_seat(open_page) -> None:
    page = open_page()
    begin(page, "Connect Four")
    page.reload()
    expect(page.locator("svg.board.active")).to_be_visible()
    expect(page.get_by_text("Your turn.")).to_be_visible()


@pytest.mark.parametrize("name", ["nosuchgame", "%zz"])
def test_the_page_of_a_missing_game_says_that_it_cannot_be_opened(open_page, name: str) -> None:
    page = open_page(f"/game/{name}")
    expect(page.get_by_role("heading", name="This game cannot be opened")).to_be_visible()
    page.get_by_role("link", name="Choose a game").click()
    expect(page.locator(".card").first).to_be_visible()


def test_an_unknown_address_shows_that_there_is_no_such_page(open_page) -> None:
    page = open_page("/nosuch/place")
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    expect(page.get_by_text("Nothing is at /nosuch/place.")).to_be_visible()
    expect(page).to_have_title(re.compile("^There is no such page "))
    page.get_by_role("link", name="Choose a game").click()
    expect(page.locator(".card").first).to_be_visible()


def test_a_lesson_that_loads_after_the_page_was_left_does_not_change_the_title(open_page) -> None:
    page = open_page("/learn")
    late: list[Route] = []
    page.route("**/api/lessons/chess", lambda route: late.append(route))
    with page.expect_request("**/api/lessons/chess"):
        page.locator(".card", has_text="Chess").click()
    page.get_by_role("link", name="Games", exact=True).click()
    expect(page).to_have_title(re.compile("^Games "))
    with page.expect_response("**/api/lessons/chess"):
        late[0].continue_()
    page.wait_for_timeout(300)
    expect(page).to_have_title(re.compile("^Games "))


def test_a_game_that_starts_after_the_page_was_left_is_listed_under_your_games(open_page) -> None:
    page = open_page()
    late: list[Route] = []
    page.route("**/api/bots/play", lambda route: late.append(route))
    with page.expect_request("**/api/bots/play"):
        page.locator(".setup").get_by_role("button", name="Play").click()
    page.get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", name="Learn a game")).to_be_visible()
    with page.expect_response("**/api/bots/play"):
        late[0].continue_()
    page.wait_for_timeout(300)
    expect(page).to_have_url(re.compile("/learn$"))
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.get_by_role("region", name="Your games").get_by_role("link")).to_have_count(1)


def test_a_start_position_that_loads_late_does_not_replace_a_chosen_game(open_page, site) -> None:
    page = open_page("/learn")
    late: list[Route] = []
    page.route("**/api/study", lambda route: late.append(route))
    with page.expect_request("**/api/study"):
        page.goto(f"{site.url}/?spec=chess&setup=7k/P7/6K1/8/8/8/8/8%20w%20-%20-%200%201")
    page.locator(".card", has=page.get_by_text("Go", exact=True)).click()
    with page.expect_response("**/api/study"):
        late[0].continue_()
    page.wait_for_timeout(300)
    expect(page.locator(".from-position")).to_have_count(0)
    expect(page.locator(".card.chosen strong")).to_have_text("Go")


def test_the_site_s_reason_for_refusing_a_game_is_shown(open_page) -> None:
    page = open_page()

    def refuse(route: Route) -> None:
        route.fulfill(status=503, json={"error": "The site has its maximum of 200 games. Try again in a few minutes."})

    page.route("**/api/bots/play", refuse)
    page.locator(".setup").get_by_role("button", name="Play").click()
    expect(page.get_by_role("alert")).to_contain_text("maximum of 200 games")
    expect(page.locator(".setup").get_by_role("button", name="Play")).to_be_enabled()


def test_the_back_button_leads_from_a_game_to_the_landing_page(open_page) -> None:
    page = open_page()
    begin(page, "Tic-tac-toe")
    page.go_back()
    expect(page.locator(".card.chosen")).to_contain_text("Tic-tac-toe")


def test_the_live_games_link_to_one_s_own_game_to_continue_and_to_others_to_watch(open_page) -> None:
    page = open_page()
    begin(page, "Tic-tac-toe")
    address = page.url
    page.get_by_role("link", name="Play", exact=True).click()
    mine = page.get_by_label("Live games").locator("li").first
    expect(mine).to_contain_text("Continue")
    mine.get_by_role("link").click()
    expect(page.get_by_text("Your turn.")).to_be_visible()
    expect(page).to_have_url(address)
    other = open_page()
    expect(other.get_by_label("Live games").locator("li").first).to_be_visible()
    expect(other.get_by_text("Continue", exact=True)).to_have_count(0)


def test_a_link_to_the_current_page_resets_it(open_page) -> None:
    page = open_page("/games?player=nobody")
    field = page.get_by_label("Player", exact=True)
    expect(field).to_have_value("nobody")
    page.get_by_role("link", name="Games", exact=True).click()
    expect(field).to_have_value("")


def test_a_search_of_games_that_fails_is_reported_and_the_list_stays(open_page) -> None:
    page = open_page("/games?player=nobody")
    expect(page.get_by_text("No games found.")).to_be_visible()
    page.route("**/api/archive**", lambda route: route.fulfill(status=503, json={"error": "Try again later."}))
    page.get_by_role("combobox", name="Result").select_option("Draw")
    expect(page.locator(".line-lost")).to_have_text("Try again later.")
    expect(page.get_by_text("No games found.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/games\?player=nobody&result=draw$"))
    page.unroute("**/api/archive**")
    page.get_by_role("combobox", name="Result").select_option("Any result")
    expect(page.locator(".line-lost")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/games\?player=nobody$"))
