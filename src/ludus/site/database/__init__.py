"""The site's database: connection to SQLite or PostgreSQL, its lock, tables, migrations, reader and writer."""
