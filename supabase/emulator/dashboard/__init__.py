"""A look inside a development stack: /_muster, one page over its own JSON."""
