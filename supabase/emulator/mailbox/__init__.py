"""The local mailbox: catches the mails of a development stack and shows them at /mail, as pages and as JSON.

Development only. It is not mounted where a real SMTP server is configured.
"""
