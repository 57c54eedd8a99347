"""Protocols between programs: parse, check and encode messages, without any input or output."""
