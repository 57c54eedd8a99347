"""Engines: answer the commands of the bot, GTP, UCI, Gomocup and analysis protocols by searches."""
