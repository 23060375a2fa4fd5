"""What send-notification-email is about: who may send which mail about what, its content, and its receipts."""
