"""Engines: answer the commands of the bot, UCI and analysis protocols by searches."""
