"""Who sees what an engine thinks: bots and people, players and spectators, and how it is said."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

PHONE = {"width": 390, "height": 844}
WANTED = "localStorage.setItem('ludus.prefs', JSON.stringify({evaluation: true}))"
"""The evaluation is switched on, as remembered from another game."""


def meter(page: Page):
    """Return the evaluation bar."""
    return page.get_by_role("meter", name="Win chance")


def invite(page: Page, *, with_bar: bool, kind: str = "A friend") -> str:
    """Open a game of Connect Four for a person; return its path."""
    page.evaluate(WANTED)
    page.reload()
    page.locator(".card", has_text="Connect Four").click()
    page.locator(".setup").get_by_text(kind, exact=True).click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    if with_bar:
        page.get_by_role("switch", name="Evaluation bar").check()
    page.get_by_role("button", name=re.compile("Create a link|Offer a seat")).click()
    expect(page.get_by_text(re.compile("^ ?Waiting for"))).to_be_visible()
    return "/game/" + page.url.rsplit("/", 1)[1]


def both(open_page, *, with_bar: bool) -> tuple[Page, Page, str]:
    """Return the two players' pages of a game, in which both have the evaluation switched on, and its path."""
    host = open_page()
    path = invite(host, with_bar=with_bar)
    friend = open_page(viewport=PHONE)
    friend.evaluate(WANTED)
    friend.goto(friend.url.rstrip("/") + path)
    friend.get_by_role("button", name="Take the seat").click()
    for page in (friend, host):
        page.locator(".table svg.board").wait_for()
    return host, friend, path


def drop(page: Page, column: int) -> None:
    """Drop a disc by keyboard."""
    page.locator("svg.board.play").wait_for()
    page.locator(f'[data-cell="0,{column}"]').focus()
    page.keyboard.press("Enter")


def test_against_a_bot_the_judge_helps_and_says_win_chances_with_their_label(open_page) -> None:
    page = open_page()
    page.locator(".card", has_text="Connect Four").click()
    page.locator(".setup").get_by_title("First", exact=True).click()
    page.get_by_role("button", name="Play ", exact=False).last.click()
    page.get_by_role("button", name="Evaluation").click()
    expect(page.locator(".evaluation-number")).to_contain_text("50 %")
    expect(page.locator(".evaluation-number")).to_contain_text("win chance")
    expect(page.locator(".best-move")).to_contain_text("Best:")
    expect(page.get_by_text("Help is allowed against a bot")).to_be_visible()
    drop(page, 3)
    expect(meter(page)).to_have_attribute("aria-valuetext", re.compile("^You: 60 % win chance$"))
    expect(page.locator(".chances")).to_contain_text("Win chance")
    expect(page.locator("button.move").last).to_have_attribute("title", "Win chance after this move: 40 %")


def test_between_people_a_remembered_switch_brings_no_help_and_spectators_are_announced(open_page) -> None:
    host, friend, path = both(open_page, with_bar=False)
    drop(host, 3)
    expect(friend.locator("button.move")).to_have_count(1)
    for page in (host, friend):
        expect(
            page.get_by_role("button", name="Turn the board").or_(page.get_by_role("button", name="Type moves")).first
        ).to_be_visible()
        expect(page.get_by_role("button", name="Evaluation")).to_have_count(0)
        expect(meter(page)).to_have_count(0)
        expect(page.locator(".best-move")).to_have_count(0)
    spectator = open_page(path)
    expect(meter(spectator)).to_have_count(0)
    spectator.get_by_role("button", name="Evaluation").click()
    expect(meter(spectator)).to_have_attribute("aria-valuetext", re.compile("55 % win chance"))
    expect(spectator.locator(".best-move")).to_contain_text("Best:")
    for page in (host, friend):
        expect(page.get_by_text("1 spectator watches with evaluation")).to_be_visible()
        expect(meter(page)).to_have_count(0)
    spectator.get_by_role("button", name="Evaluation").click()
    expect(host.get_by_text("watches with evaluation")).to_have_count(0)
    drop(friend, 2)  # until both have moved, a game can only be aborted
    host.get_by_role("button", name="Resign").click()
    host.get_by_role("button", name="Yes, resign").click()
    for page in (host, friend):  # now everything is open
        expect(meter(page)).to_have_attribute("aria-valuetext", re.compile("win chance"))
        expect(page.get_by_role("button", name="Evaluation")).to_have_attribute("aria-pressed", "true")


def test_a_player_is_a_player_also_in_a_tab_without_the_seat(open_page) -> None:
    host, _, path = both(open_page, with_bar=False)
    other = host.context.new_page()
    other.goto(host.url)
    other.evaluate("localStorage.clear()")
    other.evaluate(WANTED)
    other.reload()
    expect(other.get_by_text("You are watching.")).to_be_visible()
    expect(other.get_by_text("Between people, players see evaluations after the game")).to_be_visible()
    expect(other.locator(".best-move")).not_to_contain_text("Best:")
    assert path in other.url


def test_an_agreed_bar_is_shown_to_both_without_best_moves(open_page) -> None:
    host = open_page()
    path = invite(host, with_bar=True, kind="Anyone")
    lobby = open_page()
    expect(lobby.get_by_role("region", name="Open seats")).to_contain_text("with evaluation")
    friend = open_page(path, viewport=PHONE)
    expect(friend.locator(".terms")).to_contain_text("with evaluation")
    expect(friend.get_by_text("both of you see win chances during the game")).to_be_visible()
    friend.get_by_role("button", name="Take the seat").click()
    drop(host, 3)
    for page in (host, friend):
        expect(meter(page)).to_have_attribute("aria-valuetext", re.compile("55 % win chance"))
        expect(page.get_by_text("Both players see the evaluation bar")).to_be_visible()
        expect(page.locator(".best-move")).to_contain_text("win chance")
        expect(page.locator(".best-move")).not_to_contain_text("Best:")
        expect(page.locator(".evaluation-graph")).to_have_count(0)
    friend.get_by_role("button", name="Evaluation").click()
    expect(meter(friend)).to_have_count(0)
    expect(meter(host)).to_have_count(1)
    drop(friend, 2)
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("button", name="Yes, resign").click()
    expect(host.locator(".best-move")).to_contain_text("Best:")


def test_a_rated_game_offers_no_evaluation_bar(open_page) -> None:
    page = open_page("/settings")
    page.get_by_label("Name", exact=True).fill("Carla")
    page.get_by_label("Password", exact=True).fill("correct horse battery")
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("heading", name="Carla")).to_be_visible()
    page.goto(page.url.replace("/settings", "/"))
    page.locator(".card", has_text="Connect Four").click()
    page.locator(".setup").get_by_text("A friend", exact=True).click()
    expect(page.get_by_role("switch", name="Evaluation bar")).to_be_visible()
    page.locator(".setup").get_by_role("switch", name="Rated").check()
    expect(page.get_by_role("switch", name="Evaluation bar")).to_have_count(0)


def test_without_an_engine_a_sentence_says_so(open_page) -> None:
    page = open_page("/study?spec=go:13x13")
    page.evaluate(WANTED)
    page.reload()
    expect(page.get_by_text("No engine that can judge this board is connected.")).to_be_visible()
