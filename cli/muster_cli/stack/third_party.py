"""Third-party authentication: whose tokens the API accepts, and the keys that these are verified with.

The keys are fetched at every start (issuer, its OpenID configuration, its key set) and kept in the state folder, so
that a start without a network goes on with those of the last one.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from muster_cli.project.config import ProjectConfig

TIMEOUT_S = 5.0
LARGEST_BYTES = 1_000_000
FILE = "third-party-keys.json"

Jwk = dict[str, Any]


def issuers(config: ProjectConfig) -> list[str]:
    """The issuers of the providers that are enabled."""
    parties = config.auth.third_party
    region = f".{parties.auth0.tenant_region}" if parties.auth0.tenant_region else ""
    pool = parties.aws_cognito
    found = [
        (parties.firebase.enabled, f"https://securetoken.google.com/{parties.firebase.project_id}"),
        (parties.auth0.enabled, f"https://{parties.auth0.tenant}{region}.auth0.com"),
        (pool.enabled, f"https://cognito-idp.{pool.user_pool_region}.amazonaws.com/{pool.user_pool_id}"),
        (parties.clerk.enabled, f"https://{parties.clerk.domain}"),
        (parties.workos.enabled, parties.workos.issuer_url),
    ]
    return [issuer.rstrip("/") for enabled, issuer in found if enabled]


def third_party_keys(config: ProjectConfig, home: Path) -> tuple[tuple[Jwk, ...], tuple[str, ...]]:
    """The public keys of the enabled provider, and warnings: when they can't be had, there may be older ones."""
    wanted = issuers(config)
    if not wanted:
        return (), ()
    file = home / FILE
    try:
        keys = _fetch(wanted[0])
    except (OSError, ValueError) as error:
        kept = _kept(file, wanted[0])
        what = "those of an earlier start are used" if kept else "its tokens are refused until a start that gets them"
        return kept, (f"the keys of {wanted[0]} can't be fetched ({error}); {what}",)
    file.write_text(json.dumps({"issuer": wanted[0], "keys": keys}), "utf8")
    return keys, ()


def _fetch(issuer: str) -> tuple[Jwk, ...]:
    """Raises OSError, ValueError."""
    address = _get(f"{issuer}/.well-known/openid-configuration").get("jwks_uri")
    if not isinstance(address, str) or not address.startswith(("https://", "http://")):
        raise ValueError("its OpenID configuration names no jwks_uri")
    keys = _get(address).get("keys")
    if not isinstance(keys, list) or not all(isinstance(key, dict) for key in keys):
        raise ValueError("it has no key set")
    return tuple(key for key in keys if key.get("kty") in ("RSA", "EC", "OKP"))


def _get(url: str) -> dict[str, Any]:
    import urllib.request

    with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
        found = json.loads(answer.read(LARGEST_BYTES))
    if not isinstance(found, dict):
        raise ValueError(f"{url} is not a JSON object")
    return found


def _kept(file: Path, issuer: str) -> tuple[Jwk, ...]:
    with suppress(OSError, ValueError, KeyError):
        found = json.loads(file.read_text("utf8"))
        if found["issuer"] == issuer:
            return tuple(found["keys"])
    return ()
