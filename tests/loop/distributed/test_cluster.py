"""Members of a scripted cluster join, are refused, die and return, without Ray or processes."""

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.loop.distributed.scripted import HERE, ONE, RULES, TWO, Machines, opened, played

import ludus
from ludus.errors import BadGame, BadInput, Unavailable
from ludus.loop.distributed import cluster as module
from ludus.loop.distributed.cluster import DEATHS
from ludus.loop.distributed.cluster_pool import ClusterPool
from ludus.loop.distributed.messages import Lost
from ludus.loop.stages.stage import Order
from ludus.trust import permit


@pytest.fixture(scope="session")
def preset(tiny):
    return msgspec.structs.replace(tiny, deterministic=False, first_teacher="uniform")


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(module, "AGAIN_S", 0.0)
    monkeypatch.setattr(module, "LOOK_S", -1.0)


def test_members_share_a_generation_and_each_plays_other_games(preset):
    machines = Machines(ONE, TWO)
    with opened(preset, machines) as cluster:
        readings = []
        numbers, pool = played(cluster, 60, [3, 4], each_time=lambda: readings.append(cluster))
        assert numbers == [number for number in range(60) if number not in (3, 4)]
        assert sorted(pool.reports) == ["report of 10.0.0.1", "report of 10.0.0.2"]
        assert pool.reading().machines == 2
        numbers, pool = played(cluster, 20)
        assert numbers == list(range(20))
        assert all(each.states.base is None for each in pool.finished), "games are copied out of Ray's memory"
        orders = [order for member in machines.members for order in member.begun]
        assert len({order.seed for order in orders}) == 4
        assert {order.games for order in orders} == {60, 20}
    assert not machines.members


def test_a_fast_machine_plays_more_and_few_games_are_shared_by_speed(preset):
    machines = Machines(ONE, TWO, speed=2)
    machines.change = lambda member: setattr(member, "speed", 9 if member.place is TWO else 1)
    counts = {ONE: 0, TWO: 0}
    with opened(preset, machines) as cluster:
        assert played(cluster, 400)[0] == list(range(400))
        for member in machines.members:
            answer = member.answer
            member.answer = lambda question, *given, place=member.place, answer=answer: (
                counts.update({place: counts[place] + len(given[0])}) if question == "play" else None,
                answer(question, *given),
            )[1]
        assert played(cluster, 20)[0] == list(range(20))
    assert counts[TWO] >= 17 > 3 >= counts[ONE] >= 1


