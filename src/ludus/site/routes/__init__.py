"""Every HTTP route and socket of the site."""
