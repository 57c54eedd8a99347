"""Commands of whoever runs servers: the site, its accounts, bots that join one, and networks that others ask."""
