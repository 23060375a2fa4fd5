"""Rotate the secrets of a stack; new ones are written beside the old ones first, so that a crash loses neither."""

from dataclasses import replace

from emulator.db.bootstrap import set_passwords
from emulator.db.cluster import SUPERUSER
from muster_cli.db.connect import connect
from muster_cli.output import EXIT_NOT_RUNNING, UserError
from muster_cli.stack import compose
from muster_cli.stack.home import Home
from muster_cli.stack.secrets import Secrets, generate, write_beside
from muster_cli.stack.target import find_target

ENV_NAMES = (
    "jwt_secret", "anon_key", "service_role_key", "publishable_key", "secret_key", "secret_key_base",
    "vapid_public_key", "vapid_private_key",
)  # fmt: skip


def rotated(old: Secrets, now: int, *, database: bool) -> Secrets:
    """New keys; the demo password stays, the database's password unless `database`. Pure but for the random numbers."""
    made = generate(now)
    kept = made.postgres_password if database else old.postgres_password
    return replace(made, demo_password=old.demo_password, postgres_password=kept)


def rotate_emulator(home: Home, now: int, database: bool) -> None:
    """Write new secrets into a home; with `database`, also into its running PostgreSQL. Raises UserError."""
    file = home.path / "secrets.json"
    if not file.exists():
        raise UserError(f"{home.path} has no keys yet: ./muster up generates them", EXIT_NOT_RUNNING)
    new = rotated(home.secrets(), now, database=database)
    partial = write_beside(file, new)
    if database:
        _set_passwords(find_target("emulator", home).superuser_url(), new.postgres_password)
    partial.rename(file)


def rotate_containers(now: int, database: bool) -> None:
    """Write new secrets into .env; with `database`, also into the running database. Raises UserError."""
    env = compose.read_env()
    made = generate(now)
    new = env | {name.upper(): getattr(made, name) for name in ENV_NAMES}
    if database:
        new["POSTGRES_PASSWORD"] = made.postgres_password
        partial = compose.env_file().with_name(".env.next")
        compose.write_env(new, partial)
        _set_passwords(
            find_target("containers", Home(compose.env_file().parent)).superuser_url(), made.postgres_password
        )
        partial.rename(compose.env_file())
    else:
        compose.write_env(new)


def _set_passwords(superuser_url: str, password: str) -> None:
    """All roles in one transaction. Open connections stay."""
    from psycopg import sql

    with connect(superuser_url) as connection, connection.transaction():
        set_passwords(connection, password)
        statement = sql.SQL("alter role {} password {}")
        connection.execute(statement.format(sql.Identifier(SUPERUSER), sql.Literal(password)))
