"""The domain of a site's passkeys."""

import pytest

from muster_cli.stack.origin import passkey_domain


@pytest.mark.parametrize(
    ("origin", "want"),
    [
        ("https://muster.example", ("muster.example", "https://muster.example")),
        ("http://127.0.0.1:54321", ("localhost", "http://localhost:54321")),
        ("http://[::1]:8000", ("localhost", "http://localhost:8000")),
        # No browser makes passkeys there; nothing may claim another domain instead.
        ("http://192.0.2.7:8000", ("192.0.2.7", "http://192.0.2.7:8000")),
    ],
)
def test_passkeys_belong_to_a_domain(origin: str, want: tuple[str, str]) -> None:
    """§15.1: the domain of the public origin; localhost for this machine's own address."""
    assert passkey_domain(origin) == want
