"""Images in another size or format: what was asked for, how it is computed, and where results are kept."""
