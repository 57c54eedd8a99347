"""The arena: fair matches of many concurrent games, league tables, and tests on solved positions and puzzles."""
