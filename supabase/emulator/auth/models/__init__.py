"""The tables of schema auth: rows as frozen values, and the only SQL on them."""
