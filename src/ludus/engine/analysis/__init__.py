"""Analysis in JSON lines, of every game: `talker.py` hears and says, `report.py` writes what was found."""
