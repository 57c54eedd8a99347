"""The site: a web server for games between people and bots; it applies the rules, and bots do all searching."""
