"""Commands for operators: the site, its accounts, bots that join a site, and inference servers."""
