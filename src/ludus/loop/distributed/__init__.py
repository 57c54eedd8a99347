"""Self-play in several processes of this machine, or on the machines of a Ray cluster."""
