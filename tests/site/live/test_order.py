"""Database writes of a game happen in the order of its changes."""

import asyncio

from ludus.site.database.records import Evaluation


def test_an_evaluation_of_a_position_that_is_taken_back_meanwhile_is_not_stored(with_hall):
    async def scenario(scene):
        game = (await scene.of_two())[0].game
        for ply in range(4):
            await game.do(lambda table, now, ply=ply: table.act(ply % 2, ply % 2, ply, now))
        game.note_evaluation(4, Evaluation(0.5, "1"))
        await game.do(lambda table, now: table.taken_back(0, now))
        while game.writing:
            await asyncio.sleep(0)
        assert await scene.store.evaluations(game.id) == {}

    with_hall(scenario)
