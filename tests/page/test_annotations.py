"""Comments, signs and variations of a recorded game are shown, carried by links and exported."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.page

PGN = """[Event "?"]
[White "Ann"]

{A short game.} 1. e4! {[%clk 0:01:00] best by test} e5 (1... c5 2. Nf3 {Sicilian} (2. Qa8)) 2. Nf3 $6 Nc6 1-0
"""
SGF = "(;GM[1]SZ[5]C[Go];B[cc]C[centre]TR[cc]LB[aa:A](;W[bb];B[dd])(;W[dd]BM[1]C[a mistake]))"


def opened(open_page, text: str, **settings) -> Page:
    """Open a pasted game."""
    page = open_page("/games", **settings)
    page.get_by_label("A game downloaded here").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page).to_have_url(re.compile("/shared#"))
    return page


def moves(page: Page, *texts: str) -> None:
    expect(page.locator(".variations button.move")).to_have_text(list(texts))


def test_a_pasted_game_shows_its_comments_and_variations_and_says_what_is_left_out(open_page) -> None:
    page = opened(open_page, PGN)
    expect(page.locator(".notices")).to_contain_text("'Qa8' may not be played here")
    moves(page, "e4!", "e5", "c5", "Nf3", "Nf3?!", "Nc6")
    expect(page.locator(".variations .comment")).to_have_text(["A short game.", "best by test", "Sicilian"])
    page.get_by_role("button", name="Nf3?!").click()
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("Nf3?!")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    text = download.value.path().read_text()
    assert (
        "{A short game.} 1. e4 $1 {[%clk 0:01:00] best by test} 1... e5 (1... c5 2. Nf3\n{Sicilian}) 2. Nf3 $6 Nc6"
        in text
    )


def test_a_variation_of_a_shared_game_is_opened_for_analysis_and_survives_a_reload(open_page) -> None:
    page = opened(open_page, PGN)
    page.locator(".variation").get_by_role("button", name="c5").click()
    expect(page).to_have_url(re.compile("/study.*#e4%20c5$"))
    moves(page, "e4!", "e5", "c5", "Nf3", "Nf3?!", "Nc6")
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("c5")
    page.reload()
    expect(page.locator(".variations .comment")).to_have_text(["A short game.", "best by test", "Sicilian"])


def test_a_game_of_go_pasted_into_the_position_field_keeps_its_variations(open_page) -> None:
    page = open_page("/study?spec=chess&arrange=yes")
    expect(page.locator(".arranging [role=status]")).to_contain_text("to move")
    page.get_by_label("or a whole game").fill(SGF)
    page.get_by_role("button", name="Load", exact=True).click()
    moves(page, "C3", "B4", "D2?", "D2")
    expect(page.locator(".variations .comment")).to_have_text(["Go", "centre", "a mistake"])


def test_marks_of_a_game_are_shown_where_they_belong_and_the_tree_is_downloaded_with_them(open_page, play) -> None:
    page = opened(open_page, SGF)
    marks = page.locator("svg.board .mark.triangle")
    expect(marks).to_have_count(0)
    page.get_by_role("button", name="C3").click()
    expect(marks).to_have_count(1)
    expect(page.locator("svg.board").get_by_text("A", exact=True).first).to_be_visible()
    page.get_by_role("link", name="Analyse").click()
    expect(marks).to_have_count(1)
    expect(page.locator('.variations [aria-current="true"]')).to_have_text("C3")
    play(page, "A1")
    moves(page, "C3", "B4", "D2?", "A1", "D2")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "go-analysis.sgf"
    text = "".join(download.value.path().read_text().splitlines())
    assert "C[Go];B[cc]C[centre]TR[cc]LB[aa:A](;W[bb];B[dd])(;W[dd]C[a mistake]BM[1])(;W[ae])" in text
