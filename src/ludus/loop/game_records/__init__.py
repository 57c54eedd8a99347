"""Recorded games as samples to learn from, or as positions to think about again."""
