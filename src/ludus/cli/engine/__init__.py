"""`ludus engine`: minds behind the protocols of game servers, on standard input and output; one file a protocol."""
