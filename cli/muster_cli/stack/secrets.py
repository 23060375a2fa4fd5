"""The secrets of one stack: generated at first start, kept in its state folder with mode 0600, never defaults."""

import base64
import hashlib
import hmac
import json
import os
import secrets as random
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from emulator import jwt
from muster_cli.output import UserError
from muster_cli.stack.vapid import make_pair

TEN_YEARS_S = 10 * 365 * 24 * 3600
_WORDS = (
    "anchor apron attic axle badge barrel basin beacon birch bolt bridge bucket cabin canvas cedar chain chalk cinder "
    "clover cobalt copper cradle creek dapple delta depot drum dune elder engine fable ferry flint foundry garnet "
    "gauge glade granite gravel grove harbor hatch hazel heron hinge hollow inlet island jasper juniper kettle ladder "
    "lantern larch ledge linden locker lumber maple marble marsh meadow mortar nickel nozzle oak oar orchard otter "
    "paddle pantry pebble pepper pillar pine piston plank pocket prairie pulley quarry quartz quill rafter raven reed "
    "ridge river rivet rowan saddle sage sandal satchel shale shore signal silver slate socket spruce stable steel "
    "stone summit tackle tarmac thicket timber tower trellis tunnel turbine umber valley valve velvet wagon walnut "
    "wharf willow window yarrow zephyr"
).split()


@dataclass(frozen=True)
class Secrets:
    """What only this stack knows. The two keys are JSON Web Tokens signed with jwt_secret."""

    jwt_secret: str
    anon_key: str
    service_role_key: str
    publishable_key: str
    secret_key: str
    postgres_password: str
    secret_key_base: str
    demo_password: str
    # Web push (RFC 8292): a point of P-256 and its private key, both raw and in base64url.
    vapid_public_key: str = ""
    vapid_private_key: str = ""

    @property
    def s3_access_key_id(self) -> str:
        """The name of the key pair for S3 clients: derived, so that it changes with the other keys."""
        return self._derived("s3-access-key-id")[:32]

    @property
    def s3_access_key_secret(self) -> str:
        """The secret half of it: who has it acts as the service role."""
        return self._derived("s3-access-key-secret")

    def _derived(self, purpose: str) -> str:
        return hmac.digest(self.jwt_secret.encode(), purpose.encode(), "sha256").hex()


def load_or_generate(file: Path) -> Secrets:
    """Read the secrets, or make them at first start."""
    if file.exists():
        made = _read(file)
        if made.vapid_private_key:
            return made
        public, private = make_pair()  # a stack from before web push
        made = replace(made, vapid_public_key=public, vapid_private_key=private)
    else:
        made = generate(int(time.time()))
    write_beside(file, made).rename(file)
    return made


def _read(file: Path) -> Secrets:
    """The secrets of a file. Raises UserError when it is damaged: new ones would not fit the data."""
    try:
        return Secrets(**json.loads(file.read_text("utf8")))
    except (ValueError, TypeError) as error:
        raise UserError(
            f"{file} is damaged: put it back from a backup. Without it the accounts' sessions and the database's "
            "passwords are lost; ./muster destroy removes the stack with its data"
        ) from error


def write_beside(file: Path, secrets: Secrets) -> Path:
    """The secrets in a file beside the current ones; renaming it puts them into effect."""
    return write_private(file.with_suffix(".partial"), json.dumps(asdict(secrets), indent=2))


def write_private(file: Path, text: str) -> Path:
    """Write a file for its owner alone, on the disk when this returns."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        handle.write(text)
        handle.flush()
        os.fsync(handle.fileno())
    return file


def generate(now: int) -> Secrets:
    """New secrets; hex and base64url only, so that they stand unescaped in URLs, SQL and shells."""
    jwt_secret = random.token_hex(32)
    vapid_public_key, vapid_private_key = make_pair()
    return Secrets(
        jwt_secret=jwt_secret,
        anon_key=_role_key("anon", jwt_secret, now),
        service_role_key=_role_key("service_role", jwt_secret, now),
        publishable_key=_opaque("sb_publishable_"),
        secret_key=_opaque("sb_secret_"),
        postgres_password=random.token_hex(16),
        secret_key_base=random.token_hex(32),
        demo_password="-".join(random.choice(_WORDS) for _ in range(3)) + f"-{random.randbelow(90) + 10}",
        vapid_public_key=vapid_public_key,
        vapid_private_key=vapid_private_key,
    )


def _role_key(role: str, secret: str, now: int) -> str:
    return jwt.sign({"role": role, "iss": "supabase", "iat": now, "exp": now + TEN_YEARS_S}, secret)


def _opaque(prefix: str) -> str:
    body = prefix + base64.urlsafe_b64encode(random.token_bytes(17)).decode()[:22]
    digest = hashlib.sha256(f"supabase-self-hosted|{body}".encode()).digest()
    return f"{body}_{base64.urlsafe_b64encode(digest).decode()[:8]}"
