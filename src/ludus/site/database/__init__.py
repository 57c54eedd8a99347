"""The site's database: SQLite in a folder, or PostgreSQL by address; one writer, numbered migrations."""
