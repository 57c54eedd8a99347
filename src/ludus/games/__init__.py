"""The games: rules as plain Python, and what people need to read and write them."""
