"""Protection against bots (CAPTCHA), password guessing, and finding out who has an account."""
