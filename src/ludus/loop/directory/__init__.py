"""A run's directory: its files, their lines, what may change in it, and its verification."""
