"""From a plan to SQL: the main statement and the transaction around it."""
