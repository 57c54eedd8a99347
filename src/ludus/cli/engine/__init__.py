"""`ludus engine`: players as engines on standard input and output; one file for each game server protocol."""
