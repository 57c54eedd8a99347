"""An engine for UCI: `talker.py` handles commands, `board.py` declares what a game brings, others hold decisions."""
