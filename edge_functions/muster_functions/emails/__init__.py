"""What a mail says: facts in, subject, text and HTML out. templates/ has a folder per type."""
