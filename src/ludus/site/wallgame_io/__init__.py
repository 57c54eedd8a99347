"""wallgame.io's dialect of a game's socket."""
