"""docker-compose.yml and the files it mounts and builds, as far as they can be checked without Docker."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import yaml
from psycopg import sql

from emulator.auth.api.settings import VERSION as AUTH_VERSION
from emulator.db.migrations import list_migrations
from emulator.gateway.static import PAGE_SECURITY
from emulator.paths import CHECKOUT
from emulator.rest.response.types import VERSION as REST_VERSION
from emulator.storage.api.misc import VERSION as STORAGE_VERSION
from muster_cli.stack.compose import Choices, make_env, write_env
from muster_cli.stack.render import render_all
from muster_cli.stack.services import read_variables
from muster_functions.emails.auth import AUTH_MAILS, render_template
from tests.support.commands import run
from tests.support.compose import (
    COMPOSE_FILE,
    CONTAINERS,
    LISTENERS,
    Wired,
    find_caddy,
    interpolate,
    load_compose,
    psql,
    start_caddy,
    stop_all,
    write_site,
)  # fmt: skip
from tests.support.postgres import Database, free_port

ENV = make_env(Choices("http://127.0.0.1:8000"), int(time.time()))
STACK = load_compose(ENV)
SERVICES: dict[str, dict[str, Any]] = STACK["services"]
DIFFERENCES = (CHECKOUT / "docs" / "known-differences.md").read_text("utf8")
DOCKERFILES = sorted(CONTAINERS.glob("*.Dockerfile"))
DURATION = re.compile(r"\d+(ms|s|m|h)")


def environment_values() -> Iterator[tuple[str, str, Any]]:
    for name, service in SERVICES.items():
        for variable, value in service.get("environment", {}).items():
            yield name, variable, value


def test_the_schema_of_compose_is_kept() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    files = [str(COMPOSE_FILE), str(CONTAINERS / "tls.yml")]
    command = [str(checker), "--builtin-schema", "vendor.compose-spec", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_workflow_keeps_its_schema() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    files = [str(file) for file in (CHECKOUT / ".github" / "workflows").iterdir()]
    command = [str(checker), "--builtin-schema", "vendor.github-workflows", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_compose_itself_can_read_it(tmp_path: Path) -> None:
    command = ["docker", "compose"] if _has_plugin() else ["docker-compose"]
    if shutil.which(command[0]) is None:
        pytest.skip("neither docker compose nor docker-compose is here")
    write_env(ENV, tmp_path / ".env")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    files = ["-f", str(COMPOSE_FILE), "-f", str(CONTAINERS / "tls.yml")]
    arguments = ["--env-file", str(tmp_path / ".env"), *files, "config", "-q"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


def _has_plugin() -> bool:
    return (
        bool(shutil.which("docker"))
        and not subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode
    )


def test_every_variable_is_made_by_config_init() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)", COMPOSE_FILE.read_text("utf8")))
    optional = {
        "MAIL_PER_HOUR", "OAUTH_REGISTRATION", "SIGN_IN_LIMIT", "STORAGE_FILE_SIZE_LIMIT", "TRUSTED_PROXY",
        "VAPID_SUBJECT",
    }  # fmt: skip
    assert asked - optional <= ENV.keys()


def test_a_missing_secret_stops_at_once() -> None:
    for name in ("POSTGRES_PASSWORD", "JWT_SECRET", "ANON_KEY", "SERVICE_ROLE_KEY", "PUBLIC_URL", "SECRET_KEY_BASE"):
        with pytest.raises(KeyError, match=name):
            load_compose({**ENV, name: ""})


def test_no_secret_is_written_down() -> None:
    raw = COMPOSE_FILE.read_text("utf8")
    for line in raw.splitlines():
        name, _, value = line.strip().partition(": ")
        if re.search(r"(PASSWORD|SECRET|_KEY|_KEY_BASE|_PASS)$", name):
            assert value.startswith("${"), line


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_bounded_logged_and_restarted(name: str) -> None:
    service = SERVICES[name]
    assert service["mem_limit"]
    assert service["logging"]["options"]["max-size"]
    assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")


@pytest.mark.parametrize("name", SERVICES)
def test_an_image_has_its_exact_version(name: str) -> None:
    image = SERVICES[name]["image"]
    assert re.fullmatch(r"[a-z/-]+:(v?\d+(\.\d+){1,3}(-alpine)?|local)", image), image
    assert ("build" in SERVICES[name]) == image.endswith(":local")


def test_what_is_waited_for_can_happen() -> None:
    for name, service in SERVICES.items():
        for other, how in service.get("depends_on", {}).items():
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], f"{name} waits for {other}"
            else:
                assert SERVICES[other]["restart"] == "no", f"{name} waits for the end of {other}"


def test_dependencies_have_no_circle() -> None:
    def behind(name: str, seen: tuple[str, ...] = ()) -> None:
        assert name not in seen, " -> ".join((*seen, name))
        for other in SERVICES[name].get("depends_on", {}):
            behind(other, (*seen, name))

    for name in SERVICES:
        behind(name)


def test_health_checks_have_real_durations() -> None:
    for service in SERVICES.values():
        for key in ("interval", "timeout", "start_period"):
            assert DURATION.fullmatch(service.get("healthcheck", {}).get(key, "1s"))


def test_only_the_gateway_is_published() -> None:
    for name, service in SERVICES.items():
        for port in service.get("ports", []):
            assert name in ("gateway", "emulator") or port.startswith("127.0.0.1:"), f"{name}: {port}"
    assert {name for name, service in SERVICES.items() if service.get("ports")} == {
        "gateway", "db", "mailpit", "emulator",
    }  # fmt: skip


def test_what_is_mounted_is_there() -> None:
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (CHECKOUT / source).exists(), source
                assert volume.endswith(":ro"), volume
            else:
                assert source in STACK["volumes"]


def test_every_value_is_a_string() -> None:
    assert [(name, variable) for name, variable, value in environment_values() if not isinstance(value, str)] == []


def test_one_secret_is_read_by_all_who_verify_tokens() -> None:
    readers = {f"{name}.{variable}" for name, variable, value in environment_values() if value == ENV["JWT_SECRET"]}
    wanted = {"auth.GOTRUE_JWT_SECRET", "rest.PGRST_JWT_SECRET", "realtime.API_JWT_SECRET", "functions.JWT_SECRET"}
    assert wanted <= readers


def test_variables_are_interpolated_as_compose_does() -> None:
    assert interpolate("a$$b ${X:-c} ${Y}", {"Y": "y"}) == "a$b c y"


@pytest.mark.parametrize("file", ["Caddyfile", "web.Caddyfile"])
@pytest.mark.parametrize("address", [":8000", ":8000, https://muster.example"])
def test_caddy_accepts_its_files(file: str, address: str, tmp_path: Path) -> None:
    caddy = find_caddy()
    if caddy is None:
        pytest.skip("no Caddy: apt install caddy, or set MUSTER_CADDY to its path")
    home = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "SITE_ADDRESS": address}
    command = [caddy, "validate", "--adapter", "caddyfile", "--config", str(CONTAINERS / file)]
    done = subprocess.run(command, capture_output=True, text=True, env={**ENV, **home}, check=False)
    assert done.returncode == 0, done.stderr


def test_an_article_is_a_page_while_the_functions_are_away(tmp_path: Path) -> None:
    if find_caddy() is None:
        pytest.skip("no Caddy: apt install caddy, or set MUSTER_CADDY to its path")
    write_site(tmp_path / "site")
    (tmp_path / "site" / "assets").mkdir()
    for name in ("app.js", "app.js.br"):
        (tmp_path / "site" / "assets" / name).write_text("let x = 1;\n")
    wired = Wired(ENV, {name: free_port() for name in (*LISTENERS, "gateway-metrics")})
    try:
        start_caddy(
            wired, "web.Caddyfile", {**wired.environment("web"), "WEB_ROOT": str(tmp_path / "site")}, "web", tmp_path
        )
        gateway = wired.environment("gateway") | {"SITE_ADDRESS": f":{wired.ports['gateway']}"}
        start_caddy(wired, "Caddyfile", gateway, "gateway", tmp_path)
        page = httpx.get(f"{wired.url}/blog/a-slug", headers={"Accept": "text/html"})
        feed = httpx.get(f"{wired.url}/feed.xml")
        landing, lost = (httpx.get(wired.url + path, headers={"Accept": "text/html"}) for path in ("/", "/none"))
        moved = [
            httpx.get(wired.url + path) for path in ("/settings/mentions/", "/BLOG?q=x", "/Blog/A-Slug", "/POST/a%20b/")
        ]
        script = httpx.get(f"{wired.url}/assets/app.js", headers={"Accept-Encoding": "br, gzip"})
    finally:
        stop_all(wired)
    assert (page.status_code, page.text) == (200, (tmp_path / "site" / "app.html").read_text())
    assert feed.status_code == 502
    assert (landing.status_code, landing.text) == (200, (tmp_path / "site" / "index.html").read_text())
    assert (lost.status_code, lost.text) == (404, page.text)
    assert [(answer.status_code, answer.headers.get("location")) for answer in moved] == [
        (308, "/settings/mentions"), (308, "/blog?q=x"), (308, "/blog/A-Slug"), (308, "/post/a%20b"),
    ]  # fmt: skip
    assert script.headers["content-encoding"] == "br"


def test_the_rendered_files_are_as_supabase_config_says() -> None:
    """./muster config render writes them anew."""
    rendered = render_all()
    assert rendered
    assert {file: file.read_text("utf8") for file in rendered} == rendered


def test_both_backends_have_the_same_settings() -> None:
    """A variable that both have differs only where it is an address."""
    containers, embedded = read_variables("containers"), read_variables("embedded")
    differing = {
        name
        for service in embedded
        for name, value in embedded[service].items()
        if containers[service].get(name, value) != value
    }
    addresses = re.compile(r"DB_(HOST|PORT|NAME)|\w+_(URL|URI)|GOTRUE_MAILER_TEMPLATES_\w+|\w+_PATH")
    assert [name for name in sorted(differing) if not addresses.fullmatch(name)] == []


def test_both_backends_name_the_same_versions() -> None:
    """What /auth/v1/health and /storage/v1/version say; PostgREST's is a known difference."""
    assert SERVICES["auth"]["image"] == f"supabase/gotrue:{AUTH_VERSION}"
    assert SERVICES["storage"]["image"] == f"supabase/storage-api:v{STORAGE_VERSION}"
    (row,) = re.findall(r"\| PostgREST is (v[\d.]+), the emulator's REST speaks the dialect of (\d+)", DIFFERENCES)
    assert row == (SERVICES["rest"]["image"].partition(":")[2], REST_VERSION.partition(" ")[0])


