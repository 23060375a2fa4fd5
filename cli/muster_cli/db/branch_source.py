"""What branches of a stack start from: a database with the project's migrations and seeds, as the files are now."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from emulator.branches.base import BaseFailed, Source
from emulator.db.copies import at_database, drop_database
from emulator.db.migrations import MIGRATIONS
from emulator.db.seeds import find_seeds
from emulator.paths import BOOTSTRAP
from muster_cli.db.rebuild import project_database
from muster_cli.db.scratch import scratch_database
from muster_cli.extension import load_extension
from muster_cli.output import UserError
from muster_cli.project.config import ProjectConfig
from muster_cli.stack.buckets import seed_buckets
from muster_cli.stack.options import Options
from muster_cli.stack.project_database import project_sql
from muster_cli.stack.secrets import Secrets

BUILDING = "muster_base_building"


def branch_source(options: Options, superuser_dsn: str, secrets: Secrets) -> Source:
    """How this stack's base is made."""
    if options.loaded is not None:
        return ConfiguredSource(options.loaded.config, superuser_dsn, secrets)
    return ServicesSource(superuser_dsn, secrets, secrets.demo_password if options.is_seeded else None)


@dataclass(frozen=True)
class ConfiguredSource:
    """Of a project that its config.toml describes."""

    config: ProjectConfig
    superuser_dsn: str
    secrets: Secrets

    def digest(self) -> str:
        """Of the migrations, the seeds, what else SQL is read from, and the files of buckets."""
        root = self.config.root
        seeds = self.config.db.seed
        paths = [root / "config.toml", root / "roles.sql", *_below(root / "migrations"), *_below(BOOTSTRAP)]
        paths += [seed.path for seed in find_seeds(root, seeds.sql_paths)] if seeds.enabled else []
        for bucket in self.config.storage.buckets.values():
            paths += _below(root / bucket.objects_path) if bucket.objects_path else []
        return _fingerprint(paths, repr(sorted(project_sql(self.config).vault_secrets.items())))

    def make(self, database: str) -> None:
        """Run migrations and seeds in a new database. Raises BaseFailed."""
        project, password = project_sql(self.config), self.secrets.postgres_password
        try:
            with project_database(self.superuser_dsn, password, project, BUILDING) as (_, applied):
                if applied.failure is not None:
                    raise BaseFailed(f"the project's SQL stopped at {applied.failure}")
                _rename(self.superuser_dsn, BUILDING, database)
        except (psycopg.Error, UserError) as error:
            raise BaseFailed(f"the database for branches could not be created: {error}") from error

    @property
    def fills_storage(self) -> bool:
        """Whether the configuration has buckets."""
        return bool(self.config.storage.buckets)

    def fill(self, api_url: str) -> None:
        """Make the buckets and upload their files. Raises BaseFailed."""
        try:
            seed_buckets(self.config, api_url, self.secrets.service_role_key)
        except UserError as error:
            raise BaseFailed(str(error)) from error


@dataclass(frozen=True)
class ServicesSource:
    """Of a project whose services services.toml describes. `seed_password` None: without the seed."""

    superuser_dsn: str
    secrets: Secrets
    seed_password: str | None

    def digest(self) -> str:
        """Of the migrations and of what the extension's seed reads."""
        paths = [*_below(MIGRATIONS), *_below(BOOTSTRAP), *load_extension().seed_files()]
        return _fingerprint(paths, self.seed_password or "")

    def make(self, database: str) -> None:
        """Bootstrap, migrate and seed a new database. Raises BaseFailed."""
        password = self.secrets.postgres_password
        try:
            with scratch_database(self.superuser_dsn, password, BUILDING, self.seed_password):
                _rename(self.superuser_dsn, BUILDING, database)
        except (psycopg.Error, UserError) as error:
            raise BaseFailed(f"the database for branches could not be created: {error}") from error

    @property
    def fills_storage(self) -> bool:
        """There are no buckets but those of migrations."""
        return False

    def fill(self, api_url: str) -> None:
        """Nothing."""


def _rename(superuser_dsn: str, name: str, new: str) -> None:
    with psycopg.connect(at_database(superuser_dsn, "template1"), autocommit=True) as connection:
        drop_database(connection, new)
        rename = sql.SQL("alter database {} rename to {}")
        connection.execute(rename.format(sql.Identifier(name), sql.Identifier(new)))


def _below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _fingerprint(paths: Iterable[Path], facts: str) -> str:
    """Of files by name, size and time of the last change: reading them all for each branch would take too long."""
    digest = hashlib.sha256(facts.encode())
    for path in paths:
        if path.is_file():
            found = path.stat()
            digest.update(f"\0{path}\0{found.st_size}\0{found.st_mtime_ns}".encode())
    return digest.hexdigest()
