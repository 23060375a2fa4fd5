"""Auth: GoTrue's part. Accounts, sessions, one-time tokens, factors and their mails, on GoTrue's own schema.

A module per endpoint; rules that several share are modules of their own; `store/` holds the only SQL on auth.*.
"""
