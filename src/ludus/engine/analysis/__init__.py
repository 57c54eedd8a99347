"""The analysis engine, in JSON lines, for every game: `talker.py` handles requests, `report.py` formats results.

`queue.py` orders the searches.  KataGo's protocol for Go is a dialect: `katago.py` handles queries, `katago_game.py`
reads their games, `katago_report.py` formats answers.
"""
