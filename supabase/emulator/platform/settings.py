"""The variables that the platform's workers read: where the database is, and where the stack itself listens."""

from typing import Annotated

from psycopg.conninfo import make_conninfo

from emulator.settings import Port, Settings, Variable


class PlatformSettings(Settings):
    """The database as a superuser, which reads every job; its password is that of role postgres, too."""

    host: Annotated[str, Variable("DB_HOST")] = "localhost"
    database_port: Annotated[Port, Variable("DB_PORT")] = 5432
    database: Annotated[str, Variable("DB_NAME")] = "postgres"
    user: Annotated[str, Variable("DB_USER")] = "supabase_admin"
    password: Annotated[str, Variable("DB_PASSWORD")] = ""
    own_port: Annotated[Port, Variable("MUSTER_PORT")] = 54321
    own_path: Annotated[str, Variable("MUSTER_PATH")] = ""  # of a branch

    @property
    def own_origin(self) -> str:
        """Where the stack itself is reached from this process; a branch below a path."""
        return f"http://127.0.0.1:{self.own_port}{self.own_path}"

    def conninfo(self, name: str, user: str = "", database: str = "") -> str:
        """A libpq connection string of a session called `name`; by default the superuser's, in the stack's database."""
        return make_conninfo(
            host=self.host, port=self.database_port, user=user or self.user, password=self.password,
            dbname=database or self.database, application_name=name, connect_timeout=10,
        )  # fmt: skip
