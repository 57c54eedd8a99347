"""The version of Ludus."""

__version__ = "0.1.0"
