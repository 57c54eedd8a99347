"""The site: people play each other, and bots that connect to it; the rules alone judge, and the site never thinks."""
