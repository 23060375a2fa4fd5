"""The key pair of web push (RFC 8292), made in a process of its own.

It takes cryptography, which would stay in the memory (9 MiB) of a stack that may never send a push.
"""

import base64
import subprocess
import sys


def make_pair() -> tuple[str, str]:
    """A new point of P-256 and its private key, both raw and in base64url."""
    # -P: nothing is imported from the current folder.
    made = subprocess.run([sys.executable, "-P", "-m", __name__], stdout=subprocess.PIPE, text=True, check=True)
    public, private = made.stdout.split()
    return public, private


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def main() -> None:
    """Print a new pair, the public key first."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    sys.stdout.write(f"{_base64url(point)} {_base64url(key.private_numbers().private_value.to_bytes(32, 'big'))}\n")


if __name__ == "__main__":
    main()
