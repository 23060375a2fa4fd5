"""Origins: scheme, host and port of an HTTP server. Pure."""

import ipaddress
from urllib.parse import urlsplit

from muster_cli.output import UserError


def parse_origin(text: str) -> str:
    """An origin such as https://muster.example, normalized. Raises UserError for anything else, a path included."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    is_plain = not (parts.query or parts.fragment or parts.username or parts.password)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or not is_plain:
        raise UserError(f"--public-url must be an origin such as https://muster.example, not {text!r}", 2)
    return f"{parts.scheme}://{bracketed(parts.hostname)}{'' if port is None else f':{port}'}"


def host_of(origin: str) -> str:
    """The host of an origin, without brackets and port."""
    return urlsplit(origin).hostname or ""


def bracketed(host: str) -> str:
    """A host as it stands in a URL: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host


def local_origin(host: str, port: int) -> str:
    """How a program on this machine reaches a server that listens on `host`, which may be every address."""
    reached = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{bracketed(reached)}:{port}"


def passkey_domain(origin: str) -> tuple[str, str]:
    """The domain of a site's passkeys (the relying party id), and the origins that may use them, by comma.

    Browsers make no passkeys for an IP address; on this machine the site is reached as localhost, too.
    """
    host = host_of(origin)
    try:
        is_loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host, origin
    port = urlsplit(origin).port
    return ("localhost", f"http://localhost{'' if port is None else f':{port}'}") if is_loopback else (host, origin)
