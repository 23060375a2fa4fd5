"""How long a test waits for what has to happen. Nothing measures it: shared machines stall for seconds."""

PATIENCE_S = 60.0
