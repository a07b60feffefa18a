"""The database: its tables, the one SELECT that every read starts from, and its transactions."""
