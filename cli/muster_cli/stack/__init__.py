"""Ways to run one backend."""
