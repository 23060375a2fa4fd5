"""GoTrue's part: accounts, sessions, one-time tokens, factors and their mails, on GoTrue's own schema.

`api/` has a module per endpoint, `accounts/` what several of them do to an account, `tokens/` the sessions and their
tokens, `models/` the tables of schema auth and the only SQL on them. `context.py` is what all of them get: the request,
and the parts of the service.
"""
