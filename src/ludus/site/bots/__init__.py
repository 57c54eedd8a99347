"""Bots that are attached at this moment, and the questions that the site asks them."""
