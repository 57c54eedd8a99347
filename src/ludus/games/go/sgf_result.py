"""Reads results in SGF, also as people and servers spell them."""

import re
import unicodedata

from ludus.games.go.sgf import Node

NO_WINNER = {
    **dict.fromkeys(("0", "draw", "jigo", "tie", "持碁", "ジゴ", "和棋", "平局", "무승부", "빅"), "0"),
    **dict.fromkeys(("void", "no result", "both lost", "無勝負", "无胜负"), "Void"),
    "": "",
}
"""Results without a winner: common spellings, and the SGF result."""
WON = re.compile(
    r"(?:(?P<black>b|black|[黑黒흑])|w|white|[白백])"
    r"(?:\s*\+\s*(?P<how>.*)|\s*(?:win|won)\w*\b\s*(?P<words>.*)|(?P<signs>.*(?:[胜勝]|승).*))",
    re.IGNORECASE,
)
HOW_WON = (
    ("R", re.compile(r"r|res.*|.*by resign.*|.*(?:中[盘盤押]|不[计計]|불계).*", re.IGNORECASE)),
    ("T", re.compile(r"t|time.*|.*(?:on|by) time.*|.*(?:超[时時]|時間|时间|시간).*", re.IGNORECASE)),
    ("F", re.compile(r"f|forf.*|.*by forfeit.*", re.IGNORECASE)),
)


def result_in(root: Node) -> str:
    """Return the result in SGF notation: `B+3.5`, `W+R`, `B+`, `0`, `Void`, `?`; empty if the record has none.

    Common spellings of people and servers are read, too (`Black wins by resignation`, `黑中盘胜`, `Both lost`); other
    texts become `?`.
    """
    text = unicodedata.normalize("NFKC", root.text("RE")).strip().rstrip(".")
    if (known := NO_WINNER.get(text.lower())) is not None:
        return known
    won = WON.fullmatch(text)
    if not won:
        return "?"
    how = (won["how"] or won["words"] or won["signs"] or "").strip()
    number = re.fullmatch(r"(\d{1,3}(?:[.,]\d{1,2})?)(?:\s*(?:points?|pts?|目|집))?", how.removeprefix("by "))
    ending = (
        number[1].replace(",", ".") if number else next((sign for sign, kind in HOW_WON if kind.fullmatch(how)), "")
    )
    return f"{'B' if won['black'] else 'W'}+{ending}"