def test_the_original_keeps_its_connections_and_sends_codes() -> None:
    auth = SERVICES["auth"]["environment"]
    assert auth["GOTRUE_DB_MAX_IDLE_POOL_SIZE"] == auth["GOTRUE_DB_MAX_POOL_SIZE"]
    kinds = {name.rsplit("TEMPLATES_")[1].lower() for name in auth if name.startswith("GOTRUE_MAILER_TEMPLATES_")}
    assert kinds == set(AUTH_MAILS)
    # An invitation of the administration's is accepted by its link: no page takes a code for it.
    assert {kind for kind in kinds if "{{ .Token }}" not in render_template(kind)} == {"invite"}


def test_the_web_container_sends_the_emulators_security_headers() -> None:
    text = (CONTAINERS / "web.Caddyfile").read_text("utf8")
    for name, value in PAGE_SECURITY:
        assert value.decode() in text, name.decode()


@pytest.mark.parametrize("file", DOCKERFILES, ids=lambda file: file.stem)
def test_an_image_is_built_from_locks_and_runs_unprivileged(file: Path) -> None:
    lines = [line.strip() for line in file.read_text("utf8").splitlines() if line and not line.startswith("#")]
    sources = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert all(re.search(r":\d", source) for source in sources), "a base without version"
    assert [line for line in lines if line.startswith("USER ")][-1] == "USER 10001"
    assert not [line for line in lines if line.startswith("ADD ")]
    assert "--require-hashes" in file.read_text("utf8") or "npm ci" in file.read_text("utf8")
    assert "npm install" not in file.read_text("utf8")
    assert lines[-1].startswith("CMD [")


