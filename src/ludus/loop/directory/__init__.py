"""A run's directory: its files, their formats, allowed changes of settings, and verification."""
