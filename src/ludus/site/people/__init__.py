"""Guests, accounts, sessions, ratings and bot tokens."""
