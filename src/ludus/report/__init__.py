"""What a run did, for people: one page that needs neither a server nor the net, and a table of several runs."""