@settings(max_examples=settings().max_examples // 4)  # each example plays two generations
@given(st.integers(0, 40), st.data())
def test_every_game_counts_once_despite_dead_and_slow_members(preset, games, data):
    machines, told = Machines(ONE, TWO), []

    def choose(asked):
        if data.draw(st.integers(0, 9)) == 0:
            machines.dying.add(data.draw(st.sampled_from([ONE, TWO])))
        return [each for each in asked if data.draw(st.booleans())]

    with pytest.MonkeyPatch.context() as patched, opened(preset, machines, told) as cluster:
        patched.setattr(module, "AGAIN_S", 0.0)
        patched.setattr(module, "LOOK_S", -1.0)
        patched.setattr(module, "DEATHS", 10_000)
        machines.choose = choose
        for _ in range(2):
            assert played(cluster, games)[0] == list(range(games))


def test_a_lost_machine_is_reported_and_its_games_are_dealt_again(preset, at_once):
    machines, told = Machines(ONE, TWO), []
    with opened(preset, machines, told) as cluster:
        rounds = iter(range(1000))

        def lose_one():
            if next(rounds) == 6:
                machines.here.remove(TWO)

        numbers, pool = played(cluster, 90, each_time=lose_one)
        assert numbers == list(range(90))
        assert cluster.members[0].place is ONE
        assert len(cluster.members) == 1
    assert pool.reports == ["report of 10.0.0.1", "counts of 10.0.0.2"]
    assert len(told) == 1
    assert "10.0.0.2 was lost (its process or the machine ended); its " in told[0]
    assert told[0].endswith("unfinished games are dealt again.")


def test_an_idle_member_plays_the_games_of_a_lost_one_before_a_new_one_joins(preset, at_once):
    machines, rounds = Machines(ONE, TWO), iter(range(1000))
    machines.change = lambda member: setattr(member, "speed", 0 if member.place is TWO else 9)
    with opened(preset, machines) as cluster:

        def lose_the_slow_one():
            number = next(rounds)
            assert number < 100, "the pool waits for a member that has not joined"
            if number == 20:
                machines.dying.add(TWO)
                machines.choose = lambda asked: [  # the loss is reported first, and the third member never answers
                    each for each in asked if each.member is machines.members[len(machines.members) == 2]
                ]

        assert played(cluster, 20, each_time=lose_the_slow_one)[0] == list(range(20))
        assert [member.place for member in cluster.members] == [ONE, TWO]
        assert not cluster.members[1].has_joined


@pytest.mark.parametrize("question", ["play", "end"])
def test_a_hanging_member_is_dropped_and_its_games_are_dealt_again(preset, at_once, monkeypatch, question):
    monkeypatch.setattr(module, "SILENT_S", 0.0)
    machines, told = Machines(ONE, TWO), []
    machines.choose = lambda asked: [each for each in asked if (each.member.place, each.question) != (TWO, question)]
    with opened(preset, machines, told) as cluster:
        assert played(cluster, 90)[0] == list(range(90))
        assert [member.place for member in cluster.members if member.has_joined] == [ONE]
    assert told[0].startswith("10.0.0.2 was lost (no answer for 0 seconds); ")
    assert ("unfinished games are dealt again" in told[0]) == (question == "play")


@pytest.mark.parametrize("pauses", ["while games are stored", "while members are heard"])
def test_a_pause_of_the_run_is_not_a_silence_of_members(preset, at_once, monkeypatch, pauses):
    machines, told, finished, now, rounds = Machines(ONE, TWO), [], [], [0.0], count()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=lambda _seconds: None))

    def pause():
        now[0] += 10 * module.SILENT_S

    def choose(asked):
        if pauses == "while members are heard":
            pause()
        return [each for each in asked if each.member.place is ONE or next(rounds) % 3 == 0]  # two silent rounds

    def store(each):
        finished.append(each)
        if pauses == "while games are stored":
            pause()

    machines.choose = choose
    with opened(preset, machines, told) as cluster:
        cluster.play_with(None)
        with ClusterPool(cluster, Order(0, 90, [], 90), store) as pool:
            while pool.wait(0.0):
                pass
    assert len(finished) == 90
    assert told == []


def test_a_run_without_machines_waits_for_one_and_uses_it(preset, at_once):
    machines, told = Machines(ONE), []
    with opened(preset, machines, told) as cluster:
        rounds = iter(range(1000))

        def come_and_go():
            number = next(rounds)
            if number == 6:
                machines.here.remove(ONE)
            if number == 20:
                machines.here.append(TWO)

        assert played(cluster, 90, each_time=come_and_go)[0] == list(range(90))
    assert len(told) == 2
    assert "No machine of the cluster can play now; the run waits for one (Ctrl-C ends it)." in told


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": "0.0.1"}, rf"^10\.0\.0\.2: has Ludus 0\.0\.1, this machine has {ludus.__version__}; install"),
        ({"rules": ["0" * 16]}, rf"^10\.0\.0\.2: plays tictactoe by other rules \(0{{16}}, here {RULES}\); install"),
    ],
)
def test_a_machine_that_differs_is_refused(preset, at_once, change, words):
    machines, told = Machines(ONE, TWO), []
    machines.change = lambda member: [setattr(member, *each) for each in change.items() if member.place is TWO]
    with pytest.raises(BadInput, match=words), opened(preset, machines) as cluster:
        played(cluster, 30)
    machines.here = [ONE]
    with opened(preset, machines, told) as cluster:
        played(cluster, 30)
        machines.here.append(TWO)  # joins during the run, which must continue
        assert played(cluster, 30)[0] == list(range(30))
        assert [member.place for member in cluster.members] == [ONE]
    assert len(told) == 1
    assert told[0].startswith("10.0.0.2: ")
    assert told[0].endswith("It is excluded until the run is restarted.")


@pytest.mark.parametrize(
    "change",
    [
        {"version": "0.0.1"},
        {"fails": BadGame("there is no module of that name."), "fails_at": "join"},
        {"fails": Unavailable("cuda: this machine has no such GPU."), "fails_at": "begin"},
    ],
)
def test_a_machine_that_comes_later_and_cannot_play_does_not_end_the_first_generation(preset, at_once, change):
    machines, told, rounds = Machines(ONE), [], iter(range(1000))
    with opened(preset, machines, told) as cluster:

        def bring_another():
            if next(rounds) == 6:
                machines.change = lambda member: [setattr(member, *each) for each in change.items()]
                machines.here.append(TWO)

        assert played(cluster, 90, each_time=bring_another)[0] == list(range(90))
        assert [member.place for member in cluster.members] == [ONE]
    assert len(told) == 1
    assert told[0].startswith("10.0.0.2: ")
    assert told[0].endswith("It is excluded until the run is restarted.")


