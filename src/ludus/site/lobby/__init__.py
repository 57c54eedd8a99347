"""Opens and joins games, and lists open seats, running games, and a visitor's own games."""
