"""Frames, payloads and tokens: what travels over a socket, bytes to values and back."""
