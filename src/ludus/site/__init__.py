"""The site: people at tables, bots that dial in, rules as the only authority; it never thinks."""
