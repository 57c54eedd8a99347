"""Recorded games, read as training samples or as positions to analyse."""
