"""From a rendered mail to the mail server: the queue that forgets nothing, the worker that empties it, SMTP."""
