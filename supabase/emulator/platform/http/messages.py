"""The little of PostgreSQL's protocol that dblink needs of a server: a startup, and queries with one value. Pure.

https://www.postgresql.org/docs/current/protocol-message-formats.html
"""

import struct

PROTOCOL_3 = 196608
SSL_REQUEST, GSS_REQUEST = 80877103, 80877104
_JSONB_OID = 3802
_PARAMETERS = (
    ("server_version", "17.0"),
    ("server_encoding", "UTF8"),
    ("client_encoding", "UTF8"),
    ("DateStyle", "ISO, MDY"),
    ("IntervalStyle", "postgres"),
    ("integer_datetimes", "on"),
    ("standard_conforming_strings", "on"),
)


def message(kind: bytes, payload: bytes = b"") -> bytes:
    """One message of the backend."""
    return kind + struct.pack("!i", len(payload) + 4) + payload


READY = message(b"Z", b"I")


def welcome() -> bytes:
    """The answer to a startup message: no password is asked, since only the server's own user reaches the socket."""
    statuses = [message(b"S", f"{name}\0{value}\0".encode()) for name, value in _PARAMETERS]
    return message(b"R", struct.pack("!i", 0)) + b"".join(statuses) + READY


def one_value(text: str) -> bytes:
    """The answer to a query: one row with one value."""
    value = text.encode()
    column = b"answer\0" + struct.pack("!ihihih", 0, 0, _JSONB_OID, -1, -1, 0)
    return (
        message(b"T", struct.pack("!h", 1) + column)
        + message(b"D", struct.pack("!hi", 1, len(value)) + value)
        + message(b"C", b"SELECT 1\0")
        + READY
    )


def no_value() -> bytes:
    """The answer to a statement that sets something."""
    return message(b"C", b"SET\0") + READY
