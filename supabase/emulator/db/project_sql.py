"""A project's own SQL, in the order of the official CLI: privileges, vault secrets, roles.sql, migrations, seeds.

All but the migrations belong to a new database. A later start applies new migrations, and finishes what an earlier one
could not. An unchanged project costs one query.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from emulator.db.advice import Missing, advise
from emulator.db.failure import Failure, ScriptError, Step
from emulator.db.migrations import (
    Migration,
    MigrationError,
    Pending,
    compare,
    ensure_history,
    list_migrations,
    run_migrations,
    skipped_files,
)
from emulator.db.script import ScriptOptions, Superuser, read_script, run_script
from emulator.db.seeds import SeedFile, find_seeds, recorded_seeds, run_seeds
from emulator.db.superuser import SuperuserGate

Report = Callable[[str], None]

# What a database knows of its project. The history is there as soon as the first step is done.
_STATE = """
select array(select step from _muster.project_steps), array(select version from supabase_migrations.schema_migrations)
"""
_UNEXPOSED = """
alter default privileges in schema public revoke select, insert, update, delete on tables
from anon, authenticated, service_role;
alter default privileges in schema public revoke usage, select on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;
"""


@dataclass(frozen=True)
class ProjectSql:
    """What a project's configuration says of its SQL. `supabase` is the folder with migrations and seeds."""

    supabase: Path
    has_migrations: bool = True
    seed_patterns: tuple[str, ...] = ("./seed.sql",)  # none: no seeds
    vault_secrets: Mapping[str, str] = field(default_factory=dict)
    exposes_new_tables: bool = True
    last_version: str | None = None  # later migrations are left out
    replaces_database: bool = False  # this one is to take the place of `postgres` in its cluster (ScriptOptions)

    @property
    def migrations(self) -> Path:
        """The folder of the migrations."""
        return self.supabase / "migrations"


@dataclass(frozen=True)
class Applied:
    """What was done to a database."""

    migrations: Step = Step()
    seeds: Step = Step()
    warnings: tuple[str, ...] = ()

    @property
    def failure(self) -> Failure | None:
        """What stopped it."""
        return self.migrations.failed or self.seeds.failed


def apply_project(
    project: ProjectSql,
    superuser_dsn: str,
    owner_dsn: str,
    report: Report = lambda _: None,
    *,
    seeds_later: bool = False,
) -> Applied:
    """Bring a bootstrapped database up to date. A file that fails is in the result: it leaves nothing behind.

    `report` gets a line per file, as the official CLI prints it. `seeds_later`: a call without it is to follow. Raises
    psycopg.Error when the database goes away.
    """
    warnings: list[str] = []
    gate = SuperuserGate(superuser_dsn)
    with psycopg.connect(owner_dsn, autocommit=True) as connection:
        run = _Run(project, connection, gate, superuser_dsn, report, warnings, seeds_later)
        try:
            migrations, seeds = run.everything()
        finally:
            gate.close()
    return Applied(migrations, seeds, tuple(warnings))


