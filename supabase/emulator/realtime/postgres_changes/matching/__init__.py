"""A row change against the subscriptions of its table: who may want it, and who gets it."""
