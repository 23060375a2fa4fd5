"""What several endpoints do to an account: create, confirm, change and link it, mail its one-time tokens."""
