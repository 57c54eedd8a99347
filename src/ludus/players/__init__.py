"""The players.

`judging` evaluates positions without a search, `thinking` searches them, and `opponents` are fixed players without a
network; `matches` finds the players of matches by name, and `jobs` are long computations with a model.
"""
