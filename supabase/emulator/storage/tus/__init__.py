"""Resumable uploads: TUS 1.0.0 with creation, creation-with-upload, creation-defer-length, termination and expiration.

https://tus.io/protocols/resumable-upload. Errors are plain text with their real status.
"""
