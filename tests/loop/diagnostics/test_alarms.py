"""Each alarm is raised by its own fault and is silent for a healthy run."""

import msgspec
import pytest

from ludus.learner.losses import Losses
from ludus.loop.diagnostics.alarms import GenerationFigures, alarms
from ludus.loop.directory.lines import Facts, NetworkProbe, Side

SIDE = Side(positions=500, policy_gain=0.4, value_agreement=0.5, search_agreement=0.6, legal_weight=1.0)
WELL = GenerationFigures(
    Facts(1000, 30_000, 30.0, 0.5, 0.1, 0.0, 0.05, 0.8),
    Losses(1.5, 0.8, 1.0, 100, validation_policy=1.55, validation_outcome=0.82),
    NetworkProbe(1000, 0.5, 0.4, 0.5, 0.9, [SIDE, SIDE], {"stem": 0.1, "policy": 0.1, "outcome": 0.1}),
)


def changed(facts=None, losses=None, probe=None, sides=None):
    """Return healthy figures with some changes; `sides` are the changes of player 0 and of player 1."""
    replace = msgspec.structs.replace
    both = [replace(SIDE, **each) for each in sides] if sides else [SIDE, SIDE]
    return GenerationFigures(
        replace(WELL.facts, **facts or {}),
        replace(WELL.losses, **losses or {}),
        replace(WELL.probe, **{"sides": both} | (probe or {})),
    )


def kinds(*history):
    return [alarm.kind for alarm in alarms(history, clip=5.0)]


def test_a_healthy_run_raises_no_alarm():
    assert kinds(WELL) == kinds(*[WELL] * 6) == []
    assert kinds(GenerationFigures(WELL.facts, WELL.losses, None)) == []


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("length-cap", {"facts": {"capped": 0.4, "draws": 0.5, "first_wins": 0.25}}),
        ("draws", {"facts": {"draws": 0.97, "first_wins": 0.02}}),
        ("first-player", {"facts": {"first_wins": 0.89, "draws": 0.1}}),
        ("first-player", {"facts": {"first_wins": 0.01, "draws": 0.1}}),
        ("diversity", {"facts": {"repeated": 0.8}}),
        ("diversity", {"facts": {"repeated": 0.4, "distinct_openings": 0.05}}),
        ("gradients", {"losses": {"gradient_norm": 25.0}}),
        ("overfitting", {"losses": {"validation_policy": 2.2}}),
        ("overfitting", {"losses": {"validation_outcome": 1.3}}),
        ("entropy", {"probe": {"entropy": 0.01}}),
        ("entropy", {"probe": {"entropy": 0.08}}),
        ("frozen", {"probe": {"moved": {"stem": 0.1, "policy": 0.0}}}),
        ("value", {"probe": {"value_std": 0.01}}),
        ("value-turned", {"sides": [{"value_agreement": -0.3}, {"value_agreement": -0.2}]}),
        ("one-side", {"sides": [{"policy_gain": 0.0}, {}]}),
        ("one-side", {"sides": [{"policy_gain": 0.15}, {}]}),
        ("one-side", {"sides": [{}, {"search_agreement": -0.3, "value_agreement": -0.3}]}),
        ("one-side", {"sides": [{"legal_weight": 0.9}, {}]}),
    ],
)
def test_each_fault_has_its_alarm(kind, change):
    found = alarms([changed(**change)], clip=5.0)
    assert [alarm.kind for alarm in found] == [kind]
    assert found[0].text.endswith((".", "?"))
    assert "\n" not in found[0].text


@pytest.mark.parametrize("player", [0, 1])
def test_a_side_that_was_taught_no_policy_is_not_judged_by_it(player):
    def sides(**others):
        both = [others, {"is_taught": False, "policy_gain": 0.0}]
        return both[::-1] if player == 0 else both

    untaught = changed(sides=sides())
    assert kinds(untaught, untaught, untaught) == []
    worse = changed(sides=sides(policy_gain=-0.3))
    assert kinds(worse, worse) == ["policy"], "no gain of the other hides a loss"
    wrong = [each | ({"value_agreement": -0.2} if "is_taught" in each else {}) for each in sides()]
    assert kinds(changed(sides=wrong), changed(sides=wrong)) == ["one-side"], "values are still compared with results"


def test_an_early_value_may_be_better_for_one_side():
    one = {"value_agreement": 0.25, "search_agreement": 0.41}
    other = {"search_agreement": 0.45}
    assert kinds(changed(sides=[one, other | {"value_agreement": 0.05}])) == []
    worse = changed(sides=[one, other | {"value_agreement": -0.07}])
    assert kinds(changed(sides=[one, other | {"value_agreement": -0.2}])) == ["one-side"], "these contradict results"
    assert kinds(worse) == kinds(worse, WELL) == kinds(WELL, worse) == []
    assert kinds(worse, worse) == ["one-side"], "two generations in a row are not chance"


def test_an_early_policy_may_be_better_for_one_side():
    young = changed(sides=[{"policy_gain": 0.03}, {"policy_gain": 0.11}])
    assert kinds(young) == kinds(WELL, young) == kinds(young, WELL) == []
    assert kinds(young, young) == ["one-side"], "two generations in a row are not chance"
    assert kinds(changed(sides=[{"policy_gain": 0.11}, {"policy_gain": 0.03}]), young) == [], "the lagging side changed"
    assert kinds(changed(sides=[{"policy_gain": 0.05}, {"policy_gain": 0.25}])) == ["one-side"]


