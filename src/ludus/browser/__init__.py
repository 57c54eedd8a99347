"""A model for browsers: its rules and search as a WebAssembly module, its network, and a manifest of both."""
