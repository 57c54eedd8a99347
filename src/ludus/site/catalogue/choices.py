"""Options of the built-in games that people can choose beyond the boards of the catalogue."""

from ludus.site.messages.choices import Choices, Named, SetupField, Switch

CHOICES = [
    Choices(
        "go",
        variants=[
            Named("standard", "Tromp-Taylor"),
            Named("chinese", "Chinese"),
            Named("japanese", "Japanese"),
            Named("aga", "AGA"),
            Named("new-zealand", "New Zealand"),
        ],
        sizes=[(9, 9), (13, 13), (19, 19)],
        setup=[
            SetupField("handicap", "Handicap", "choice", ["0", *map(str, range(2, 10))]),
            SetupField("komi", "Komi", "number", hint="usual"),
        ],
        players=("Black", "White"),
    ),
    Choices(
        "gomoku",
        variants=[Named("freestyle", "Freestyle"), Named("standard", "Standard"), Named("renju", "Renju")],
        sizes=[(9, 9), (13, 13), (15, 15), (19, 19)],
        setup=[],
        players=("Black", "White"),
        switch=Switch("swap2", "Swap2 opening"),
    ),
    Choices(
        "chess",
        variants=[Named("standard", "Standard"), Named("960", "Chess960")],
        sizes=[],
        setup=[
            SetupField("number", "Start position, 0 to 959", "lot", hint="random", most=959, variants=["960"]),
            SetupField("fen", "Position (FEN)", "text", hint="usual start position", variants=["standard"]),
        ],
        players=("White", "Black"),
    ),
]
