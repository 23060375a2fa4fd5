"""What clients subscribe to: bindings, filters, and the index that finds them for a change."""
