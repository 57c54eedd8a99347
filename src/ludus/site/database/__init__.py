"""What the site remembers: SQLite in a folder, or PostgreSQL by address; one writer, numbered migrations."""
