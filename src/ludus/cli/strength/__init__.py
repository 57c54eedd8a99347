"""Commands that measure strength: matches, ratings, levels, solved positions, and search settings."""
