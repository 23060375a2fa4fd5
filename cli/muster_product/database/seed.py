"""Load the seed files of a folder of sql/seeds: the demo community, or the actors of the browser tests."""

from typing import TYPE_CHECKING

from emulator.paths import CHECKOUT

if TYPE_CHECKING:
    import psycopg

SEEDS = CHECKOUT / "sql" / "seeds"
# The accounts of the demo community that people are shown.
SEED_ACCOUNTS = {"member": "dana@muster.test", "admin": "chief@muster.test"}


def load_seed(connection: "psycopg.Connection", name: str, demo_password: str) -> list[str]:
    """Run sql/seeds/<name>/*.sql in order, all in one transaction; returns the files' names.

    `connection` is a superuser's, autocommit. The files read the password of the demo accounts from the setting
    muster.demo_password. Raises psycopg.Error, and then nothing of the seed is there.
    """
    files = sorted((SEEDS / name).glob("*.sql"))
    with connection.transaction():
        connection.execute("select set_config('muster.demo_password', %s, true)", (demo_password,))
        for file in files:
            connection.execute(file.read_bytes())
    return [file.name for file in files]
