"""A storage service of each module: its own database and folder."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from emulator.jwt import sign
from emulator.storage.app import StorageApp, create_app
from emulator.storage.settings import StorageSettings
from tests.support.postgres import Database
from tests.support.serving import serving

SECRET = "the secret of the contract tests, 32+ characters"
ADA, BEN = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
KEY_ID, KEY_SECRET = "contract-key", "contract-secret"


def bearer(role: str = "authenticated", **claims: object) -> dict[str, str]:
    """Authorization for a role."""
    return {"Authorization": f"Bearer {sign({'role': role, **claims}, SECRET)}"}


SERVICE, ANON = bearer("service_role"), bearer("anon")
AS_ADA, AS_BEN = bearer(sub=ADA), bearer(sub=BEN)


class Storage:
    """A running service: `http` is a client of it, `app` the application, `root` its folder."""

    def __init__(self, port: int, app: StorageApp, root: Path, dsn: str) -> None:
        self.port, self.app, self.root, self.dsn = port, app, root, dsn
        self.url = f"http://127.0.0.1:{port}"
        self.http = httpx.Client(base_url=self.url, timeout=30)

    def sql(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a statement as postgres, who may write policies."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def bucket(self, name: str, **settings: object) -> str:
        """A new bucket."""
        made = self.http.post("/bucket", json={"name": name, **settings}, headers=SERVICE)
        assert made.status_code == 200, made.text
        return name

    def upload(self, path: str, content: bytes = b"hello", **headers: str) -> httpx.Response:
        """Write an object as the service."""
        return self.http.post(
            f"/object/{path}", content=content, headers={**SERVICE, "content-type": "text/plain", **headers}
        )

    def files(self) -> set[str]:
        """The versions on the disk."""
        return {path.name for path in (self.root / "objects").glob("*/*")}

    def versions(self) -> set[str]:
        """The versions that rows name."""
        return {row[0] for row in self.sql("select version from storage.objects")}


def settings_of(database: Database, root: Path, **more: str) -> StorageSettings:
    """The service's settings on a database and a folder."""
    return StorageSettings.from_env(
        {
            "DATABASE_URL": database.url("supabase_storage_admin"),
            "AUTH_JWT_SECRET": SECRET,
            "STORAGE_FILE_BACKEND_PATH": str(root),
            "FILE_SIZE_LIMIT": "1000000",
            "TENANT_ID": "stub",
            "STORAGE_S3_REGION": "local",
            "ANON_KEY": ANON["Authorization"].removeprefix("Bearer "),
            "S3_PROTOCOL_ACCESS_KEY_ID": KEY_ID,
            "S3_PROTOCOL_ACCESS_KEY_SECRET": KEY_SECRET,
            "IMAGE_TRANSFORMATION_ENABLED": "true",
            **more,
        }
    )


@pytest.fixture(scope="module")
def make_storage(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Storage]]:
    """Start services on the module's database, each with its folder unless one is given."""
    with ExitStack() as stack:

        def make(root: Path | None = None, **more: str) -> Storage:
            root = root or tmp_path_factory.mktemp("storage")
            app = create_app(settings_of(module_database, root, **more))
            port = stack.enter_context(serving(app))
            made = Storage(port, app, root, module_database.dsn())
            stack.callback(made.http.close)
            return made

        yield make


@pytest.fixture(scope="module")
def storage(make_storage: Callable[..., Storage]) -> Storage:
    """The module's service."""
    return make_storage()
