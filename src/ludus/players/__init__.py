"""Everything that plays.

`judging` says what a position is worth, `thinking` searches with it, `opponents` need neither; `matches` has the
players of matches and their names, and `jobs` are long work for a mind.
"""
