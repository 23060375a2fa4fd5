"""The keys of a project's stack: the public ones that projects hard-code, unless its configuration has others. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from emulator import jwt
from muster_cli.output import UserError
from muster_cli.project import constants
from muster_cli.project.config import ProjectConfig
from muster_cli.stack.secrets import Secrets

SHORTEST_SECRET = 16


def project_secrets(config: ProjectConfig, own: Secrets, signing_key: Mapping[str, Any] | None) -> Secrets:
    """The stack's own secrets with everything replaced that a client of this project may know already.

    `signing_key`: the first of the project's own, which signs the two role keys. Raises UserError.
    """
    auth = config.auth
    secret = auth.jwt_secret or constants.JWT_SECRET
    if len(secret) < SHORTEST_SECRET:
        raise UserError(f"Invalid auth.jwt_secret: it has less than {SHORTEST_SECRET} characters.")
    return replace(
        own,
        jwt_secret=secret,
        anon_key=auth.anon_key or _role_key("anon", secret, signing_key),
        service_role_key=auth.service_role_key or _role_key("service_role", secret, signing_key),
        publishable_key=auth.publishable_key or constants.PUBLISHABLE_KEY,
        secret_key=auth.secret_key or constants.SECRET_KEY,
        postgres_password=constants.POSTGRES_PASSWORD,
    )


def _role_key(role: str, secret: str, signing_key: Mapping[str, Any] | None) -> str:
    claims = {"iss": constants.KEY_ISSUER, "role": role, "exp": constants.KEY_EXPIRES_AT}
    return jwt.sign(claims, signing_key if signing_key is not None else secret)
