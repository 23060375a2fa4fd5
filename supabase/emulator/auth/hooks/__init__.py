"""Auth hooks: what each is sent, what its response does, and how it is called."""
