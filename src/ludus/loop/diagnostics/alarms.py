"""Alarms: what a generation's figures say when a run does not learn, each with what to try."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from statistics import median
from typing import NamedTuple

from ludus.arena.share import interval_of
from ludus.learner.losses import Losses
from ludus.loop.directory.lines import Alarm, Facts, NetworkProbe, Side

FEW_GAMES = 50  # with fewer, shares say little
RESIGNING = 4  # generations whose resignations are judged together
FEW_POSITIONS = 100  # of one mover
MOST_WRONG = 0.05  # of the resignations (AlphaGo Zero)
BODY = ("stem", "blocks")  # may be frozen on purpose (`network.frozen_generations`)


class GenerationFigures(NamedTuple):
    """What the alarms look at in a generation."""

    facts: Facts
    losses: Losses
    probe: NetworkProbe | None
    played_out: int = 0
    """Games in which nobody might resign, and somebody would have."""
    wrongly_resigned: int = 0
    """Of those, not lost by who would have."""
    steps_asked: int = 0
    """Training steps that `learner.passes` asks for; 0: not known."""


Found = Generator[tuple[str, str]]


def alarms(history: Sequence[GenerationFigures], *, clip: float) -> list[Alarm]:
    """Return what is wrong with the last generation of `history`, which begins with generation 0.

    Args:
        history: the generations so far.
        clip: the norm to which larger gradients are scaled down (`learner.gradient_norm`).
    """
    return [Alarm(kind, text) for check in CHECKS for kind, text in check(history, clip)]


def _losses(history: Sequence[GenerationFigures], clip: float) -> Found:
    now = history[-1].losses
    norms = [seen.losses.gradient_norm for seen in history[:-1]]
    if now.gradient_norm > 4.0 * clip or (len(norms) >= 2 and now.gradient_norm > 10.0 * median(norms) > 0.0):
        yield (
            "gradients",
            f"gradients are large (mean norm {now.gradient_norm:.1f}, clipped at {clip:g}): lower "
            "learner.learning_rate, and look for a target that cannot be right.",
        )
    if now.validation_policy is not None and now.validation_outcome is not None:
        policy, outcome = now.validation_policy - now.policy, now.validation_outcome - now.outcome
        if policy > 0.25 * now.policy + 0.1 or outcome > 0.25 * now.outcome + 0.1:
            yield (
                "overfitting",
                f"the network knows its games by heart (losses on games it never saw are higher: policy {policy:+.2f}, "
                f"outcome {outcome:+.2f}): play more games, lower learner.passes, or take a smaller network.",
            )
    total = [seen.losses.policy + seen.losses.outcome for seen in history[-4:]]
    gains = [_gain(seen.probe) for seen in history[-4:] if seen.probe]
    if len(total) == 4 and total[-1] > total[0] + 0.1 and len(gains) == 4 and max(gains) < 0.1:
        yield (
            "loss",
            f"the loss does not fall ({total[0]:.2f} three generations ago, {total[-1]:.2f} now) and the policy is "
            "hardly better than a uniform guess: try another learner.learning_rate or more visits.",
        )


def _steps(history: Sequence[GenerationFigures], _clip: float) -> Found:
    taken, asked = history[-1].losses.steps, history[-1].steps_asked
    if taken < asked:
        yield (
            "steps",
            f"learner.max_steps allows {taken:,} of the {asked:,} training steps that learner.passes asks for, so that "
            "positions are used less often than it says: raise learner.max_steps, or lower learner.passes.",
        )


def _policy(history: Sequence[GenerationFigures], _clip: float) -> Found:
    probe = history[-1].probe
    if not probe:
        return
    if probe.entropy < 0.02 or (probe.entropy < 0.1 and probe.entropy < 0.25 * probe.target_entropy):
        yield (
            "entropy",
            f"the policy has collapsed (entropy {probe.entropy:.0%} of the greatest possible, the search's "
            f"{probe.target_entropy:.0%}): raise search.noise_share, selfplay.temperature or selfplay.random_actions.",
        )
    gains = [side.policy_gain for side in probe.sides if side.is_taught and side.positions >= FEW_POSITIONS]
    if gains and max(gains) < -0.05:
        yield (
            "policy",
            f"the policy is worse than a uniform guess (gain {max(gains):+.2f}): it learns the opposite, or diverges; "
            "lower learner.learning_rate, and check the sign and the targets of the policy loss.",
        )
    elif gains and max(gains) < 0.02 and len(history) >= 3:
        yield (
            "policy",
            f"the policy is no better than a uniform guess after {len(history)} generations (gain {max(gains):+.2f}): "
            "more selfplay.visits, a larger learner.learning_rate, or a larger network.",
        )
    still = sorted(part for part, change in probe.moved.items() if change < 1e-6 and part not in BODY)
    if still:
        yield (
            "frozen",
            f"the weights of {', '.join(still)} do not move: is that part left out of training, or cut off from the "
            "loss?",
        )


def _value(history: Sequence[GenerationFigures], _clip: float) -> Found:
    probe = history[-1].probe
    if not probe or probe.outcome_std < 0.2:
        return
    if probe.value_std < 0.03 * probe.outcome_std:
        yield (
            "value",
            f"the value is nearly always the same (spread {probe.value_std:.3f}, of the results "
            f"{probe.outcome_std:.2f}): more learning steps (learner.passes) or games, or a larger learning_rate.",
        )
    sides = [side for side in probe.sides if side.positions >= FEW_POSITIONS]
    if sides and all(side.value_agreement < -0.1 for side in sides):
        worst = min(side.value_agreement for side in sides)
        yield (
            "value-turned",
            f"the network favours the player who goes on to lose (correlation with the results {worst:+.2f}): the "
            "value targets or their sign belong to the wrong player; check the game's to_play and outcome.",
        )


def _sides(history: Sequence[GenerationFigures], _clip: float) -> Found:
    probe = history[-1].probe
    if not probe or min(side.positions for side in probe.sides) < FEW_POSITIONS:
        return
    for player in (0, 1):
        side, other = probe.sides[player], probe.sides[1 - player]
        before = history[-2].probe if len(history) > 1 else None
        lagged = bool(before) and _lags(before.sides[player], before.sides[1 - player], least=0.1)
        if fault := _one_side(side, other, has_results=probe.outcome_std > 0.2, lagged=lagged):
            yield (
                "one-side",
                f"what is known of player {player}'s positions is wrong ({fault}), of player {1 - player}'s it is not: "
                "check encode, to_play and the targets for that player.",
            )


def _lags(side: Side, other: Side, *, least: float) -> bool:
    """Return whether the policy knows less than half as much of one player's positions as of the other's."""
    return side.is_taught and other.policy_gain > least and side.policy_gain < 0.5 * other.policy_gain


def _one_side(side: Side, other: Side, *, has_results: bool, lagged: bool) -> str:
    """Return what is wrong with one player's positions while the other's are in order.

    Args:
        side: what is known of this player's positions.
        other: of the other's.
        has_results: whether the games did not all end alike.
        lagged: whether the policy lagged in the generation before, too: once, a young one may do so by chance.
    """
    if side.legal_weight < 0.999:
        return f"{1 - side.legal_weight:.0%} of its policy targets are illegal actions"
    if _lags(side, other, least=0.1 if lagged else 0.2):
        return f"policy gain {side.policy_gain:+.2f} against {other.policy_gain:+.2f}"
    if not has_results:
        return ""
    if other.search_agreement > 0.2 and side.search_agreement < -0.1:
        return f"the search's value and the results correlate at {side.search_agreement:+.2f}"
    if min(side.search_agreement, other.search_agreement) > 0.2:  # what the search's value shows of the results
        here, there = (each.value_agreement / each.search_agreement for each in (side, other))
        apart = other.value_agreement - side.value_agreement > 0.3  # less is chance in some hundred games
        if apart and there > 0.3 and here < 0.5 * there:
            return f"value and results correlate at {side.value_agreement:+.2f} against {other.value_agreement:+.2f}"
    return ""


def _games(history: Sequence[GenerationFigures], _clip: float) -> Found:
    facts = history[-1].facts
    if facts.games < FEW_GAMES:
        return
    decided = 1.0 - facts.draws
    if facts.capped > 0.3:
        yield (
            "length-cap",
            f"{facts.capped:.0%} of the games end at the length cap: play goes nowhere; more selfplay.visits, a "
            "heuristic for generation 0, or a game that ends sooner.",
        )
    elif facts.draws > 0.95:
        yield (
            "draws",
            f"{facts.draws:.0%} of the games are draws, so that results teach nothing: raise selfplay.random_actions "
            "and selfplay.temperature; if the game is a draw under best play, the run is done.",
        )
    if decided * facts.games >= FEW_GAMES and not 0.05 < facts.first_wins / decided < 0.95:
        winner = 0 if facts.first_wins > 0.5 * decided else 1
        yield (
            "first-player",
            f"player {winner} wins {max(facts.first_wins, decided - facts.first_wins) / decided:.0%} of the decided "
            "games, so that the value learns nothing else: raise selfplay.random_actions, for games to start in more "
            "positions.",
        )
    if facts.repeated > 0.75 or (facts.repeated > 0.3 and facts.distinct_openings < 0.1):
        yield (
            "diversity",
            f"{facts.repeated:.0%} of the games repeat an earlier one: raise selfplay.random_actions, "
            "selfplay.temperature or search.noise_share.",
        )


def _resignations(history: Sequence[GenerationFigures], _clip: float) -> Found:
    latest = history[-RESIGNING:]  # small generations play few games out
    wrong, games = sum(each.wrongly_resigned for each in latest), sum(each.played_out for each in latest)
    if games >= FEW_GAMES and interval_of(wrong, games)[0] > MOST_WRONG:  # surely, for a share of few games is chance
        yield (
            "resignation",
            f"players resign too soon (in {wrong} of {games} games that were played out, who would have resigned did "
            "not lose): lower selfplay.resign_below, or raise selfplay.resign_moves.",
        )


def _gain(probe: NetworkProbe) -> float:
    return max(side.policy_gain for side in probe.sides)


CHECKS: tuple[Callable[[Sequence[GenerationFigures], float], Found], ...] = (
    _games,
    _resignations,
    _losses,
    _steps,
    _policy,
    _value,
    _sides,
)
