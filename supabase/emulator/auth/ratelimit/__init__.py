"""How often a client may ask, and how many mails the process sends."""
