"""Measures how people log in while others attack the log-in: `python bench/logins.py --seconds 20 --json OUT`.

It starts a site without bots in a process of its own, and opens two accounts.  Then one flood of wrong passwords comes
from 400 addresses, and one of guesses of a single name from 60 addresses.  It prints how long log-ins take, in
milliseconds, and how many are refused, from a device that logged in before and from new devices.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from floods import serving
from record_file import append_record

from ludus.selfplay.measure import describe_machine

NUM_ADDRESSES, NUM_GUESSERS = 400, 60
PASSWORD = "correct horse"
LONGEST_S = 60.0


class Told(NamedTuple):
    """An answer of the site."""

    status: int
    cookies: str


async def post(address: str, path: str, body: dict[str, str], origin: str, cookies: str = "") -> Told:
    """Send a request from a local address (Linux), and return the answer."""
    host, port = address.removeprefix("ws://").split(":")
    text = json.dumps(body)
    head = [f"POST {path} HTTP/1.1", f"Host: {host}:{port}", f"Content-Length: {len(text)}", "Connection: close"]
    head += [f"Cookie: {cookies}"] if cookies else []
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(origin, 0))
    try:
        writer.write("\r\n".join([*head, "", text]).encode())
        async with asyncio.timeout(LONGEST_S):
            answer = (await reader.read()).decode()
    except (TimeoutError, OSError):
        return Told(0, "")
    finally:
        writer.close()
    lines = answer.split("\r\n\r\n")[0].split("\r\n")
    kept = [line.partition(":")[2].split(";")[0].strip() for line in lines if line.lower().startswith("set-cookie:")]
    return Told(int(lines[0].split()[1]) if lines[0] else 0, "; ".join(kept))


async def log_in(address: str, name: str, origin: str, cookies: str = "", password: str = PASSWORD) -> Told:
    """Log in from a local address."""
    return await post(address, "/api/session", {"name": name, "password": password}, origin, cookies)


def attack(address: str) -> None:
    """Send wrong passwords from 400 addresses until this process is killed."""

    async def one(number: int) -> None:
        while True:
            with contextlib.suppress(OSError, TimeoutError, ValueError, IndexError):
                name, origin = f"Somebody{number}", f"127.1.{number // 200}.{1 + number % 200}"
                await log_in(address, name, origin, password="wrong horse")
            await asyncio.sleep(0.2)

    async def all_of() -> None:
        await asyncio.gather(*map(one, range(NUM_ADDRESSES)))

    asyncio.run(all_of())


class Measured(NamedTuple):
    """Log-ins of one person."""

    median_ms: float
    most_ms: float
    refused: int
    of: int


async def measure(address: str, name: str, origins: list[str], cookies: str, seconds: float) -> Measured:
    """Log in again and again from some addresses in turn, every two seconds."""
    took, refused, end = list[float](), 0, time.monotonic() + seconds
    while time.monotonic() < end or not took:
        began = time.monotonic()
        told = await log_in(address, name, origins[len(took) % len(origins)], cookies)
        took.append(1000 * (time.monotonic() - began))
        refused += told.status != 200
        await asyncio.sleep(2.0)
    return Measured(round(float(np.median(took)), 1), round(max(took), 1), refused, len(took))


async def guessed(address: str, name: str) -> int:
    """Guess the password of a name once from each of 60 addresses, and return how many passwords were checked."""
    asked = (log_in(address, name, f"127.2.0.{1 + each}", password=f"wrong {each}") for each in range(NUM_GUESSERS))
    return sum(told.status == 401 for told in await asyncio.gather(*asked))


async def visit(address: str, seconds: float) -> dict[str, Measured | int]:
    """Open accounts and measure log-ins in peace and during the attacks."""
    device = (await post(address, "/api/account", {"name": "Ann", "password": PASSWORD}, "127.3.0.1")).cookies
    await post(address, "/api/account", {"name": "Bob", "password": PASSWORD}, "127.3.0.2")
    kinds = {"known device": ("Ann", ["127.3.0.1", "127.3.0.3", "127.3.0.4"], device), "new devices": ("Bob", NEW, "")}
    found: dict[str, Measured | int] = {}
    for when in ("peace", "flood"):
        other = multiprocessing.Process(target=attack, args=(address,)) if when == "flood" else None
        if other:
            other.start()
            await asyncio.sleep(3.0)
        for kind, (name, origins, cookies) in kinds.items():
            found[f"{when}, {kind}"] = await measure(address, name, origins, cookies, seconds if other else 5.0)
        if other:
            other.kill()
            other.join()
            await asyncio.sleep(seconds)
    found["guesses checked"] = await guessed(address, "Ann")
    found["then, known device"] = await measure(address, "Ann", ["127.3.0.1"], device, 1.0)
    return found


NEW = [f"127.3.1.{1 + each}" for each in range(200)]


def main() -> None:
    """Print and store the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address:
        found = asyncio.run(visit(address, options.seconds))
    for what, figures in found.items():
        print(f"{what:24} {figures}")
    append_record(options.json, {"machine": describe_machine(), "logins": found})


if __name__ == "__main__":
    main()
