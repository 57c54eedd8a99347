"""What the page writes can be typed: every text of a move that it shows is played by its field for typed moves.

The field's code runs in node; the positions are those of random games by the rules of every game and every example.
"""

import random
import subprocess
from pathlib import Path

import msgspec
import pytest

import ludus
from ludus.games.game import Position

pytestmark = pytest.mark.page

ROOT = Path(__file__).parents[2]
TYPED = (ROOT / "web/src/board/typed.ts").as_uri()
FILTER = f"""
import {{ createInterface }} from "node:readline";
import {{ typed }} from "{TYPED}";
for await (const line of createInterface({{ input: process.stdin }})) {{
    const {{ text, board }} = JSON.parse(line);
    console.log(JSON.stringify(typed(text, board.choices, board.edges)));
}}
"""
GAMES = (
    "tictactoe",
    "connect4",
    "chess",
    "chess:960",
    "go:5x5:marking",
    "go:5x5:button",
    "go:9x9:japanese:handicap=2:marking",
    "gomoku:7x7",
    "gomoku:renju:9x9:swap2",
    "wallgame:classic:5x5:short",
    "wallgame:standard:6x6:short",
    "wallgame:freestyle:12x10:short",
    "wallgame:survival:5x5:short",
)
EXAMPLES = ("amazons", "breakthrough", "dots", "hex", "kalah", "morris", "othello")
MOST_ACTIONS = 120


class Field:
    """The page's field for typed moves."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def find(self, text: str, position: Position) -> dict[str, str | int]:
        """Return the action with which a text begins and the rest of the text, or the fault that the page shows."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(msgspec.json.encode({"text": text, "board": position.describe()}).decode() + "\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline())

    def after(self, text: str, position: Position) -> Position:
        """Return the position after a typed text, of which the page plays one action after the other."""
        mover, rest = position.to_play, text
        while rest:
            assert not position.outcome, f"{text}: {rest} comes after the end of the game"
            assert position.to_play == mover, f"{text}: {rest} comes after the end of the move"
            found = self.find(rest, position)
            assert "fault" not in found, f"{text}: {found}"
            position, rest = position.play(int(found["action"])), str(found["rest"])
        return position


@pytest.fixture(scope="module")
def field(request):
    node = request.getfixturevalue("load_program")("web/build.py").node()
    command = [node, "--input-type=module", "--eval", FILTER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        yield Field(process)
        process.stdin.close()


def random_game(name: str, seed: int) -> Position:
    """Return the last position of a random game, which does not end by passes or marks more often than it must."""
    draw = random.Random(seed)
    position = ludus.game(name).start()
    while not position.outcome and position.num_actions_played < MOST_ACTIONS:
        position = position.play(draw.choice(position.actions))
    return position


@pytest.mark.parametrize("name", [*GAMES, *(str(ROOT / "examples" / f"{each}.py") for each in EXAMPLES)])
def test_every_text_of_a_move_is_played_when_it_is_typed(field, name):
    last = random_game(name, seed=1)
    line = last.history
    starts = [0, *(at for at in range(1, len(line)) if line[at].to_play != line[at - 1].to_play)]
    for number, start in enumerate(starts[:-1]):
        begin, end = line[start], line[starts[number + 1]]
        after = field.after(last.moves[number], begin)
        if after.to_play == begin.to_play and not after.outcome:  # a move of fewer actions than usual: a button ends it
            (button,) = [choice for choice in after.describe().choices if choice.kind == "button"]
            after = after.play(button.action)
        assert after.state.tobytes() == end.state.tobytes(), last.moves[number]
    for position in [line[at] for at in starts[:: max(1, len(starts) // 12)]]:
        for choice in position.describe().choices:
            names = [choice.text, choice.move, choice.label if choice.kind == "button" else None]
            for text in filter(None, names):
                found = field.find(text, position)
                assert found == {"action": choice.action, "rest": ""}, f"{text} means {found}"
