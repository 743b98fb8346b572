"""What is kept: typed tables, their migrations, and units of work, on SQLite and PostgreSQL alike."""
