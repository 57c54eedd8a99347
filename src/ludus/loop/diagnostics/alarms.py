"""Alarms: checks that detect why a run does not learn, each with a remedy."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from statistics import median
from typing import NamedTuple

from ludus.arena.share import interval_of
from ludus.learner.losses import Losses
from ludus.loop.directory.lines import Alarm, Facts, NetworkProbe, Side

FEW_GAMES = 50  # minimum for shares to be meaningful
RESIGNING = 4  # number of generations whose resignations are added up
FEW_POSITIONS = 100  # minimum number of positions with one player to move
MOST_WRONG = 0.05  # largest acceptable share of wrong resignations (AlphaGo Zero)
BODY = ("stem", "blocks")  # parts that `network.frozen_generations` may freeze


class GenerationFigures(NamedTuple):
    """The figures of a generation that the alarms check."""

    facts: Facts
    losses: Losses
    probe: NetworkProbe | None
    played_out: int = 0
    """Games in which resigning was disabled and a player would have resigned."""
    wrongly_resigned: int = 0
    """Games of `played_out` in which resigning would have been a mistake: its player did not lose."""
    steps_asked: int = 0
    """Training steps that `learner.passes` requests; 0: unknown."""


Found = Generator[tuple[str, str]]


def alarms(history: Sequence[GenerationFigures], *, clip: float) -> list[Alarm]:
    """Return the alarms of the last generation in `history`.

    Args:
        history: figures of all generations so far, from generation 0 on.
        clip: gradient norm above which gradients are scaled down (`learner.gradient_norm`).
    """
    return [Alarm(kind, text) for check in CHECKS for kind, text in check(history, clip)]


def _losses(history: Sequence[GenerationFigures], clip: float) -> Found:
    now = history[-1].losses
    norms = [seen.losses.gradient_norm for seen in history[:-1]]
    if now.gradient_norm > 4.0 * clip or (len(norms) >= 2 and now.gradient_norm > 10.0 * median(norms) > 0.0):
        yield (
            "gradients",
            f"gradients are large (mean norm {now.gradient_norm:.1f}, clipped at {clip:g}): lower "
            "learner.learning_rate, and look for wrong training targets.",
        )
    if now.validation_policy is not None and now.validation_outcome is not None:
        policy, outcome = now.validation_policy - now.policy, now.validation_outcome - now.outcome
        if policy > 0.25 * now.policy + 0.1 or outcome > 0.25 * now.outcome + 0.1:
            yield (
                "overfitting",
                f"the network overfits (losses on held-out games are higher: policy {policy:+.2f}, "
                f"outcome {outcome:+.2f}): play more games, lower learner.passes, or use a smaller network.",
            )
    total = [seen.losses.policy + seen.losses.outcome for seen in history[-4:]]
    gains = [_gain(seen.probe) for seen in history[-4:] if seen.probe]
    if len(total) == 4 and total[-1] > total[0] + 0.1 and len(gains) == 4 and max(gains) < 0.1:
        yield (
            "loss",
            f"the loss is not falling ({total[0]:.2f} three generations ago, {total[-1]:.2f} now) and the policy is "
            "hardly better than a uniform policy: try another learner.learning_rate or more visits.",
        )


def _steps(history: Sequence[GenerationFigures], _clip: float) -> Found:
    taken, asked = history[-1].losses.steps, history[-1].steps_asked
    if taken < asked:
        yield (
            "steps",
            f"learner.max_steps allows {taken:,} of the {asked:,} training steps that learner.passes requests, so "
            "positions are used less often: raise learner.max_steps, or lower learner.passes.",
        )


def _policy(history: Sequence[GenerationFigures], _clip: float) -> Found:
    probe = history[-1].probe
    if not probe:
        return
    if probe.entropy < 0.02 or (probe.entropy < 0.1 and probe.entropy < 0.25 * probe.target_entropy):
        yield (
            "entropy",
            f"the policy has collapsed (entropy {probe.entropy:.0%} of the maximum, the search's "
            f"{probe.target_entropy:.0%}): raise search.noise_share, selfplay.temperature or selfplay.random_actions.",
        )
    gains = [side.policy_gain for side in probe.sides if side.is_taught and side.positions >= FEW_POSITIONS]
    if gains and max(gains) < -0.05:
        yield (
            "policy",
            f"the policy is worse than a uniform policy (gain {max(gains):+.2f}): wrong sign, or divergence; "
            "lower learner.learning_rate, and check the sign and targets of the policy loss.",
        )
    elif gains and max(gains) < 0.02 and len(history) >= 3:
        yield (
            "policy",
            f"the policy is no better than a uniform policy after {len(history)} generations (gain {max(gains):+.2f}): "
            "try more selfplay.visits, a larger learner.learning_rate, or a larger network.",
        )
    still = sorted(part for part, change in probe.moved.items() if change < 1e-6 and part not in BODY)
    if still:
        yield (
            "frozen",
            f"the weights of {', '.join(still)} do not change: is that part excluded from training, or not connected "
            "to the loss?",
        )


def _value(history: Sequence[GenerationFigures], _clip: float) -> Found:
    probe = history[-1].probe
    if not probe or probe.outcome_std < 0.2:
        return
    if probe.value_std < 0.03 * probe.outcome_std:
        yield (
            "value",
            f"the value hardly varies (standard deviation {probe.value_std:.3f}, of results "
            f"{probe.outcome_std:.2f}): try more steps (learner.passes), more games, or a larger learning_rate.",
        )
    sides = [side for side in probe.sides if side.positions >= FEW_POSITIONS]
    if sides and all(side.value_agreement < -0.1 for side in sides):
        worst = min(side.value_agreement for side in sides)
        yield (
            "value-turned",
            f"the network favours the eventual loser (correlation with results {worst:+.2f}): the "
            "value targets have the wrong player or sign; check the game's to_play and outcome.",
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
                f"player {player}'s positions are not learned ({fault}), player {1 - player}'s are: "
                "check encode, to_play and the targets of that player.",
            )


def _lags(side: Side, other: Side, *, least: float) -> bool:
    """Return whether one player's policy gain is less than half of the other's, which is at least `least`."""
    return side.is_taught and other.policy_gain > least and side.policy_gain < 0.5 * other.policy_gain


def _one_side(side: Side, other: Side, *, has_results: bool, lagged: bool) -> str:
    """Return the fault of one player's positions in comparison with the other player's; empty: none.

    Args:
        side: figures of this player's positions.
        other: figures of the other player's positions.
        has_results: whether the results of the games differ.
        lagged: whether this player's policy also lagged a generation before; a single time may be chance.
    """
    if side.legal_weight < 0.999:
        return f"{1 - side.legal_weight:.0%} of its policy targets are illegal actions"
    if _lags(side, other, least=0.1 if lagged else 0.2):
        return f"policy gain {side.policy_gain:+.2f} against {other.policy_gain:+.2f}"
    if not has_results:
        return ""
    if other.search_agreement > 0.2 and side.search_agreement < -0.1:
        return f"the search's value and the results correlate at {side.search_agreement:+.2f}"
    if min(side.search_agreement, other.search_agreement) > 0.2:  # compare with the correlation that the search reaches
        here, there = (each.value_agreement / each.search_agreement for each in (side, other))
        apart = other.value_agreement - side.value_agreement > 0.3  # smaller differences may be chance
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
            f"{facts.capped:.0%} of the games end at the length cap: try more selfplay.visits, a "
            "heuristic for generation 0, or a variant with shorter games.",
        )
    elif facts.draws > 0.95:
        yield (
            "draws",
            f"{facts.draws:.0%} of the games are draws, so results teach little: raise selfplay.random_actions "
            "and selfplay.temperature; if best play draws, the run has reached its goal.",
        )
    if decided * facts.games >= FEW_GAMES and not 0.05 < facts.first_wins / decided < 0.95:
        winner = 0 if facts.first_wins > 0.5 * decided else 1
        yield (
            "first-player",
            f"player {winner} wins {max(facts.first_wins, decided - facts.first_wins) / decided:.0%} of the decided "
            "games, so the value learns little else: raise selfplay.random_actions to vary the starting positions.",
        )
    if facts.repeated > 0.75 or (facts.repeated > 0.3 and facts.distinct_openings < 0.1):
        yield (
            "diversity",
            f"{facts.repeated:.0%} of the games repeat an earlier one: raise selfplay.random_actions, "
            "selfplay.temperature or search.noise_share.",
        )


def _resignations(history: Sequence[GenerationFigures], _clip: float) -> Found:
    latest = history[-RESIGNING:]  # small generations have few played-out games
    wrong, games = sum(each.wrongly_resigned for each in latest), sum(each.played_out for each in latest)
    if games >= FEW_GAMES and interval_of(wrong, games)[0] > MOST_WRONG:  # significant: shares of few games vary
        yield (
            "resignation",
            f"players resign too soon (in {wrong} of {games} games with resigning disabled, the would-be resigner did "
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
