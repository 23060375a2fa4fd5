"""Vault: secrets are encrypted in the table, readable through the view, and their key is not in the database.

Source: https://supabase.com/docs/guides/database/vault.
"""

import psycopg
import pytest

from tests.contract.platform.conftest import Connect, Connection
from tests.support.postgres import Database

BYTES = "decode(secret, 'base64')"


@pytest.fixture(scope="module", autouse=True)
def extension(postgres: Connection) -> None:
    postgres.execute("create extension if not exists supabase_vault with schema vault")


def create(connection: Connection, *values: str) -> str:
    holes = ", ".join(["%s"] * len(values))
    row = connection.execute(f"select vault.create_secret({holes})::text", values).fetchone()
    assert row is not None
    return str(row[0])


@pytest.mark.parametrize("secret", ["", "a", "x" * 15, "x" * 16, "é\n'\"", "x" * 100_000])
def test_a_secret_comes_back(postgres: Connection, secret: str) -> None:
    made = create(postgres, secret)
    got = postgres.execute(
        "select decrypted_secret, secret = %s from vault.decrypted_secrets where id = %s",
        (secret, made),
    )
    assert got.fetchone() == (secret, False)


def test_a_secret_is_updated(postgres: Connection) -> None:
    made = create(postgres, "old", "name", "about")
    postgres.execute("select vault.update_secret(%s, 'new', new_description := 'other')", (made,))
    got = postgres.execute(
        "select name, description, decrypted_secret from vault.decrypted_secrets where id = %s", (made,)
    )
    assert got.fetchone() == ("name", "other", "new")


def test_a_name_is_used_once(postgres: Connection) -> None:
    create(postgres, "a", "unique")
    with pytest.raises(psycopg.errors.UniqueViolation):
        create(postgres, "b", "unique")


def test_equal_secrets_look_different(postgres: Connection) -> None:
    first, second = create(postgres, "same"), create(postgres, "same")
    got = postgres.execute("select count(distinct secret) from vault.secrets where id in (%s, %s)", (first, second))
    assert got.fetchone() == (2,)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(f"secret = encode(set_byte({BYTES}, 0, get_byte({BYTES}, 0) # 1), 'base64')", id="first byte"),
        pytest.param(f"secret = encode({BYTES} || '\\x00', 'base64')", id="longer"),
        pytest.param("secret = 'AAAA'", id="short"),
        pytest.param("nonce = '\\x00'", id="nonce"),
        pytest.param("id = gen_random_uuid()", id="moved to another row"),
    ],
)
def test_what_was_changed_is_not_decrypted(connect: Connect, change: str) -> None:
    admin = connect("supabase_admin")
    made = create(admin, "secret")
    with admin.transaction(force_rollback=True):
        admin.execute(f"update vault.secrets set {change} where id = %s", (made,))
        with pytest.raises(psycopg.errors.RaiseException, match="invalid ciphertext"):
            admin.execute("select decrypted_secret from vault.decrypted_secrets")


def test_the_key_is_outside_of_the_database(postgres: Connection, module_database: Database) -> None:
    key = module_database.cluster.data.with_name("vault.key")
    assert key.stat().st_mode & 0o077 == 0
    for statement in ("select vault._key(0, 'x', 'encrypt')", f"select pg_read_file('{key}')"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            postgres.execute(statement)


@pytest.mark.parametrize("role", ["anon", "authenticated"])
def test_users_see_nothing(connect: Connect, role: str) -> None:
    user = connect("postgres")
    user.execute(f"set role {role}")
    for statement in (
        "select * from vault.decrypted_secrets", "select * from vault.secrets", "select vault.create_secret('x')",
    ):  # fmt: skip
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            user.execute(statement)


def test_the_service_role_reads(connect: Connect) -> None:
    service = connect("postgres")
    service.execute("set role service_role")
    made = create(service, "for the service")
    got = service.execute("select decrypted_secret from vault.decrypted_secrets where id = %s", (made,))
    assert got.fetchone() == ("for the service",)
