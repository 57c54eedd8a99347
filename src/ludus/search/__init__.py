"""Batched tree search over any compiled rules; it sees integers and states, never a board or a network."""
