"""Players for matches, and the names by which they are found."""
