"""Evaluates positions without a search: heuristics, playouts, evaluation files, priors and ownership."""
