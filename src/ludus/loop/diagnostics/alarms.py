"""Alarms: checks that detect why a run does not learn, each with a remedy."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from statistics import median
from typing import NamedTuple

from ludus.arena.share import interval_of
from ludus.learner.losses import Losses
from ludus.loop.directory.lines import Alarm, Facts, GenerationMetrics, NetworkProbe, Side

FEW_GAMES = 50  # minimum for shares to be meaningful
RESIGNING = 4  # number of generations whose resignations are added up
FEW_POSITIONS = 100  # minimum number of positions with one player to move
MOST_WRONG = 0.05  # largest acceptable share of wrong resignations (AlphaGo Zero)
ERRORS = 2.0  # standard errors by which a figure must be beyond its threshold: noise does so once in 44 times
WILD = -3.0  # policy gain that no young network has: after 60 steps it was -1.1 at least, with a wrong sign -17
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

    @classmethod
    def of(cls, line: GenerationMetrics) -> GenerationFigures:
        """Return the figures of an earlier generation, from its line in the run's metrics."""
        return cls(line.facts, line.losses, line.probe, line.played_out, line.wrongly_resigned)


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
    now, before, start = (_best(each) for each in (history[-1:], history[-2:-1], history[-3:-2]))
    is_stuck = bool(now and before and not now.is_above(before))
    if now and (now.gain + ERRORS * now.error < WILD or (now.gain < -0.05 and is_stuck)):
        ago = f", {before.gain:+.2f} a generation ago" if before else ""
        yield (
            "policy",
            f"the policy is worse than a uniform policy (gain {now.gain:+.2f}{ago}): wrong sign, or divergence; lower "
            "learner.learning_rate, and check the sign and targets of the policy loss.",
        )
    elif now and start and -0.05 <= now.gain < 0.02 and not now.is_above(start):
        yield (
            "policy",
            f"the policy is no better than a uniform policy after {len(history)} generations (gain {now.gain:+.2f}): "
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
    if history[-1].facts.games >= FEW_GAMES and probe.value_std < 0.03 * probe.outcome_std:
        yield (
            "value",
            f"the value hardly varies (standard deviation {probe.value_std:.3f}, of results "
            f"{probe.outcome_std:.2f}): try more steps (learner.passes), more games, or a larger learning_rate.",
        )
    sides, games = [side for side in probe.sides if side.positions >= FEW_POSITIONS], history[-1].facts.games
    if sides and all(side.value_agreement + ERRORS * _error_of(side.value_error, games) < -0.1 for side in sides):
        worst = min(side.value_agreement for side in sides)
        yield (
            "value-turned",
            f"the network favours the eventual loser (correlation with results {worst:+.2f}): the "
            "value targets have the wrong player or sign; check the game's to_play and outcome.",
        )


def _sides(history: Sequence[GenerationFigures], _clip: float) -> Found:
    probe, games = history[-1].probe, history[-1].facts.games
    if not probe:
        return
    fewest, most = sorted(side.positions for side in probe.sides)
    if not fewest and most >= FEW_POSITIONS:
        player = min((0, 1), key=lambda each: probe.sides[each].positions)
        yield "one-side", f"player {player} never has the move in {games} games: check to_play."
    if fewest < FEW_POSITIONS:
        return
    for player in (0, 1):
        pairs = [
            _Pair(seen.probe.sides[player], seen.probe.sides[1 - player], seen.facts.games)
            for seen in history[-2:]
            if seen.probe
        ]
        if fault := _one_side(pairs, has_results=probe.outcome_std > 0.2):
            yield (
                "one-side",
                f"player {player}'s positions are not learned ({fault}), player {1 - player}'s are: "
                "check encode, to_play and the targets of that player.",
            )


class _Pair(NamedTuple):
    """The figures of a player's positions and of the other player's, in one generation."""

    side: Side
    other: Side
    games: int

    def policy_lags(self, least: float) -> bool:
        """Return whether the policy gain is less than half of the other's, which is at least `least`, and no noise."""
        side, other = self.side, self.other
        is_apart = other.policy_gain - side.policy_gain > ERRORS * math.hypot(side.policy_error, other.policy_error)
        return side.is_taught and other.policy_gain > least and side.policy_gain < 0.5 * other.policy_gain and is_apart

    def value_lags(self) -> bool:
        """Return whether values agree with results clearly less than the other's, given how far searches agree."""
        side, other = self.side, self.other
        if min(side.search_agreement, other.search_agreement) <= 0.2:
            return False
        error = math.hypot(*(_error_of(each.value_error, self.games) for each in (side, other)))
        is_apart = other.value_agreement - side.value_agreement > max(0.3, ERRORS * error)
        own, others = (each.value_agreement / each.search_agreement for each in (side, other))
        return is_apart and others > 0.3 and own < 0.5 * others

    def value_is_turned(self) -> bool:
        """Return whether the values clearly contradict the results, and the other's clearly agree with them."""
        own, others = (ERRORS * _error_of(each.value_error, self.games) for each in (self.side, self.other))
        is_turned = self.side.value_agreement + own < -0.1 and self.other.value_agreement - others > 0.0
        return is_turned and min(self.side.search_agreement, self.other.search_agreement) > 0.2

    def search_is_turned(self) -> bool:
        """Return whether the search's values clearly contradict the results, and the other's agree with them."""
        errors = [ERRORS * _error_of(each.search_error, self.games) for each in (self.side, self.other)]
        return self.other.search_agreement - errors[1] > 0.2 and self.side.search_agreement + errors[0] < -0.1


def _error_of(error: float, games: int) -> float:
    """Return the standard error of a correlation with results, which few games may underestimate."""
    return max(error, 1.0 / math.sqrt(games)) if error else 0.0


def _one_side(pairs: Sequence[_Pair], *, has_results: bool) -> str:
    """Return the fault of one player's positions in comparison with the other player's; empty: none.

    A young network may be better for one player, so a small lag of the policy, and values that are merely worse, must
    be there in two generations in a row.

    Args:
        pairs: figures of the last generation, and of the one before if there is one, which comes first.
        has_results: whether the results of the last generation's games differ.
    """
    now, both = pairs[-1], len(pairs) == 2
    side, other = now.side, now.other
    if side.legal_weight < 0.999:
        return f"{1 - side.legal_weight:.0%} of its policy targets are illegal actions"
    if now.policy_lags(0.2) or (both and all(each.policy_lags(0.1) for each in pairs)):
        return f"policy gain {side.policy_gain:+.2f} against {other.policy_gain:+.2f}"
    if has_results and now.search_is_turned():
        return f"the search's value and the results correlate at {side.search_agreement:+.2f}"
    if has_results and (now.value_is_turned() or (both and all(each.value_lags() for each in pairs))):
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


class _Gain(NamedTuple):
    gain: float
    error: float

    def is_above(self, other: _Gain) -> bool:
        """Return whether this gain is clearly larger than another one."""
        return self.gain - other.gain > ERRORS * math.hypot(self.error, other.error)


def _best(history: Sequence[GenerationFigures]) -> _Gain | None:
    """Return the larger policy gain of the two players in the first generation of `history`; None: unknown."""
    sides = history[0].probe.sides if history and history[0].probe else []
    judged = [side for side in sides if side.is_taught and side.positions >= FEW_POSITIONS]
    return max((_Gain(side.policy_gain, side.policy_error) for side in judged), default=None)


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
