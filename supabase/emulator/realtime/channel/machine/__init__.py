"""A channel as a pure state machine: (state, event) to (state, effects)."""
