"""What send-notification-email decides: who may be told, of what, and whether they want the mail."""
