"""What several endpoints do to an account: create, confirm and change it, send its one-time tokens and use them."""
