"""Searching players: models and heuristics with a search, their seats (one tree per game), pools and search results."""
