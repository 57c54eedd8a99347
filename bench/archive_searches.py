"""Measures searches of the archive among many games: `python bench/archive_searches.py --games 200000 --json OUT`.

It fills a new database, SQLite in a temporary folder by default, and prints the processor time of this process for each
search and the whole time in milliseconds, as the largest of `--rounds` rounds.
"""

import argparse
import asyncio
import random
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from record_file import append_record
from sqlalchemy import Connection, insert

from ludus.selfplay.measure import describe_machine
from ludus.site.archive.search import ArchiveQuery, find_games
from ludus.site.database.database import Database, database_url
from ludus.site.database.schema import games, seats

NOW = datetime(2026, 11, 21, tzinfo=UTC)
BOARDS = (("chess", "standard", 8), ("go", "standard", 19), ("wallgame", "classic", 20), ("connect4", "standard", 7))
SEARCHES = {
    "no filter": ArchiveQuery(),
    "no filter, late page": ArchiveQuery(page=200),
    "one game": ArchiveQuery(game="go"),
    "a game that nobody played": ArchiveQuery(game="hex"),
    "size and result, rare": ArchiveQuery(size=(20, 20), result="draw", rated=True),
    "a player of a few games": ArchiveQuery(player="PLAYER 4321"),
    "a player of every third game": ArchiveQuery(player="guest"),
    "a player of every third game, late page": ArchiveQuery(player="guest", page=200),
    "a player of every third game, no such size": ArchiveQuery(player="guest", size=(3, 3)),
    "nobody": ArchiveQuery(player="x" * 450),
    "a bot of every fifth game": ArchiveQuery(bot="c:b1"),
    "no such bot": ArchiveQuery(bot="c:none"),
    "a player and a bot": ArchiveQuery(player="guest", bot="c:b1"),
    "a player and no such bot": ArchiveQuery(player="guest", bot="c:none"),
    "all filters": ArchiveQuery("chess", "standard", (8, 8), "guest", "c:b1", "draw", NOW - timedelta(9000), NOW, True),
}


def fill(connection: Connection, num_games: int) -> None:
    """Write finished games: a third with a guest, a third with one of two bots, few of each of 5,000 other players."""
    random.seed(1)
    for begin in range(0, num_games, 10_000):
        numbers = range(begin, min(begin + 10_000, num_games))
        connection.execute(insert(games), [_game(number) for number in numbers])
        connection.execute(insert(seats), [_seat(number, side) for number in numbers for side in (0, 1)])


def _game(number: int) -> dict[str, Any]:
    name, variant, size = BOARDS[number % len(BOARDS)]
    ended = NOW - timedelta(minutes=random.randrange(2_000_000))
    return {
        "id": f"g{number}", "spec": f"{name}:{variant}:{size}x{size}", "game": name, "variant": variant,
        "width": size, "height": size, "setup": None, "kind": "friend", "rated": random.random() < 0.3,
        "status": "over", "staged": [], "offers": [], "winner": random.choice((0, 1, 1, None)), "reason": "resignation",
        "series": f"g{number}", "score_0": 0.0, "score_1": 0.0, "num_moves": 40, "created_at": ended, "ended_at": ended,
    }  # fmt: skip


def _seat(number: int, side: int) -> dict[str, Any]:
    bot = f"c:b{random.randrange(2)}" if side and number % 3 else None
    name = "Guest" if not side and random.random() < 0.33 else f"Player {random.randrange(5000)}"
    kind = "bot" if bot else "person"
    return {"game_id": f"g{number}", "side": side, "kind": kind, "name": name, "host": not side, "bot": bot,
            "appearance": {}}  # fmt: skip


async def measure(address: str | None, num_games: int, rounds: int) -> dict[str, dict[str, float]]:
    """Return the figures of each search."""
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        database = await Database.open(database_url(Path(folder), address))
        await database.write(lambda connection: fill(connection, num_games))
        for name, wish in SEARCHES.items():
            costs: list[tuple[float, float, int]] = []
            for _ in range(rounds):
                cpu, wall = time.process_time(), time.perf_counter()
                answer = await find_games(database, wish, ())
                cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
                costs.append((1000 * cpu, 1000 * wall, answer.total))
            cpu_ms, whole_ms, total = (max(column) for column in zip(*costs, strict=True))
            found[name] = {"cpu_ms": cpu_ms, "whole_ms": whole_ms, "total": total}
            print(f"{name:45} processor {cpu_ms:7.1f} ms, whole {whole_ms:7.1f} ms, {total} games", flush=True)
        await database.close()
    return found


def main() -> None:
    """Print and store the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--database", help="the address of an empty PostgreSQL database, instead of SQLite")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = asyncio.run(measure(options.database, options.games, options.rounds))
    append_record(options.json, {"machine": describe_machine(), "games": options.games, "searches": found})


if __name__ == "__main__":
    main()
