"""Documents can be read at first reading: short pages that say for whom they are, in sentences that end."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
PROSE = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md"]
MOST_WORDS = 40


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_a_page_says_for_whom_it_is():
    one_page_each = ROOT / "docs/explanation/decisions"  # whose index says it of all
    pages = [page for page in PAGES if page.parent != one_page_each or page.name == "README.md"]
    opening = re.compile(r"# .+\n\nFor (people|everybody) ")
    assert [name(page) for page in pages if page != ROOT / "README.md" and not opening.match(page.read_text())] == []


def test_a_line_of_the_changelog_has_120_characters_at_most():
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    assert [line for line in lines if len(line) > 120] == []


def test_a_sentence_has_40_words_at_most():
    long = [
        f"{name(page)}: {sentence}"
        for page in PROSE
        for sentence in sentences(page.read_text())
        if len(sentence.split()) > MOST_WORDS
    ]
    assert not long, "\n".join(long)


def sentences(text: str) -> list[str]:
    """Return the sentences outside tables and code; a list's entry ends the sentence before it, code is one word."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^[|#].*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "Code", text))
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text)
    end = re.compile(r"(?<=[.:;?!])[*)]*\s+(?=[A-Z0-9*\[(])")
    return [each for block in blocks if block.strip() for each in end.split(" ".join(block.split()))]


TEXTS = {
    "One. Two: `x` y; Three": 4,
    "- a\n  b.\n- c": 2,
    "| a. B. C |\n\nd": 1,
    "```\nA. B.\n```\nc [d](e.f G) h": 1,
}


@pytest.mark.parametrize("text", TEXTS)
def test_sentences_are_told_apart(text):
    assert len(sentences(text)) == TEXTS[text]
