"""One joined channel: its state machine, and the loop that runs what the machine decides."""
