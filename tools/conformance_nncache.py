"""Compares Ludus with records of original evaluation files (`.lzc`), which are stored beside the records."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ludus.errors import BadRecord
from ludus.evaluations.code import STEPS, compress, decompress
from ludus.evaluations.lzc import LzcFile, LzcWriter

Record = dict[str, Any]
Difference = tuple[str, str, object, object]
"""Place, property, found value, expected value."""
BOARDS = {"9x9": 81, "13x13": 169, "19x19": 361}  # number of points for each part of a file's name


class CacheFile:
    """A file of records, and the evaluation file that it describes."""

    def __init__(self, records: Path) -> None:
        """Read the evaluation file and index its entries by hash; raises BadRecord if that fails."""
        self.path = records.with_name(records.name.removesuffix(".gz").removesuffix(".jsonl") + ".lzc")
        self.points = next((points for board, points in BOARDS.items() if board in records.name), 0)
        if not self.points:
            raise BadRecord(f"{records}: its name must contain the board's size: {', '.join(BOARDS)}.")
        self.file = LzcFile(self.path, self.points)
        self.places = {int(each): place for place, each in enumerate(self.file.heads["hash"].tolist())}
        self.is_compared = False

    def check(self, record: Record, _edition: str) -> Iterator[Difference]:
        """Yield the comparisons of one record; the first call also compares the whole file."""
        place = f"entry {record['hash']}"
        if not self.is_compared:
            self.is_compared = True
            yield self.path.name, "bytes lost", self.file.lost, 0
            yield self.path.name, "written again, it is the same", self.written_again() == self.path.read_bytes(), True
        policy, wanted = np.zeros(self.points, np.float32), np.zeros(self.points, np.int32)
        for index, value in record["policy_nonzero"].items():
            policy[int(index)] = value
        for index, value in record["quantised_nonzero"].items():
            wanted[int(index)] = value
        data, bits = compress((policy * np.float32(STEPS)).astype(np.int32))
        read = decompress(data, self.points)
        yield place, "bits", bits, record["bits"]
        yield place, "bytes", data.hex(), record["compressed_hex"]
        yield place, "read again", None if read is None else read.tolist(), wanted.tolist()
        position_hash = int(record["hash"], 16)
        yield place, "stored", position_hash in self.places, record["stored"]
        if record["stored"] and position_hash in self.places:
            at = self.places[position_hash]
            head = self.file.heads[at]
            yield place, "policy of the pass", float(head["policy_pass"]), float(np.float32(record["policy_pass"]))
            yield place, "winrate", float(head["winrate"]), float(np.float32(record["winrate"]))
            yield place, "policy", self.file.policies[at].tolist(), wanted.tolist()

    def written_again(self) -> bytes:
        """Write the same entries to a new file and return its bytes."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "again.lzc"
            with LzcWriter(path) as writer:
                for head, policy in zip(self.file.heads, self.file.policies, strict=True):
                    writer.add(
                        int(head["hash"]),
                        policy.astype(np.float32) / np.float32(STEPS),
                        float(head["policy_pass"]),
                        float(head["winrate"]),
                    )
            return path.read_bytes()
