"""Whatever members die, and whatever they say afterwards, every game of a generation counts exactly once."""

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
def test_every_game_is_finished_once_whoever_dies(numbers, events, counts):
    dealer, names, finished = Dealer(sorted(numbers)), list(range(4)), []
    has = {member: [] for member in names}  # what each believes it has, also after it was taken for lost
    for event, which in [*events, *[("finish", member) for member in range(4)]]:
        member = names[which]
        if event == "deal":
            has[member] += dealer.deal(member, counts.draw(st.integers(0, 30)))
        elif event == "die":
            held = dealer.held(member)
            assert dealer.lose(member) == held
            names[which] = len(has)  # another one takes its place
            has[names[which]] = []
            for number in has[member]:
                assert not dealer.take(member, number), "others have its games now"
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


def test_a_hand_is_filled_up_to_what_is_played_and_what_may_begin_meanwhile():
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
