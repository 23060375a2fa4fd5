"""What branches are configured with."""

from pathlib import Path
from typing import Annotated

from psycopg.conninfo import make_conninfo
from pydantic import Field

from emulator.settings import Port, Settings, Variable


class BranchSettings(Settings):
    """Without `folder`, which has the files and mails of each branch, a stack has no branches.

    `idle_s`: a branch that nobody used for so long lets go of its connections. `ready`: how many copies are made in
    advance, once there was a first branch. `max_open`: how many may have connections at once.
    `test_control`: whether who has the service key reaches all of it over HTTP.
    """

    prefix = "MUSTER_BRANCHES_"

    folder: Annotated[Path | None, Variable("FOLDER")] = None
    idle_s: Annotated[float, Field(gt=0)] = 30.0
    ready: Annotated[int, Field(ge=0, le=64)] = 8
    max_open: Annotated[int, Field(ge=1)] = 8
    host: Annotated[str, Variable("DB_HOST", prefix=False)] = "localhost"
    port: Annotated[Port, Variable("DB_PORT", prefix=False)] = 5432
    database: Annotated[str, Variable("DB_NAME", prefix=False)] = "postgres"
    user: Annotated[str, Variable("DB_USER", prefix=False)] = "supabase_admin"
    password: Annotated[str, Variable("DB_PASSWORD", prefix=False), Field(repr=False)] = ""
    test_control: Annotated[bool, Variable("MUSTER_TEST_CONTROL", prefix=False)] = False
    slot: Annotated[str, Variable("SLOT_NAME", prefix=False)] = "realtime"

    def dsn(self, database: str) -> str:
        """The superuser's connection string for a database of the cluster."""
        return make_conninfo(
            host=self.host, port=self.port, user=self.user, password=self.password, dbname=database,
            application_name="muster branches", connect_timeout=10,
        )  # fmt: skip
