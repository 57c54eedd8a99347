"""Files of records, one JSON object a line, to which benches append their figures."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def append_record(file: Path | None, record: Mapping[str, Any]) -> None:
    """Append a record to a file; None: store nothing."""
    if file:
        with file.open("a") as records:
            records.write(json.dumps(record) + "\n")
