"""People: guests, accounts, ratings, and the tokens of their bots."""