@pytest.mark.parametrize("question", ["join", "begin"])
def test_a_machine_that_cannot_play_ends_a_run_that_begins(preset, question):
    machines = Machines(ONE, TWO)
    change = {"fails": BadGame("there is no module of that name."), "fails_at": question}
    machines.change = lambda member: [setattr(member, *each) for each in change.items() if member.place is TWO]
    with pytest.raises(BadGame, match=r"^10\.0\.0\.2: there is no module"), opened(preset, machines) as cluster:
        played(cluster, 30)


@pytest.mark.parametrize("place", [ONE, HERE])
def test_a_game_in_a_file_is_played_as_it_was_when_the_run_began(preset, tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    source = Path(ludus.games.__file__).with_name("tictactoe.py").read_bytes()
    Path("mine.py").write_bytes(source)
    permit("mine.py")
    machines, orders = Machines(place, speed=1), []
    real = machines.ask
    machines.ask = lambda member, question, *what: (
        orders.append(what[0]) if question == "join" else None,
        real(member, question, *what),
    )[1]
    with opened(msgspec.structs.replace(preset, games=["mine.py"]), machines) as cluster:
        Path("mine.py").unlink()
        played(cluster, 3)
    sent = {"mine.py": source} if place is ONE else {}  # a game file on this machine need not be sent
    assert [order.files for order in orders] == [sent]


def test_a_place_whose_members_die_repeatedly_is_excluded(preset, at_once):
    machines, told = Machines(ONE), []
    machines.change = lambda member: setattr(member, "speed", None)
    with (
        pytest.raises(Unavailable, match="No machine of the cluster can play"),
        opened(preset, machines, told) as cluster,
    ):
        played(cluster, 30)
    assert f"10.0.0.1 was lost {DEATHS} times in a row" in told[-1]


def test_a_process_of_this_machine_that_dies_repeatedly_ends_the_run(preset, at_once):
    machines, told = Machines(HERE, HERE._replace(name="Process 2 of 2", number=1)), []
    machines.change = lambda member: setattr(member, "speed", None) if member.place is HERE else None
    words = rf"^Process 1 of 2 has ended \(its .* {DEATHS} times in a row .*\); finished .* again to continue\.$"
    with pytest.raises(Unavailable, match=words), opened(preset, machines, told) as cluster:
        played(cluster, 3000)
    assert len(told) == DEATHS
    assert {each.partition(";")[0] for each in told} == {"Process 1 of 2 was lost (its process or the machine ended)"}


@pytest.mark.parametrize(
    ("place", "words"), [(ONE, r"^10\.0\.0\.1: play\(\) raised\.$"), (HERE, r"^play\(\) raised\.$")]
)
def test_an_error_of_a_member_ends_the_run_with_its_machine(preset, place, words):
    machines = Machines(place)
    machines.change = lambda member: setattr(member, "fails", BadGame("play() raised."))
    with pytest.raises(BadGame, match=words), opened(preset, machines) as cluster:
        played(cluster, 30)


@pytest.mark.parametrize(
    ("place", "fails", "error"),
    [(ONE, BadGame("play() raised."), BadGame), (HERE, Lost("it died by SIGKILL"), Unavailable)],
)
def test_finished_games_count_even_if_another_member_fails(preset, monkeypatch, place, fails, error):
    monkeypatch.setattr(module, "DEATHS", 1)
    machines, finished = Machines(place, place._replace(number=1)), []
    machines.change = lambda member: setattr(member, "fails", fails if member.place is place else None)
    with pytest.raises(error), opened(preset, machines) as cluster:
        played(cluster, 90, finished=finished)
    assert len(finished) == machines.speed


def test_newer_weights_reach_the_games_that_are_being_played(preset):
    machines, given = Machines(ONE, speed=1), []
    with opened(preset, machines) as cluster:
        rounds = iter(range(1000))

        def learn():
            if next(rounds) == 10:
                cluster.weights = (7, "weights of generation 7")

        real = machines.ask
        machines.ask = lambda member, question, *what: given.append((question, what)) or real(member, question, *what)
        played(cluster, 40, each_time=learn)
    newer = [what[2] for question, what in given if question == "play"]
    assert newer.count("weights of generation 7") == 1
    assert set(newer) == {None, "weights of generation 7"}
