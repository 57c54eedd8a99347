"""The operator's page: what it shows, and what an operator can do."""
