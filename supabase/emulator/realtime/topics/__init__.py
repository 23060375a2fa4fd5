"""Topics in memory: broadcasts, presence, rate limits, and the bus that joins several processes."""
