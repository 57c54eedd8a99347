"""KataGo's analysis protocol, a dialect of `ludus engine analysis` (docs/reference/katago-analysis.md).

`queries.py` answers queries, `turns.py` reads their games, `report.py` formats answers; `protocol.py` has the messages.
"""

from ludus.games.go.engines.katago.queries import KataGoQueries as Dialect

__all__ = ["Dialect"]
