"""Row changes: from the write-ahead log to the subscribers who may see them."""
