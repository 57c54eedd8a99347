"""Diagnostics of a generation: facts of its games, what the new network says of them, and alarms."""
