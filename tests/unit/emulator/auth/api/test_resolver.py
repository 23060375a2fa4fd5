"""Connections that failed, in the words of Go's net package."""

import socket
from pathlib import Path

import pytest

from emulator.auth.api.provider import resolver


@pytest.mark.parametrize(
    ("lines", "want"),
    [
        pytest.param("search x\nnameserver 10.0.0.1\nnameserver 10.0.0.2\n", " on 10.0.0.1:53", id="first"),
        pytest.param("nameserver fd00::1\n", " on [fd00::1]:53", id="IPv6"),
        pytest.param("nameserver\n#\n", "", id="none"),
        pytest.param(None, "", id="no file"),
    ],
)
def test_a_name_that_is_not_found(
    lines: str | None, want: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "resolv.conf"
    monkeypatch.setattr(resolver, "_RESOLVER", path)
    if lines is not None:
        path.write_text(lines)
    error = RuntimeError("wrapped")
    error.__cause__ = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert resolver.failure_text(error, "id.test") == f"dial tcp: lookup id.test{want}: no such host"


def test_other_failures_keep_their_words() -> None:
    assert resolver.failure_text(RuntimeError("refused"), "id.test") == "refused"
