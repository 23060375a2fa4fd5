"""The container stack: its one .env file, and docker compose with it."""

import os
import re
import secrets as random
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from emulator import jwt
from emulator.paths import CHECKOUT
from muster_cli.extension import load_extension
from muster_cli.output import EXIT_NOT_RUNNING, UserError
from muster_cli.stack.environment import LOCAL_MAIL_FREQUENCY
from muster_cli.stack.origin import parse_origin, passkey_domain
from muster_cli.stack.secrets import generate, write_private
from muster_cli.stack.variables import parse_env

OLDEST_COMPOSE = 2
HEX = re.compile(r"[0-9a-f]+")
# Upstream's example keys are public knowledge; so is whatever reads like "fill me in".
# A random key may well have three x in a row.
PLACEHOLDER = re.compile(
    r"change.?me|your[-_ ]|example-|placeholder|(?<![a-z0-9])x{3,}(?![a-z0-9])|<.*>|super-secret|this_password"
    r"|supabase-demo",
    re.I,
)


@dataclass(frozen=True)
class Choices:
    """What a person decides about the container stack; everything else of .env is generated."""

    public_url: str
    gateway_port: int = 8000
    db_port: int = 54332
    mail_port: int = 8025
    smtp_host: str = "mailpit"
    smtp_port: int = 1025
    smtp_user: str = ""
    smtp_pass: str = ""
    smtp_sender: str | None = None  # the project's


def make_env(choices: Choices, now: int) -> dict[str, str]:
    """Every variable that docker-compose.yml asks for, with new secrets. Raises UserError for an unusable URL."""
    parts = urlsplit(parse_origin(choices.public_url))
    made = generate(now)
    sender_name, sender_address = load_extension().mail_sender
    domain, origins = passkey_domain(f"{parts.scheme}://{parts.netloc}")
    local_mail, public = choices.smtp_host == "mailpit", parts.scheme == "https"
    return {
        "COMPOSE_PROJECT_NAME": "muster",
        "COMPOSE_PROFILES": "mailpit" if local_mail else "",
        "PUBLIC_URL": f"{parts.scheme}://{parts.netloc}",
        "PASSKEY_DOMAIN": domain,
        "PASSKEY_ORIGINS": origins,
        "SITE_ADDRESS": f":8000, https://{parts.netloc}" if public else ":8000",
        "GATEWAY_BIND": "127.0.0.1" if public else "0.0.0.0",
        "COMPOSE_FILE": "docker-compose.yml:supabase/containers/tls.yml" if public else "docker-compose.yml",
        "GATEWAY_PORT": str(choices.gateway_port),
        "DB_PORT": str(choices.db_port),
        "MAIL_PORT": str(choices.mail_port),
        "POSTGRES_PASSWORD": made.postgres_password,
        "JWT_SECRET": made.jwt_secret,
        "ANON_KEY": made.anon_key,
        "SERVICE_ROLE_KEY": made.service_role_key,
        "PUBLISHABLE_KEY": made.publishable_key,
        "SECRET_KEY": made.secret_key,
        "SECRET_KEY_BASE": made.secret_key_base,
        "STORAGE_KEY_ID": made.s3_access_key_id,
        "STORAGE_KEY_SECRET": made.s3_access_key_secret,
        "VAPID_PUBLIC_KEY": made.vapid_public_key,
        "VAPID_PRIVATE_KEY": made.vapid_private_key,
        "REALTIME_DB_ENC_KEY": random.token_hex(8),
        "SMTP_HOST": choices.smtp_host,
        "SMTP_PORT": str(choices.smtp_port),
        "SMTP_USER": choices.smtp_user,
        "SMTP_PASS": choices.smtp_pass,
        "SMTP_ADMIN_EMAIL": choices.smtp_sender or sender_address,
        "SMTP_SENDER_NAME": sender_name,
        "SMTP_TLS": "none" if local_mail else "auto",
        "MAIL_MAX_FREQUENCY": LOCAL_MAIL_FREQUENCY if local_mail else "60s",
    }


def env_file() -> Path:
    """Where the container stack's variables are."""
    return Path(os.environ.get("MUSTER_ENV_FILE") or CHECKOUT / ".env")


def write_env(values: Mapping[str, str], file: Path | None = None) -> None:
    """Write .env for its owner alone, never half of it. Compose takes single-quoted values literally."""
    file = file or env_file()
    lines = ["# Made by ./muster config init --stack containers. Secrets: keep it to yourself.\n"]
    for name, value in values.items():
        if "'" in value or "\n" in value:
            raise UserError(f"{name} can't be written to {file.name}: it contains a quote or a line break", 2)
        lines.append(f"{name}='{value}'\n")
    write_private(file.with_name(f"{file.name}.partial"), "".join(lines)).rename(file)


