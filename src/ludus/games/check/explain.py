"""Finds the fault behind a fault: before a failed game is reported, its actions are played again, in several ways."""

from ludus.games.check.examine import Examiner, Walk
from ludus.games.check.guard import Broken, Guarded
from ludus.games.check.overflow import CONVERT, known_overflows
from ludus.games.check.twin import REMEDY

NAMING_OVERFLOWS = ("twin", "returns", "planes")  # laws whose faults name the overflow themselves
REPLAYS = 5  # of a failed game; rules that depend on chance or a clock do not fail each time in the same way


def differing(compiled: Guarded, plain: Guarded, walk: Walk) -> Walk | None:
    """Return a game up to the first answer in which compiled and plain rules differ; None if there is none."""
    again = Examiner(compiled, plain).replay(walk)
    return again if again.broken and again.broken.law == "twin" else None


def explained(rules: Guarded, plain: Guarded, failure: Walk) -> Walk:
    """Return a failed game with the fault behind its fault: rules that differ when compiled, or that change."""
    if rules.compiled:
        failure = differing(rules, plain, failure) or _judged_by(plain, failure)
    assert failure.broken, "a failed walk has a broken law"
    law, what = failure.broken.law, failure.broken.what
    if law == "pure":
        return failure
    twin = plain if law == "twin" else None
    replayed = rules if law == "twin" else plain
    first, *others = [Examiner(replayed, twin).replay(failure).broken for _ in range(REPLAYS)]
    if any((each and each.what) != (first and first.what) for each in others):
        found = f"the law `{law}` breaks in some replays of the same actions only: {what}"
        remedy = "a rule may depend on its arguments alone, not on chance, a clock or earlier calls"
        failure.broken = Broken("pure", f"{found}; {remedy}")
    elif law not in NAMING_OVERFLOWS and (found := known_overflows(lambda: Examiner(plain).replay(failure))):
        failure.broken = Broken(law, f"{what}; before, {found[-1]}: {CONVERT}")
    return failure


def _judged_by(plain: Guarded, failure: Walk) -> Walk:
    """Return a failed game of compiled rules with the fault of the plain ones, which names the line."""
    again = Examiner(plain).replay(failure)
    if again.broken or not failure.broken or failure.broken.law in ("compiles", "pure"):
        return again if again.broken else failure
    found = f"compiled rules break the law `{failure.broken.law}`, and plain ones keep it: {failure.broken.what}"
    failure.broken = Broken("twin", f"{found}; {REMEDY}")
    return failure
