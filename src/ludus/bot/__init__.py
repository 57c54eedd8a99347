"""The bot client: it connects engines on this machine to a game server and plays games there."""
