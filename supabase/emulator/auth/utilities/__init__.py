"""How GoTrue reads values: Go's JSON and durations, addresses, redirect URLs."""
