"""Messages between programs as data, and tables of what may be said when; no input or output."""