def read_env(file: Path | None = None) -> dict[str, str]:
    """The container stack's variables, checked. Raises UserError."""
    file = file or env_file()
    if not file.exists():
        raise UserError(
            "the container stack has no .env yet: ./muster config init --stack containers writes it", EXIT_NOT_RUNNING
        )
    values = parse_env(file.read_text("utf8"))
    wrong = problems(values, int(time.time()))
    if wrong:
        raise UserError(f"{file} can't be used: {'; '.join(wrong)}")
    return values


def problems(values: Mapping[str, str], now: int) -> list[str]:
    """What makes an env unusable or unsafe, one sentence each. Pure."""
    wanted = make_env(Choices("http://127.0.0.1:8000"), now)
    optional = {"SMTP_USER", "SMTP_PASS", "COMPOSE_PROFILES", "VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY"}
    found = [f"{name} is missing" for name in wanted if not values.get(name) and name not in optional]
    found += [f"{name} is a placeholder" for name, value in values.items() if PLACEHOLDER.search(value)]
    password = values.get("POSTGRES_PASSWORD", "")
    if password and (len(password) < 16 or not HEX.fullmatch(password)):
        found.append("POSTGRES_PASSWORD must be at least 16 hexadecimal digits (it is part of URLs and SQL)")
    if len(values.get("REALTIME_DB_ENC_KEY", "")) not in (0, 16):
        found.append("REALTIME_DB_ENC_KEY must have exactly 16 characters")
    for name, least in (("JWT_SECRET", 32), ("SECRET_KEY_BASE", 64)):
        if 0 < len(values.get(name, "")) < least:
            found.append(f"{name} must have at least {least} characters")
    return found + [text for name in ("ANON_KEY", "SERVICE_ROLE_KEY") for text in _key_problems(name, values, now)]


def _key_problems(name: str, values: Mapping[str, str], now: int) -> list[str]:
    key, secret = values.get(name), values.get("JWT_SECRET")
    if not key or not secret:
        return []
    try:
        claims = jwt.KeySet.parse(secret).verify(key)
    except jwt.JwtError:
        return [f"{name} is not signed with JWT_SECRET"]
    role = {"ANON_KEY": "anon", "SERVICE_ROLE_KEY": "service_role"}[name]
    wrong = [f"{name} is of role {claims.get('role')!r}, not {role}"] if claims.get("role") != role else []
    expiry = claims.get("exp")
    if not isinstance(expiry, int) or expiry <= now:
        wrong.append(f"{name} has expired")
    return wrong


def compose_command() -> list[str]:
    """`docker compose`, or `docker-compose` of version 2. Raises UserError when neither is there.

    Version 1 has no `--wait`: it prints its usage, starts nothing and ends with 0.
    """
    old = None
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) is None:
            continue
        asked = subprocess.run([*command, "version", "--short"], capture_output=True, text=True, check=False)
        match = re.match(r"v?(\d+)\.", asked.stdout.strip())
        if asked.returncode == 0 and match is not None and int(match[1]) >= OLDEST_COMPOSE:
            return command
        if match is not None:
            old = f"{' '.join(command)} {asked.stdout.strip()}"
    found = f"{old} is too old, and " if old else ""
    raise UserError(
        f"{found}Docker with its compose plugin (version {OLDEST_COMPOSE}) is needed: "
        "https://docs.docker.com/engine/install/"
    )


def run(*arguments: str) -> None:
    """Run docker compose on the checkout's file, its words going to the terminal. Raises UserError."""
    read_env()
    command = [*compose_command(), "--env-file", str(env_file()), *arguments]
    done = subprocess.run(command, cwd=CHECKOUT, check=False)
    if done.returncode not in (0, 130):
        raise UserError(f"docker compose {arguments[0]} failed (exit {done.returncode}); its output is above")


def up(*, build: bool = True, service: str | None = None) -> None:
    """Start the containers and wait until they are healthy. Raises UserError."""
    run("up", "--detach", "--wait", *(["--build"] if build else []), *([service] if service else []))


def down(*, volumes: bool = False) -> None:
    """Stop and remove the containers; their data too when `volumes`. Raises UserError."""
    run("down", "--remove-orphans", *(["--volumes"] if volumes else []))
