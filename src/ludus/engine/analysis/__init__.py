"""The analysis engine, in JSON lines, for every game: `talker.py` handles requests, `report.py` formats results."""
