"""Running games in memory: who is there, who is told what, when a game is evicted."""