def with_errors(error, *sides):
    """Return figures whose players' figures all have a standard error."""
    errors = dict.fromkeys(("policy_error", "value_error", "search_error"), error)
    return changed(sides=[each | errors for each in sides])


@pytest.mark.parametrize(
    ("kind", "sides"),
    [
        ("one-side", [{"policy_gain": 0.0}, {}]),
        ("one-side", [{}, {"value_agreement": 0.1}]),
        ("one-side", [{}, {"search_agreement": -0.3, "value_agreement": -0.3}]),
        ("value-turned", [{"value_agreement": -0.3}, {"value_agreement": -0.25}]),
    ],
)
def test_what_may_be_chance_raises_no_alarm(kind, sides):
    assert kinds(*[with_errors(0.02, *sides)] * 2) == [kind]
    assert kinds(*[with_errors(0.2, *sides)] * 2) == []
    few = with_errors(0.02, *sides)
    few = few._replace(facts=msgspec.structs.replace(few.facts, games=12))
    assert kinds(few, few) == ([] if "policy_gain" not in sides[0] else [kind]), "twelve games agree by chance"


def test_a_policy_that_is_worse_than_uniform_and_does_not_improve_is_noticed():
    def at(gain, error=0.02):
        return with_errors(error, {"policy_gain": gain}, {"policy_gain": gain})

    assert kinds(at(-0.9)) == [], "after few steps it may still be worse than a uniform policy"
    assert kinds(at(-0.9), at(-0.5)) == [], "it improves"
    assert kinds(at(-5.0)) == ["policy"], "no young network is that far from the search"
    assert kinds(at(-0.9), at(-0.9)) == kinds(at(-0.9), at(-5.0)) == ["policy"]
    assert kinds(at(-0.3), at(-0.2, error=0.1)) == ["policy"], "noise is no improvement"
    assert kinds(at(-0.04), at(0.0), at(0.015, error=0.01)) == [], "it improves slowly"


def test_a_player_who_never_moves_is_noticed():
    found = alarms([changed(sides=[{}, {"positions": 0, "is_taught": False}])], clip=5.0)
    assert [alarm.kind for alarm in found] == ["one-side"]
    assert found[0].text == "player 1 never has the move in 1000 games: check to_play."


def test_a_value_that_starts_to_distinguish_positions_raises_no_alarm():
    assert kinds(changed(probe={"value_std": 0.05})) == []
    assert kinds(changed(probe={"value_std": 0.02})) == ["value"]


def test_significantly_wrong_resignations_raise_an_alarm():
    def played_out(games, wrong):
        return WELL._replace(played_out=games, wrongly_resigned=wrong)

    assert kinds(played_out(100, 15)) == ["resignation"]
    assert "in 15 of 100 games with resigning disabled" in alarms([played_out(100, 15)], clip=5.0)[0].text
    assert kinds(played_out(100, 6)) == [], "5 % are acceptable, and 6 of 100 may be chance"
    assert kinds(played_out(40, 20)) == kinds(played_out(0, 0)) == [], "few games are not significant"
    assert kinds(played_out(40, 20), played_out(40, 20)) == ["resignation"], "several small generations are added up"


def test_steps_that_the_limit_cuts_off_are_noticed():
    assert kinds(WELL._replace(steps_asked=100)) == [], "all steps were taken"
    (cut,) = alarms([WELL._replace(steps_asked=1100)], clip=5.0)
    assert cut.kind == "steps"
    assert cut.text.startswith("learner.max_steps allows 100 of the 1,100 training steps")
    assert kinds(WELL._replace(steps_asked=1100), WELL) == [], "only the affected generation raises the alarm"


def test_gradients_are_compared_with_those_before():
    quiet = changed(losses={"gradient_norm": 0.2})
    assert kinds(quiet, quiet, changed(losses={"gradient_norm": 3.0})) == ["gradients"]
    assert kinds(quiet, quiet, changed(losses={"gradient_norm": 1.0})) == []


def test_a_policy_that_stays_uniform_is_noticed_after_three_generations():
    flat = changed(sides=[{"policy_gain": 0.0}, {"policy_gain": 0.01}])
    assert kinds(flat, flat) == []
    assert kinds(flat, flat, flat) == ["policy"]


def test_a_loss_that_rises_while_nothing_is_learned_is_noticed():
    def at(loss, gain):
        return changed(losses={"policy": loss, "validation_policy": loss}, sides=[{"policy_gain": gain}] * 2)

    assert kinds(*[at(1.5 + 0.1 * step, 0.05) for step in range(4)]) == ["loss"]
    assert kinds(*[at(1.5 + 0.1 * step, 0.4) for step in range(4)]) == [], "only the games became harder"


def test_few_games_prove_nothing():
    assert kinds(changed(facts={"games": 10, "draws": 1.0, "first_wins": 0.0, "repeated": 0.9})) == []
    few = {"positions": 20, "policy_gain": -1.0, "value_agreement": -1.0}
    assert kinds(changed(sides=[few, few])) == []


def test_draws_without_decided_games_say_nothing_of_the_value():
    side = {"value_agreement": 0.0, "search_agreement": 0.0}
    found = kinds(changed(facts={"draws": 1.0, "first_wins": 0.0}, probe={"outcome_std": 0.0}, sides=[side, side]))
    assert found == ["draws"]