def test_the_builder_gets_no_secrets() -> None:
    ignored = (CHECKOUT / ".dockerignore").read_text("utf8").splitlines()
    assert "*" in ignored
    assert ignored[-1] == "**/.env*"


def test_the_linters_find_nothing() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("no shellcheck: apt install shellcheck")
    files = [str(CHECKOUT / name) for name in ("muster", ".ci/run", ".ci/platforms", ".ci/walk", ".github/certificate")]
    done = subprocess.run([shellcheck, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def run_migrate(database: Database, folder: Path, **changes: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        "PATH": os.environ["PATH"], "PGHOST": "127.0.0.1", "PGPORT": str(database.cluster.port), "PGUSER": "postgres",
        "PGDATABASE": database.name, "PGPASSWORD": database.cluster.password, "MIGRATIONS_DIR": str(folder),
        "WAIT_TRIES": "2", "WAIT_SLEEP": "0.05", **changes,
    }  # fmt: skip
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:  # a clone is its maker's
        connection.execute(sql.SQL("alter database {} owner to postgres").format(sql.Identifier(database.name)))
    return run(module="emulator.db.migrate", env=environment)


def _versions(database: Database) -> list[str]:
    with psycopg.connect(database.dsn()) as connection:
        rows = connection.execute("select version from supabase_migrations.schema_migrations order by 1").fetchall()
    return [row[0] for row in rows]


def test_migrate_agrees_with_muster_on_what_is_applied(database: Database) -> None:
    before = _versions(database)
    again = run_migrate(database, CHECKOUT / "supabase" / "migrations")
    assert (again.returncode, again.stdout) == (0, "")
    assert _versions(database) == before == [item.version for item in list_migrations()]


def _folder_of_migrations(folder: Path) -> Path:
    """A folder with the project's migrations, to put more beside them."""
    for migration in list_migrations():
        shutil.copy(migration.path, folder)
    return folder


def test_migrate_applies_what_is_new_once(database: Database, tmp_path: Path) -> None:
    _folder_of_migrations(tmp_path)
    (tmp_path / "20990101000000_create_x.sql").write_text("create table public.x (n integer);")
    for printed in ("migrate: 20990101000000_create_x.sql\n", ""):
        ran = run_migrate(database, tmp_path)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, printed, "")
    assert _versions(database)[-1] == "20990101000000"


def test_a_broken_migration_leaves_nothing_and_stops(database: Database, tmp_path: Path) -> None:
    _folder_of_migrations(tmp_path)
    (tmp_path / "20990101000000_break.sql").write_text("create table public.x (n integer); select 1 / 0;")
    (tmp_path / "20990101000001_after.sql").write_text("create table public.y (n integer);")
    ran = run_migrate(database, tmp_path)
    assert ran.returncode != 0
    assert "division by zero" in ran.stderr
    with psycopg.connect(database.dsn()) as connection:
        assert connection.execute("select to_regclass('public.x'), to_regclass('public.y')").fetchone() == (None, None)
    assert "20990101000000" not in _versions(database)


def test_a_file_that_is_no_migration_is_skipped_and_named(database: Database, tmp_path: Path) -> None:
    _folder_of_migrations(tmp_path)
    (tmp_path / "nonsense.sql").write_text("select 1 / 0;")
    ran = run_migrate(database, tmp_path)
    assert ran.returncode == 0
    assert "Skipping migration nonsense.sql..." in ran.stderr


def test_a_name_with_a_quote_is_recorded(database: Database, tmp_path: Path) -> None:
    _folder_of_migrations(tmp_path)
    (tmp_path / "20990101000000_a'b.sql").write_text("select 1;")
    assert run_migrate(database, tmp_path).returncode == 0
    assert "20990101000000" in _versions(database)


@pytest.mark.usefixtures("database")  # the roles are the cluster's, and come with the first bootstrap
def test_migrate_gives_up_when_the_services_never_come(bare_database: Database, tmp_path: Path) -> None:
    ran = run_migrate(bare_database, tmp_path)
    assert ran.returncode == 1
    assert "never appeared" in ran.stderr


@pytest.mark.usefixtures("database")  # the roles are the cluster's, and come with the first bootstrap
def test_the_init_scripts_set_passwords_from_the_environment(bare_database: Database) -> None:
    """Run as the image runs them; passwords are back afterwards (roles are the cluster's)."""
    env = {**SERVICES["db"]["environment"], "PGPASSWORD": bare_database.cluster.password}
    text = (
        (CONTAINERS / "db" / "jwt.sql").read_text("utf8").replace("database postgres", f"database {bare_database.name}")
    )
    superuser = bare_database.dsn("supabase_admin")
    for arguments in (["-f", str(CONTAINERS / "db" / "realtime.sql")], ["-f", str(CONTAINERS / "db" / "roles.sql")]):
        ran = psql(superuser, env, *arguments)
        assert (ran.returncode, ran.stderr) == (0, "")
    script = subprocess.run(
        ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", superuser, "-f", "-"], input=text, text=True,
        capture_output=True, env={"PATH": os.environ["PATH"], "JWT_EXP": env["JWT_EXP"]}, check=False,
    )  # fmt: skip
    assert script.returncode == 0, script.stderr
    with psycopg.connect(bare_database.dsn("authenticator")) as connection:
        assert connection.execute("select current_user").fetchone() == ("authenticator",)
        assert connection.execute("show app.settings.jwt_exp").fetchone() == ("3600",)


@pytest.mark.parametrize(
    ("setting", "want"),
    [
        pytest.param("pgoutput", "alter system set output_plugin_libraries = 'pgoutput', 'wal2json'", id="lacking"),
        pytest.param("pgoutput, wal2json", None, id="there"),
        pytest.param("", None, id="no list"),
        pytest.param("*", None, id="all"),
        pytest.param(None, None, id="a version without"),
    ],
)
def test_wal2json_is_allowed_where_postgresql_asks_for_it(
    bare_database: Database, setting: str | None, want: str | None
) -> None:
    """The setting is that of the image's PostgreSQL, so its row stands in a temporary table here."""
    script = (CONTAINERS / "db" / "realtime.sql").read_text("utf8")
    statement = script[script.index("select format(") : script.index("\\gexec")]
    with psycopg.connect(bare_database.dsn("supabase_admin")) as connection:
        connection.execute("create temporary table pg_settings (name text, setting text)")
        if setting is not None:
            connection.execute("insert into pg_settings values ('output_plugin_libraries', %s)", (setting,))
        assert connection.execute(sql.SQL(statement)).fetchall() == ([(want,)] if want else [])


def test_the_tls_file_only_adds_ports() -> None:
    assert yaml.safe_load((CONTAINERS / "tls.yml").read_text("utf8")) == {
        "services": {"gateway": {"ports": ["80:80", "443:443", "443:443/udp"]}}
    }
