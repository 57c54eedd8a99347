"""The analysis engine, in JSON lines, for every game: `talker.py` handles requests, `report.py` formats results.

`queue.py` orders the searches.  `dialect.py` is the interface of the protocols that games bring for it.
"""
