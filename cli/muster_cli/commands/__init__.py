"""One module a command group: parse, call one function, print."""
