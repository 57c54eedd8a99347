"""The engine for the V3 bot protocol: `engine.py` answers requests, `lines.py` reads and writes the JSON lines."""
