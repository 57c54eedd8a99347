"""The gate of a run: a new network plays the one that makes the games, and takes its place only if it is better.

Off by default.  The learner goes on from its newest weights whatever the gate says; the gate decides who plays.
"""

from __future__ import annotations

from ludus.loop.preset import Preset
from ludus.loop.stages.measure import meet, name_of, player_of
from ludus.loop.stages.stage import Stage

WAVE = 20
"""Pairs after which a sequential test is asked whether it has decided."""


def choose_player(stage: Stage, generation: int, playing: int | None) -> int:
    """Return the generation whose network plays from now on: the new one, or the one that has played so far.

    The match is one of the run's, and is not played again after an interruption.  That of a sequential test only
    decides: it ends when it is clear, so that its score is overstated, and the generation is measured without it.

    Args:
        stage: the run.
        generation: the new one, whose network has been learned.
        playing: the generation whose network has played so far; None: there was none.

    Raises:
        Unavailable: the disk refuses.
    """
    gate = stage.preset.gate
    if gate.kind == "off" or playing is None:
        return generation
    names = name_of(generation), name_of(playing)
    known = [match for match in stage.folder.matches() if (match.a, match.b) == names]
    if known:
        result = known[0]
    else:
        stage.tell(generation, "matches", 0, 1)
        result = meet(
            stage,
            generation,
            player_of(stage, generation),
            player_of(stage, playing),
            pairs=most_pairs(stage.preset),
            at_once=None if gate.kind == "score" else WAVE,
            is_over=None if gate.kind == "score" else lambda pairs: gate.passes(pairs, is_last=False) is not None,
        )
        stage.folder.note(result)
        stage.hear(result)
    return generation if gate.passes(result.pairs, is_last=True) else playing


def most_pairs(preset: Preset) -> int:
    """Return how many pairs of games the gate's match has, which a sequential test may end earlier; 0: no gate."""
    gate = preset.gate
    return {"off": 0, "score": preset.match.pairs, "sprt": gate.most_pairs}[gate.kind]
