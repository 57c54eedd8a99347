"""The evaluation bar and the analysis board's evaluations, both asked of bots."""
