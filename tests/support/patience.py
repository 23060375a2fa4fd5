"""The time limit for waiting in tests. Nothing is measured by it: shared machines stall for seconds."""

PATIENCE_S = 60.0
