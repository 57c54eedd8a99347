"""Commands for operators: the site, its accounts, bots for a site, and inference servers."""
