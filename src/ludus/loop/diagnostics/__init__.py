"""Diagnostics of a generation: statistics of its games, a probe of the new network, and alarms."""
