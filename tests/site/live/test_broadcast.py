"""The message cache: messages that many sockets receive are built once, and never sent when they are out of date."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ludus.games.game import Position
from ludus.site.live import page_dialect
from ludus.site.live.broadcast import SHARED_MS, Shared
from ludus.site.live.view import ply_view
from ludus.site.messages.requests import Timing
from ludus.site.safety.fair_queue import WorkerThreads

STEPS = st.lists(
    st.one_of(
        st.just("change"),
        st.tuples(st.just("wait"), st.integers(0, 3 * SHARED_MS)),
        st.tuples(st.just("ask"), st.sampled_from(["a", "b"]), st.booleans()),
    )
)


@given(STEPS)
def test_the_cache_never_returns_an_outdated_value(steps):
    shared, version, now, made = Shared(), 0, 1_000_000, []

    def make():
        made.append((version, now))
        return made[-1]

    for step in steps:
        if step == "change":
            version += 1
            shared.forget()
        elif step[0] == "wait":
            now += step[1]
        else:
            _, key, runs = step
            found = shared.get(key, now if runs else None, make)
            assert found[0] == version
            assert not runs or now - found[1] < SHARED_MS


def test_the_cache_builds_each_key_once_while_nothing_changes():
    shared, made = Shared(), []
    for key in ("a", "b", "a", "a", "b"):
        shared.get(key, None, lambda key=key: made.append(key))
    assert made == ["a", "b"]


def test_all_spectators_get_the_same_message_and_each_player_gets_their_own(at_site, guest_at, monkeypatch):
    made = []

    def counted(game, you, state=page_dialect.game_state):
        made.append(you)
        return state(game, you)

    monkeypatch.setattr(page_dialect, "game_state", counted)

    async def scenario(address, _site):
        ann = await guest_at(address).invite(side=0)
        bob = await guest_at(address).sit_down(ann.id)
        crowd = [await guest_at(address).join(ann.id) for _ in range(5)]
        for each in (ann, bob, *crowd):
            await each.until(lambda s: s["spectators"] == 5 and s["status"] == "playing")
        made.clear()
        await ann.act(3)
        for each in (ann, bob, *crowd):
            await each.until(lambda s: s["ply"] == 1)
        assert sorted(made, key=str) == [0, 1, None]
        assert len({json.dumps(each.state) for each in crowd}) == 1
        assert bob.state["board"]["choices"]
        assert not crowd[0].state["board"]["choices"]

    at_site(scenario)


def test_a_position_is_described_once_for_all_sockets_while_clocks_run(with_hall, monkeypatch):
    drawn = []

    async def scenario(scene):
        host, guest = await scene.of_two(timing=Timing(initial_seconds=60, increment_seconds=0))
        watchers = [await scene.visit(host.game, token) for token in (host.token, guest.token, None)]
        describe = Position.describe
        monkeypatch.setattr(Position, "describe", lambda position: drawn.append(position) or describe(position))
        for ply in range(3):
            await host.game.do(lambda table, now, ply=ply: table.act(ply % 2, 3, ply, now))
            told = []
            for watcher in watchers:
                scene.ms += 2 * SHARED_MS
                told.append(watcher.take())
            boards = [json.loads(texts[0])["board"] for texts in told]
            assert [bool(board["choices"]) for board in boards] == [ply % 2 == 1, ply % 2 == 0, False]
        threads = WorkerThreads()
        views = [await ply_view(host.game, ply, threads, "") for ply in (3, 2, 1)]
        threads.close()
        assert [view.board.choices != [] for view in views] == [True] * 3
        assert drawn == [host.game.table.at(ply) for ply in (1, 2, 3)]

    with_hall(scenario)