@dataclass(frozen=True)
class _Run:
    project: ProjectSql
    connection: "psycopg.Connection[tuple[Any, ...]]"
    gate: Superuser
    superuser_dsn: str
    report: Report
    warnings: list[str]
    seeds_later: bool

    @property
    def options(self) -> ScriptOptions:
        """How every file is run."""
        return ScriptOptions(self.gate, self.warnings.append, self.project.replaces_database)

    def everything(self) -> tuple[Step, Step]:
        done, versions = self._state()
        known, failed = self._known()
        if failed is not None:
            return Step(0, failed), Step()
        pending = compare(known, versions)
        self._warn_of(pending)
        if {"roles", "seeds"} <= done and not pending.new:
            return Step(), Step()
        if "roles" not in done and (failed := self._prepare()) is not None:
            return Step(0, failed), Step()
        migrations = self._migrate(pending)
        if migrations.failed is not None or "seeds" in done or self.seeds_later:
            return migrations, Step()
        return migrations, self._seed()

    def _state(self) -> tuple[set[str], set[str]]:
        """The steps that are done, and the versions that are applied."""
        try:
            steps, versions = self.connection.execute(_STATE).fetchall()[0]
        except psycopg.errors.UndefinedTable:
            ensure_history(self.connection)
            steps, versions = self.connection.execute(_STATE).fetchall()[0]
        return set(steps), set(versions)

    def _known(self) -> tuple[list[Migration], Failure | None]:
        if not self.project.has_migrations:
            return [], None
        try:
            known = list_migrations(self.project.migrations)
        except MigrationError as error:
            return [], error.failure
        last = self.project.last_version
        if last is None:
            return known, None
        place = next((number for number, item in enumerate(known) if item.version == last), None)
        if place is None:
            return [], Failure("migrations", f"there is no migration of version {last}")
        return known[: place + 1], None

    def _warn_of(self, pending: Pending) -> None:
        self.warnings.extend(skipped_files(self.project.migrations))
        if pending.older:
            names = ", ".join(item.path.name for item in pending.older)
            self.warnings.append(
                f"older than the newest migration that is applied, so not applied: {names}"
                " (muster migration up --include-all applies them, muster db reset starts over)"
            )
        if pending.missing:
            self.warnings.append(
                f"the database has migrations without a file: {', '.join(pending.missing)}"
                " (muster migration repair --status reverted forgets them, muster db reset starts over)"
            )

    def _prepare(self) -> Failure | None:
        """What a new database gets before the migrations."""
        if not self.project.exposes_new_tables:
            self.connection.execute(_UNEXPOSED)
        if self.project.vault_secrets:
            self.report("Updating vault secrets...")
            self.warnings.extend(update_vault(self.connection, self.project.vault_secrets))
        roles = self.project.supabase / "roles.sql"
        if roles.is_file():
            self.report("Seeding globals from roles.sql...")
            try:
                script = read_script(roles, "supabase/roles.sql")
                run_script(self.connection, script, self.options, record=lambda _: None)
            except ScriptError as error:
                return self._advised(error.failure)
        self._finish("roles")
        return None

    def _migrate(self, pending: Pending) -> Step:
        try:
            run_migrations(
                self.connection,
                pending.new,
                self.options,
                announce=lambda item: self.report(f"Applying migration {item.path.name}..."),
            )
        except MigrationError as error:
            return Step(len(error.applied), self._advised(error.failure))
        return Step(len(pending.new))

    def _seed(self) -> Step:
        found = find_seeds(self.project.supabase, self.project.seed_patterns, self._warn_of_seeds)
        known = recorded_seeds(self.connection)
        wanted = [seed for seed in found if seed.recorded_path not in known]
        applied = 0

        def announce(seed: SeedFile) -> None:
            self.report(f"Seeding data from {seed.recorded_path}...")

        for seed in wanted:
            try:
                applied += run_seeds(self.connection, [seed], self.options, announce)
            except ScriptError as error:
                return Step(applied, self._advised(error.failure))
        self._finish("seeds")
        return Step(applied)

    def _warn_of_seeds(self, text: str) -> None:
        # The default names a file that most projects do not have.
        if self.project.seed_patterns != ("./seed.sql",):
            self.warnings.append(text)

    def _finish(self, step: str) -> None:
        with psycopg.connect(self.superuser_dsn, autocommit=True) as superuser:
            superuser.execute("insert into _muster.project_steps values (%s) on conflict do nothing", (step,))

    def _advised(self, failure: Failure) -> Failure:
        return advise(failure, Missing.of(failure), self.project.migrations)


def update_vault(connection: psycopg.Connection, secrets: Mapping[str, str]) -> list[str]:
    """Create or update secrets by name; returns warnings. Nothing where the vault is not installed."""
    found = "select to_regprocedure('vault.create_secret(text, text, text, uuid)') is null"
    if connection.execute(found).fetchone() == (True,):
        return ["[db.vault] is left out: the extension supabase_vault is not installed"]
    for name, secret in secrets.items():
        row = connection.execute("select id from vault.secrets where name = %s", (name,)).fetchone()
        if row is None:
            connection.execute("select vault.create_secret(%s, %s)", (secret, name))
        else:
            connection.execute("select vault.update_secret(%s, %s)", (row[0], secret))
    return []
