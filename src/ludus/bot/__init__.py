"""The bot client: engines on this machine at the tables of a game server somewhere else."""
