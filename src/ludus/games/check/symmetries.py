"""Checks the law `symmetry`, and finds symmetries that are declared twice."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from ludus.games.check.guard import Broken, Guarded
from ludus.games.check.laws import Sight, look
from ludus.games.game import Game
from ludus.games.rules import ONGOING, State


class SameSymmetries:
    """The pairs of symmetries that were the same at all positions so far; symmetry 0 is the identity."""

    def __init__(self, game: Game) -> None:
        """Start with all pairs."""
        self._pairs = list(combinations(range(game.num_symmetries), 2))
        self._was_told = False

    def note(self, images: list[State], moved: list[list[int]]) -> None:
        """Drop the pairs that differ at a position: in its images, or in the images of its legal actions."""
        self._was_told = True
        self._pairs = [
            (one, other)
            for one, other in self._pairs
            if images[one].tobytes() == images[other].tobytes() and moved[one] == moved[other]
        ]

    def notice(self) -> str:
        """Return a sentence about symmetries that are the same, without a period; empty if there are none."""
        if not self._pairs or not self._was_told:
            return ""
        one, other = self._pairs[0]
        what = f"symmetry {other} changes nothing" if one == 0 else f"symmetries {one} and {other} are the same"
        return f"{what} in all positions seen; each number below num_symmetries needs a symmetry of its own"


def check_symmetries(
    rules: Guarded, state: State, sight: Sight, actions: Sequence[int], legal: Sequence[int], same: SameSymmetries
) -> None:
    """Check that each symmetry commutes with all rules.

    Args:
        rules: the rules.
        state: the position.
        sight: the rules' answers at the position.
        actions: legal actions to play before and after each symmetry.
        legal: legal actions whose images are checked; all of them, or a random choice.
        same: is told the images.
    """
    symmetries = range(1, rules.game.num_symmetries)
    images = [state, *(_image(rules, state, symmetry) for symmetry in symmetries)]
    for symmetry in symmetries:
        for second in symmetries:
            _check_is_one_of(images, rules.symmetric_state(images[symmetry], second), f"{symmetry} and then {second}")
    moved = [list(legal)]
    for symmetry in symmetries:
        name, image = f"symmetry {symmetry}", images[symmetry]
        try:
            seen = look(rules, image)
        except Broken as broken:
            raise Broken(broken.law, f"{broken.what}, in the state that {name} makes of this one") from broken
        for field in ("to_play", "outcome"):
            if (there := getattr(seen, field)) != (here := getattr(sight, field)):
                raise Broken("symmetry", f"{name} changes {field}() from {here} to {there}")
        if ONGOING not in (seen.foreseen, sight.foreseen) and seen.foreseen != sight.foreseen:
            raise Broken("symmetry", f"{name} changes foresee() from {sight.foreseen} to {seen.foreseen}")
        moved.append(_symmetric_actions(rules, state, symmetry, legal, seen, len(sight.legal)))
        for field in ("planes", "maps"):
            _check_values(rules.game, name, field, getattr(sight, field), getattr(seen, field))
        for action in actions:
            there = rules.play(image, rules.number("symmetric_action", state, symmetry, action))
            here = rules.symmetric_state(rules.play(state, action), symmetry)
            if there.tobytes() != here.tobytes():
                item = int(np.argmax(there != here))
                what = f"item {item} of the state becomes {here[item]} if action {action} is played first"
                raise Broken("symmetry", f"{name}: {what}, and {there[item]} if its image is played afterwards")
    same.note(images, moved)


def _image(rules: Guarded, state: State, symmetry: int) -> State:
    image = rules.symmetric_state(state, symmetry)
    if np.any(unwritten := rules.symmetric_state(state, symmetry, dirt=1) != image):
        what = f"does not write item {int(np.argmax(unwritten))} of `out`; it must write all items"
        raise Broken("symmetry", f"symmetry {symmetry}: symmetric_state() {what}")
    return image


def _check_is_one_of(images: list[State], state: State, name: str) -> None:
    """Check that two symmetries in a row lead to one of the images; otherwise name an item that differs."""
    distances = [np.count_nonzero(image != state) for image in images]
    nearest = int(np.argmin(distances))
    if distances[nearest]:
        image = images[nearest]
        item = int(np.argmax(image != state))
        what = f"item {item} of the state is {state[item]}, while symmetry {nearest} makes it {image[item]}"
        like = what if nearest else f"item {item} of the state becomes {state[item]}, and not {image[item]} again"
        raise Broken("symmetry", f"symmetry {name} is not one of the game's symmetries: {like}")


def _symmetric_actions(
    rules: Guarded, state: State, symmetry: int, legal: Sequence[int], seen: Sight, num_legal: int
) -> list[int]:
    """Return the images of some legal actions, which must be different legal actions of the symmetric state."""
    moved = [rules.number("symmetric_action", state, symmetry, action) for action in legal]
    there = set(seen.legal)
    for action, image in zip(legal, moved, strict=True):
        if image not in there:
            what = f"legal action {action} becomes {image}, which is not legal in the symmetric state"
            raise Broken("symmetry", f"symmetry {symmetry}: {what}")
    for (image, action), (next_image, next_action) in pairwise(sorted(zip(moved, legal, strict=True))):
        if image == next_image:
            raise Broken("symmetry", f"symmetry {symmetry}: actions {action} and {next_action} both become {image}")
    if num_legal != len(there):
        what = f"{num_legal} actions are legal, and {len(there)} in the symmetric state"
        raise Broken("symmetry", f"symmetry {symmetry}: {what}")
    return moved


def _check_values(game: Game, name: str, field: str, before: bytes, after: bytes) -> None:
    """Check that planes (or maps) hold the same numbers, perhaps in another order, since symmetries may swap planes."""
    one, other = (_sorted_numbers(game, layers) for layers in (before, after))
    if sorted(one) != sorted(other):
        kind = field[:-1]
        number = next(number for number, values in enumerate(other) if other.count(values) > one.count(values))
        what = (
            f"{kind} {number} of the symmetric state holds numbers that no {kind} held before; numbers may move with "
            "their cells, but not change, so mark a cell instead of writing a direction or a number of a cell"
        )
        raise Broken("symmetry", f"{name}: {what}")


def _sorted_numbers(game: Game, layers: bytes) -> list[list[int]]:
    return np.sort(np.frombuffer(layers, np.uint8).reshape(-1, game.planes[1] * game.planes[2]), axis=1).tolist()
