"""The only SQL on auth.*: a module per group of tables. Takes a connection, returns rows of `rows.py`; no rules."""
