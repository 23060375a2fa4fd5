"""The text that a wallet signs: what is read, and what is refused in which words."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emulator.auth.utilities.wallet_messages import ETHEREUM, SOLANA, MessageError, parse_message

# The example of EIP-4361.
EXAMPLE = """example.com wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ExampleOrg Terms of Service: https://example.com/tos

URI: https://example.com/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json"""


def test_the_example_of_the_standard() -> None:
    found = parse_message(ETHEREUM, EXAMPLE)
    assert (found.domain, found.address) == ("example.com", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2")
    assert found.statement == "I accept the ExampleOrg Terms of Service: https://example.com/tos"
    assert (found.uri, found.network) == ("https://example.com/login", "1")
    assert found.times["Issued At"].isoformat() == "2021-09-30T16:25:24+00:00"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Ethereum account", "Doge account",
         'message first line does not end in " wants you to sign in with your Ethereum account:"'),
        ("example.com wants", "exa mple wants", "domain in first line of message is not valid"),
        ("0xC02", "0xG02", "wallet address is not a valid Ethereum address"),
        ("Cc2\n\n", "Cc2\nx\n", "third line must be empty"),
        ("URI: https:", "URI: mailto:x", "URI is not valid"),
        ("URI: https://example.com/login", "URI: https://example.com:port/", "URI is not valid"),
        ("URI: https://example.com/login", "URI: https://example.com/%zz", "URI is not valid"),
        ("URI: https://example.com/login\n", "", "URI is not specified"),
        ("Version: 1", "Version: 2", 'Version value is not supported, expected 1 got "2"'),
        ("Chain ID: 1", "Chain ID: main", "Chain ID is not valid"),
        ("Chain ID: 1", "Chain ID:", "Chain ID is not valid"),
        ("Nonce: 32891756", "Nonce", "encountered unparsable line at index 8"),
        ("2021-09-30T16", "2021-09-31T16", "Issued At is not a valid ISO8601 timestamp"),
        ("2021-09-30T16:25:24Z", "2021-09-30", "Issued At is not a valid ISO8601 timestamp"),
        ("Issued At: 2021-09-30T16:25:24Z\n", "", "Issued At is not specified"),
        ("Resources:", "Expiration Time: 2020-01-01T00:00:00Z\nResources:", "Issued At is after Expiration Time"),
        ("- https://example.com/my", "- my", "Resource at position 1 has invalid URI"),
    ],
)  # fmt: skip
def test_refused(old: str, new: str, reason: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(MessageError) as caught:
        parse_message(ETHEREUM, EXAMPLE.replace(old, new, 1))
    assert str(caught.value) == f"siwe: {reason}"


def test_a_solana_message_may_leave_its_network_open() -> None:
    text = EXAMPLE.replace("Ethereum", "Solana").replace("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "1" * 32)
    assert parse_message(SOLANA, text.replace("Chain ID: 1", "Chain ID:")).network == ""
    with pytest.raises(MessageError, match="^siws: Chain ID is not valid$"):
        parse_message(SOLANA, text)


@given(st.lists(st.sampled_from([*EXAMPLE.split("\n"), "", ":", "- ", "Issued At: 0000-00-00T00:00:00Z", "\0"])))
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    with suppress(MessageError):
        assert parse_message(ETHEREUM, "\n".join(lines)).version == "1"
