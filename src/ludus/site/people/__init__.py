"""People at the site: guests at once, accounts if they like, what they are rated, and whose bots are whose."""
