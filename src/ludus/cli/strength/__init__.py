"""Commands that measure strength: matches, ratings, levels, solved positions, and settings of the search."""
