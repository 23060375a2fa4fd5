"""How often a client may ask, and how many messages the process sends. Time comes in as an argument."""
