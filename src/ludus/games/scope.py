"""What Ludus does not play, in the words of its refusals; docs/explanation/games-that-ludus-plays.md explains it."""

TWO_PLAYERS = "Ludus plays games of two players"
NO_CHANCE = "Ludus plays no games with chance in play"
NOTHING_HIDDEN = "Ludus plays no games with hidden information"
ONE_AT_A_TIME = "Ludus plays no games with simultaneous moves"

UNPLAYED = {
    TWO_PLAYERS: ("num_players", "n_players", "player_count", "number_of_players", "teams"),
    NO_CHANCE: ("chance", "dice", "roll", "random", "randomness", "chance_outcomes", "shuffle", "deck", "stochastic"),
    NOTHING_HIDDEN: ("observe", "observation", "hidden", "hand", "hands", "private", "information_state"),
    ONE_AT_A_TIME: ("simultaneous", "joint_actions", "play_all"),
}
"""Names that an author may give to parts of games that Ludus does not play, by the refusal."""


def refusal(part: str) -> str:
    """Return the refusal that a part of this name deserves; empty for other names."""
    return next((words for words, names in UNPLAYED.items() if part in names), "")
