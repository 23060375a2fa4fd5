"""/factors: second factors (TOTP, phone, security keys)."""
