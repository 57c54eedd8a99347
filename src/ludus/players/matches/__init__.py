"""Players for matches, and the names under which people ask for them."""
