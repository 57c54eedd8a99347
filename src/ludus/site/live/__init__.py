"""Running games in memory: their sockets, what those are told, and when a game is evicted."""
