"""Protection against robots and against finding out who has an account."""
