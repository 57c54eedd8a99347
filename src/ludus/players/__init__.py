"""Players: where rules, search and network become a mind."""
