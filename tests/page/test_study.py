"""The analysis board: a tree of variations, what the engine thinks, positions that are set up; errors in replays."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.page

SHOW_EVALUATION = "localStorage.setItem('ludus.prefs', JSON.stringify({evaluation: true}))"


def moves(page: Page) -> list[str]:
    """Return the moves of the tree, variations included."""
    return page.locator(".variations button.move").all_text_contents()


def play(page: Page, name: str) -> None:
    """Press Enter on a cell."""
    page.locator("svg.board.play").wait_for()
    page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).focus()
    page.keyboard.press("Enter")


def press(page: Page, name: str) -> None:
    """Press Enter on a cell of a board on which a position is put together."""
    page.get_by_role("gridcell", name=re.compile(f"^{name}, ")).focus()
    page.keyboard.press("Enter")


def hold(page: Page, path: str) -> list[Route]:
    """Keep the next thing that the page asks of the site there, until a test lets it go on."""
    held: list[Route] = []
    page.route(path, lambda route: held.append(route), times=1)
    return held


@pytest.mark.full
def test_another_move_begins_a_variation_that_can_be_promoted_and_deleted(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    current = page.locator('.variations [aria-current="true"]')
    expect(current).to_have_text("c3")
    page.locator("h1").focus()
    page.get_by_role("button", name="One move back").click()
    expect(current).to_have_text("a3")
    play(page, "a1")
    expect(current).to_have_text("a1")
    expect(page.locator(".variation")).to_have_count(1)
    assert moves(page) == ["b2", "a3", "c3", "a1"]
    page.get_by_role("button", name="Promote line").click()
    expect(page.locator(".variation")).to_have_text(re.compile("c3"))
    assert moves(page) == ["b2", "a3", "a1", "c3"]
    expect(page).to_have_url(re.compile("#b2%20a3%20a1$"))
    page.get_by_role("button", name="Delete from here").click()
    expect(current).to_have_text("a3")
    assert moves(page) == ["b2", "a3", "c3"]
    page.get_by_role("button", name="To the start").click()
    expect(page.locator("svg.board .piece")).to_have_count(0)
    page.get_by_role("button", name="To the latest position").click()
    expect(current).to_have_text("c3")


def test_the_lines_that_were_tried_are_there_again_when_setting_up_is_called_off(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    play(page, "a1")
    expect(page.locator(".variation")).to_have_count(1)
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a1")
    assert moves(page) == ["b2", "a3", "c3", "a1"]


def test_what_was_drawn_on_one_line_is_not_seen_on_another(open_page, spot) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(2)
    play(page, "a1")
    expect(page.locator("svg.board .piece")).to_have_count(3)
    page.mouse.click(*spot(page, 0, 1), button="right")
    expect(page.locator(".annotations .ring")).to_have_count(1)
    page.get_by_role("button", name="c3").click()
    expect(page.locator(".annotations .ring")).to_have_count(0)


def test_a_line_ends_before_a_number_and_not_behind_it(open_page) -> None:
    page = open_page("/study?spec=chess#e4%20e5%20Nf3%20Nc6%20Bb5%20a6%20Ba4%20Nf6%20O-O%20Nxe4%20d4%20b5%20Bb3%20d5")
    expect(page.locator(".variations .number")).to_have_count(7)
    in_two_lines = (
        "() => [...document.querySelectorAll('.numbered')].filter((one) => one.getClientRects().length > 1).length"
    )
    for width in range(320, 420, 5):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(in_two_lines) == 0, f"{width} pixels"


def test_nothing_is_played_on_a_board_that_is_out_of_date(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board .piece")).to_have_count(3)
    held = []
    one_move = '"actions":[4]'
    page.route(
        "**/api/study", lambda route: held.append(route) if one_move in route.request.post_data else route.continue_()
    )
    with (
        page.expect_request(lambda request: one_move in (request.post_data or "")),
        page.expect_response("**/api/study"),  # the position after two moves, which nobody waits for any more
    ):
        page.get_by_role("button", name="One move back").click(click_count=2)
    page.wait_for_timeout(300)
    expect(page.locator("svg.board.look .piece")).to_have_count(3)
    held[0].continue_()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)


@pytest.mark.full
@pytest.mark.parametrize("name", ["One move back", "Delete from here"])
def test_a_step_that_fails_leaves_the_position_that_is_on_the_board(open_page, name: str) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.route("**/api/study", lambda route: route.abort(), times=1)
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    current = page.locator('.variations [aria-current="true"]')
    expect(current).to_have_text("c3")
    play(page, "a1")
    expect(current).to_have_text("a1")
    assert moves(page) == ["b2", "a3", "c3", "a1"]
    expect(page).to_have_url(re.compile("#b2%20a3%20c3%20a1$"))


def test_the_address_keeps_its_moves_while_the_site_replays_them(open_page, site) -> None:
    page = open_page("/settings")
    page.add_init_script(
        "window.addresses = [];"
        "const replace = history.replaceState;"
        "history.replaceState = function (...all) { window.addresses.push(String(all[2])); replace.apply(this, all); };"
    )
    page.goto(site.url + "/study?spec=tictactoe#b2%20a3")
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("a3")
    expect(page.locator("svg.board .piece")).to_have_count(2)
    page.wait_for_function("window.addresses.length > 0")
    addresses = page.evaluate("window.addresses")
    assert all(address.endswith("#b2%20a3") for address in addresses), addresses


def test_the_engine_s_lines_are_shown_and_can_be_played(open_page) -> None:
    page = open_page("/study?spec=chess#e4")
    page.add_init_script(SHOW_EVALUATION)
    page.reload()
    lines = page.get_by_role("list", name="What the engine considers").get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(page.get_by_role("meter", name="Evaluation")).to_have_attribute("aria-valuenow", "0.1")
    expect(page.locator(".hint-move .arrow")).to_have_count(1)  # SAN names a choice of the board
    expect(lines.first.get_by_role("button")).to_have_count(2)
    told = lines.first.get_by_role("button").all_text_contents()
    lines.first.get_by_role("button").nth(1).click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text(told[1])
    assert moves(page) == ["e4", *told]
    expect(page.get_by_text("Black to move")).to_be_visible()


def set_up(page: Page) -> None:
    """Begin to put a position together."""
    page.get_by_role("button", name="Set up a position").click()
    page.locator("svg.board.arrange").wait_for()


def test_any_position_can_be_written_and_is_in_the_address(open_page) -> None:
    page = open_page("/study?spec=chess")
    set_up(page)
    field = page.get_by_label("As text (FEN)")
    expect(field).to_have_value(re.compile("^rnbqkbnr/"))
    field.fill("8/8/8/8/8/1k6/1p6/3K4 w - - 0 1")
    page.get_by_role("button", name="Read the text").click()
    expect(page.locator("svg.board .piece")).to_have_count(3)
    page.get_by_role("button", name="Analyse this").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.reload()
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    set_up(page)
    expect(field).to_have_value(re.compile("^8/8/8/8/8/1k6/"))
    page.get_by_label("As text").fill("no position")
    page.get_by_role("button", name="Read the text").click()
    expect(page.locator(".fault")).to_contain_text("FEN")
    expect(field).to_have_value("no position")  # to be mended
    expect(page.locator("svg.board .piece")).to_have_count(3)


def test_chess_pieces_are_put_moved_and_removed_and_the_rules_say_what_is_wrong(open_page, spot) -> None:
    page = open_page("/study?spec=chess#e4")
    set_up(page)
    page.get_by_role("button", name="Clear the board").click()
    expect(page.locator("svg.board .piece")).to_have_count(2)  # the kings stay
    page.get_by_title("White pawn").click()
    press(page, "a8")
    expect(page.locator(".fault")).to_have_text("A pawn stands on the first or last rank.")
    expect(page.get_by_role("button", name="Analyse this")).to_be_disabled()
    page.get_by_title("Remove pieces").click()
    press(page, "a8")
    expect(page.locator("svg.board .piece")).to_have_count(2)
    page.get_by_title("White rook").click()
    page.mouse.click(*spot(page, 7, 7))
    page.get_by_title("Move pieces", exact=True).click()
    page.mouse.move(*spot(page, 0, 4))
    page.mouse.down()
    page.mouse.move(*spot(page, 3, 3), steps=3)
    page.mouse.up()
    expect(page.get_by_role("gridcell", name=re.compile("^d5, .*king"))).to_have_count(1)
    page.get_by_label("White O-O-O").uncheck()
    expect(page.get_by_label("As text (FEN)")).to_have_value("8/8/8/3k4/8/8/8/4K2R b K - 0 1")
    page.locator(".details").get_by_text("White", exact=True).click()
    expect(page.get_by_role("status").first).to_have_text("White to move.")
    page.get_by_role("button", name="Analyse this").click()
    page.locator("svg.board.play").wait_for()
    play(page, "e1")
    play(page, "g1")
    expect(page.locator(".variations button.move")).to_have_text("O-O")


def test_a_piece_that_was_moved_by_two_clicks_is_not_chosen_any_more(open_page) -> None:
    page = open_page("/study?spec=chess")
    set_up(page)
    page.get_by_title("Move pieces", exact=True).click()
    for name in ("e1", "e3", "e3", "e1", "d1", "d4"):
        press(page, name)
    expect(page.get_by_role("gridcell", name=re.compile("^e1, .*king"))).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^d4, .*queen"))).to_have_count(1)
    press(page, "e1")
    press(page, "e8")  # the kings change places, and none is in the hand
    press(page, "d8")
    press(page, "d5")
    expect(page.get_by_role("gridcell", name=re.compile("^d5, .*queen"))).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^e1, .*king"))).to_have_count(1)


def test_stones_and_walls_are_put_and_a_bot_plays_on_from_there(open_page, spot) -> None:
    page = open_page()
    page.locator(".card", has=page.get_by_text("Go", exact=True)).click()
    page.get_by_role("link", name="Set up a position yourself").click()
    page.locator("svg.board.arrange").wait_for()
    for row, column in ((2, 2), (1, 1)):
        page.mouse.click(*spot(page, row, column))
    page.get_by_title("White stone").click()
    page.mouse.click(*spot(page, 1, 1))
    page.locator(".details").get_by_text("White", exact=True).click()
    expect(page.get_by_role("status").first).to_have_text("White to move.")
    page.get_by_role("button", name="Analyse this").click()
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".from-position .piece")).to_have_count(2)
    page.locator(".setup").get_by_title("Second", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/*")
    expect(page.locator("svg.board.play .piece")).to_have_count(2)

    page.goto(page.url.split("/game/")[0] + "/study?spec=wallgame:classic:5x5")
    set_up(page)
    page.get_by_title("Walls", exact=True).click()
    page.mouse.click(*spot(page, 2, 1.5))
    page.get_by_title("Player 1's cat").click()
    page.mouse.click(*spot(page, 2, 2))
    page.get_by_role("button", name="Analyse this").click()
    expect(page.locator("svg.board.play .wall")).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^c3, .*cat"))).to_have_count(1)


def test_a_board_beyond_the_catalogue_is_set_up_analysed_and_played_from(open_page, spot) -> None:
    page = open_page()
    page.locator(".card", has=page.get_by_text("Go", exact=True)).click()
    page.locator(".setup").get_by_text("13 \u00d7 13", exact=True).click()
    page.get_by_role("link", name="Set up a position yourself").click()
    page.locator("svg.board.arrange").wait_for()
    page.mouse.click(*spot(page, 2, 2))
    page.get_by_role("button", name="Analyse this").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)
    play(page, "N13")
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".from-position .piece")).to_have_count(2)
    page.locator(".setup").get_by_text("A friend", exact=True).click()
    page.get_by_role("button", name="Make a link for a friend").click()
    expect(page.locator(".waiting")).to_contain_text("13 \u00d7 13")
    expect(page.locator(".waiting .piece")).to_have_count(2)


def test_whoever_plays_and_goes_on_before_the_site_has_answered_goes_on_from_there(open_page) -> None:
    for kind, name, where in (
        ("button", "Set up a position", "svg.board.arrange"),
        ("link", "Play from here", ".from-position"),
    ):
        page = open_page('/study?spec=go:5x5&setup={"black":"A1","to_play":"white"}')
        page.locator("svg.board.play").wait_for()
        held = hold(page, "**/api/study")
        with page.expect_request("**/api/study"):
            play(page, "C3")
        page.get_by_role(kind, name=name).click()
        expect(page.locator("svg.board.look .piece")).to_have_count(1)
        held.pop().continue_()
        expect(page.locator(f"{where} .piece")).to_have_count(2)


def test_a_position_is_analysed_at_once_however_long_the_site_looks_at_it(open_page, spot) -> None:
    page = open_page("/study?spec=go:5x5&arrange=yes")
    expect(page.locator(".arranging [role=status]")).to_contain_text("to move")  # the first position has been looked at
    held = hold(page, "**/api/study/arrange")
    with page.expect_request("**/api/study/arrange"):
        page.mouse.click(*spot(page, 2, 2))
    page.get_by_role("button", name="Analyse this").click()
    expect(page.locator("svg.board.arrange .piece")).to_have_count(1)
    held.pop().continue_()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)


def test_a_text_that_is_analysed_before_the_site_has_read_it_is_what_is_analysed(open_page) -> None:
    page = open_page("/study?spec=chess")
    set_up(page)
    expect(page.get_by_label("As text (FEN)")).to_have_value(re.compile("^rnbqkbnr/"))
    held = hold(page, "**/api/study/kit")
    page.get_by_label("As text (FEN)").fill("8/8/8/8/8/1k6/1p6/3K4 w - - 0 1")
    with page.expect_request("**/api/study/kit"):
        page.get_by_role("button", name="Read the text").click()
    expect(page.locator("svg.board.look .piece")).to_have_count(32)  # a click on it would be lost
    page.get_by_role("button", name="Analyse this").click()
    held.pop().continue_()
    expect(page.locator("svg.board.play .piece")).to_have_count(3)


def test_a_text_that_is_read_too_late_leads_nobody_back(open_page) -> None:
    page = open_page("/study?spec=tictactoe&arrange=yes")
    page.get_by_role("link", name="Analysis").wait_for()
    page.goto(page.url.replace("tictactoe", "chess"))
    held = hold(page, "**/api/read")
    page.get_by_label("or a whole game").fill("1. e4 e5 *")
    with page.expect_request("**/api/read"):
        page.get_by_role("button", name="Read the text").click()
    page.get_by_role("link", name="Learn").click()
    with page.expect_response("**/api/shared"):
        held.pop().continue_()
    page.wait_for_timeout(300)
    expect(page).to_have_url(re.compile("/learn$"))


def test_the_link_to_a_position_that_the_site_still_replays_leads_there(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    held = hold(page, "**/api/study")
    with page.expect_request("**/api/study"):
        page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="Link to this position").click()
    held.pop().continue_()
    page.wait_for_function("() => window.copied")
    assert page.evaluate("window.copied").endswith("/study?spec=tictactoe#b2%20a3")


def test_a_step_that_fails_after_another_was_made_is_no_news(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2%20a3%20c3")
    expect(page.locator("svg.board.play .piece")).to_have_count(3)
    held = hold(page, "**/api/study")
    with page.expect_request("**/api/study"):
        page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="To the start").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(0)
    with page.expect_event("requestfailed"):
        held.pop().abort()
    page.wait_for_timeout(300)
    expect(page.locator(".notice")).to_have_count(0)


@pytest.mark.parametrize("query", ["spec=go:99x99", "spec=chess&setup=nonsense"])
def test_whoever_comes_with_nothing_that_can_be_set_up_begins_with_the_usual_game(open_page, query: str) -> None:
    page = open_page(f"/study?{query}&arrange=yes")
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect(page.locator("svg.board.arrange .piece")).to_have_count(32)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(32)


def test_setting_a_position_up_can_be_called_off_while_the_site_is_away(open_page) -> None:
    page = open_page("/study?spec=tictactoe#b2")
    page.route("**/api/study/kit", lambda route: route.abort())
    page.get_by_role("button", name="Set up a position").click()
    expect(page.locator(".fault")).to_contain_text("cannot be reached")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("svg.board.play .piece")).to_have_count(1)


def test_a_game_without_positions_of_its_own_says_so(open_page) -> None:
    page = open_page("/study?spec=tictactoe")
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_text("reached by playing to them")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("svg.board.play")).to_be_visible()


def test_points_where_black_may_not_play_are_shown(open_page) -> None:
    page = open_page("/study?spec=gomoku:renju:9x9#e5%20a1%20f5%20a9%20g6%20i1%20g7%20i9")
    expect(page.locator(".mark.forbidden")).to_have_count(1)
    expect(page.get_by_role("gridcell", name=re.compile("^g5, .*forbidden"))).to_have_count(1)


@pytest.mark.full
def test_a_replay_marks_what_cost_much_and_leads_to_the_analysis_board(open_page, site) -> None:
    site.bot.opinions = {1: -0.7}
    page = open_page()
    page.add_init_script(SHOW_EVALUATION)
    page.reload()
    page.locator(".card", has_text="Tic-tac-toe").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.locator(".setup").get_by_role("button", name="Play").click()
    for name in ("b2", "a2", "c2"):
        play(page, name)
        expect(page.locator("button.move").filter(has_text=name)).to_have_count(1)
        page.locator("svg.board.play, .status.result").first.wait_for()
    expect(page.locator(".status.result")).to_contain_text("You won")
    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay/*")
    expect(page.locator("button.move .verdict")).to_have_text(["??", "??"])
    expect(page.locator(".evaluation-graph .slip.blunder")).to_have_count(2)
    expect(page.locator(".slips")).to_have_text(re.compile("1 blunder.*1 blunder"))
    expect(page.locator(".ownership rect")).to_have_count(0)
    site.bot.owners = [[1.0, -1.0, 0.0]] * 3
    page.reload()
    page.get_by_role("button", name="One move forward").click()
    expect(page.locator(".ownership rect")).to_have_count(6)  # a cross that will be lost is marked, too
    page.get_by_role("link", name="Analyse").click()
    expect(page.locator(".variations button.move")).to_have_count(5)


def test_an_address_with_a_stray_percent_sign_still_shows_the_page(open_page) -> None:
    page = open_page("/study?spec=tictactoe#%zz")
    expect(page.get_by_role("link", name="Analysis")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("%zz")


def test_a_pasted_game_that_nobody_evaluated_has_no_bar(open_page) -> None:
    page = open_page("/games")
    page.evaluate(SHOW_EVALUATION)
    page.reload()
    page.get_by_label("What was downloaded here").fill('[Event "?"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *')
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("button.move")).to_have_count(3)
    expect(page.get_by_role("meter")).to_have_count(0)
