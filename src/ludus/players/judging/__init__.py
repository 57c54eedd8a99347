"""What positions are worth without a search: heuristics, playouts, evaluation files, priors and ownership."""
