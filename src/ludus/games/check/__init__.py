"""The checker behind `ludus check`: random games that test a game's rules against a list of laws."""
