"""What is written of a game is written in the order in which it happened."""

import asyncio

from ludus.site.database.records import Evaluation


def test_what_is_found_while_somebody_takes_back_is_not_kept(with_hall):
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
