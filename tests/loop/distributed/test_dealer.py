"""Every game of a generation counts exactly once, whichever members die or answer late."""

from hypothesis import given
from hypothesis import strategies as st

from ludus.loop.distributed.dealer import Dealer, wanted


@given(
    numbers=st.sets(st.integers(0, 99)),
    events=st.lists(
        st.tuples(st.sampled_from(["deal", "finish", "finish twice", "die"]), st.integers(0, 3)), max_size=99
    ),
    counts=st.data(),
)
def test_every_game_is_finished_once_despite_dead_members(numbers, events, counts):
    dealer, names, finished = Dealer(sorted(numbers)), list(range(4)), []
    has = {member: [] for member in names}  # games that each member believes to hold, even after it was declared lost
    for event, which in [*events, *[("finish", member) for member in range(4)]]:
        member = names[which]
        if event == "deal":
            has[member] += dealer.deal(member, counts.draw(st.integers(0, 30)))
        elif event == "die":
            held = dealer.held(member)
            assert dealer.lose(member) == held
            names[which] = len(has)  # a new member replaces it
            has[names[which]] = []
            for number in has[member]:
                assert not dealer.take(member, number), "its games were dealt to others"
        else:
            told = has[member] * (2 if event == "finish twice" else 1)
            has[member] = []
            finished += [number for number in told if dealer.take(member, number)]
        in_hands = sum(dealer.held(each) for each in has)
        assert dealer.left + in_hands + len(finished) == len(numbers)
    while dealer.left:
        finished += [number for number in dealer.deal("last", 7) if dealer.take("last", number)]
    assert dealer.is_over
    assert sorted(finished) == sorted(numbers)


def test_a_member_gets_games_to_play_and_a_reserve():
    assert wanted(held=0, in_flight=64, workers=4, lately=0) == 68
    assert wanted(held=60, in_flight=64, workers=4, lately=10) == 24
    assert wanted(held=100, in_flight=64, workers=4, lately=0) == 0


def test_lost_games_are_dealt_first():
    dealer = Dealer([4, 5, 6, 7])
    assert dealer.deal("a", 2) == [4, 5]
    assert dealer.lose("a") == 2
    assert dealer.lose("a") == 0
    assert dealer.deal("b", 9) == [4, 5, 6, 7]
    assert not dealer.is_over
