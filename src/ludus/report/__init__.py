"""What a run did, for people: one page that needs neither a server nor the net; and the pictures of `ludus show`."""
