"""What the operator and the people of a site do against abuse: bans, silences, blocks, reports, and the log of acts."""
