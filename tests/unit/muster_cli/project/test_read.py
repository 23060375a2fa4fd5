"""Reading a configuration: generations of names, env(), overrides, and one clear line for each mistake."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from emulator.paths import CHECKOUT
from muster_cli.output import UserError
from muster_cli.project.config import ProjectConfig
from muster_cli.project.find import Project
from muster_cli.project.read import Loaded, load
from tests.unit.muster_cli.project.test_derive import leaves

EVERY_KEY = CHECKOUT / "tests" / "projects" / "every_key"


def read(folder: Path, text: str, env: Mapping[str, str] | None = None, name: str = "config.toml") -> Loaded:
    (folder / "supabase").mkdir(exist_ok=True)
    (folder / "supabase" / name).write_text(text, "utf8")
    return load(Project(folder), env or {})


def test_an_empty_file_has_every_default(tmp_path: Path) -> None:
    found = read(tmp_path, "")
    assert (found.config.api.port, found.config.db.port, found.config.db.seed.sql_paths) == (
        54321, 54322, ("./seed.sql",),
    )  # fmt: skip
    assert found.config.root == tmp_path / "supabase"
    assert found.warnings == ()


def test_a_project_without_a_file_has_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    assert load(Project(tmp_path), {}).config.auth.minimum_password_length == 6


def test_the_product_s_own_file_is_read_without_a_word() -> None:
    assert load(Project(CHECKOUT), {}).warnings == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("config.toml", "#:schema https://x/config/v1.json\n[inbucket]\nport = 1\n", id="inbucket"),
        pytest.param("config.toml", "[local_smtp]\nport = 1\n", id="local_smtp"),
        pytest.param("config.json", '{"$schema": "x", "local_smtp": {"port": 1}}', id="json"),
        pytest.param("config.jsonc", '{ // a\n "local_smtp": {"port": 1, /* b */ }, "x//y": {},\n}', id="jsonc"),
        pytest.param("config.toml", "\ufeff[local_smtp]\nport = 1\n", id="byte-order-mark"),
    ],
)
def test_every_generation_is_read(tmp_path: Path, name: str, text: str) -> None:
    assert read(tmp_path, text, name=name).config.mailbox.port == 1


def test_older_names_of_keys_are_understood(tmp_path: Path) -> None:
    config = read(
        tmp_path,
        "[auth.email]\nenable_signup = false\n[auth.sms]\nenable_signup = true\n"
        '[auth.external.linkedin]\nenabled = true\nclient_id = "a"\nsecret = "b"\n'
        "[auth.external.slack]\nenabled = false\n",
    ).config
    assert (config.auth.email.enabled, config.auth.sms.enabled) == (False, True)
    assert set(config.auth.external) == {"linkedin_oidc", "slack_oidc"}


def test_env_takes_the_type_of_its_key(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("PORT=1234\nLIST=a, b\nNO=f\n")
    config = read(
        tmp_path,
        '[api]\nport = "env(PORT)"\nschemas = "env(LIST)"\n[auth]\nenable_signup = "env(NO)"\nsite_url = "env(PORT)"\n',
    ).config
    assert (config.api.port, config.api.schemas, config.auth.enable_signup, config.auth.site_url) == (
        1234, ("a", "b"), False, "1234",
    )  # fmt: skip


def test_an_unset_variable_leaves_its_literal_and_is_named_once(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        '[auth]\nsite_url = "env(SITE)"\njwt_expiry = "env(EXPIRY)"\n[studio]\nopenai_api_key = "env(OPENAI)"\n'
        '[auth.external.github]\nenabled = false\nsecret = "env(OFF)"\n',
    )
    assert (found.config.auth.site_url, found.config.auth.jwt_expiry) == ("env(SITE)", 3600)
    assert "environment variables are unset: EXPIRY, SITE" in found.warnings


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("SUPABASE_AUTH_SITE_URL", "http://x", "auth.site_url"),
        ("SUPABASE_API_PORT", "1", "api.port"),
        ("SUPABASE_DB_SEED_ENABLED", "false", "db.seed.enabled"),
        ("SUPABASE_AUTH_MFA_TOTP_ENROLL_ENABLED", "true", "auth.mfa.totp.enroll_enabled"),
        ("SUPABASE_LOCAL_SMTP_PORT", "2", "mailbox.port"),
        ("SUPABASE_INBUCKET_PORT", "2", "mailbox.port"),
        ("SUPABASE_AUTH_ADDITIONAL_REDIRECT_URLS", "a,b", "auth.additional_redirect_urls"),
    ],
)
def test_a_variable_replaces_a_key(tmp_path: Path, name: str, value: str, key: str) -> None:
    def value_of(loaded: Loaded) -> object:
        found: object = loaded.config
        for step in key.split("."):
            found = getattr(found, step)
        return found

    before, after = value_of(read(tmp_path, "")), value_of(read(tmp_path, "", {name: value}))
    assert before != after
    assert str(after).lower().replace(" ", "").strip("()").replace("'", "") == value


def test_an_optional_section_is_replaced_only_where_the_file_has_it(tmp_path: Path) -> None:
    env = {"SUPABASE_AUTH_EMAIL_SMTP_HOST": "smtp.example"}
    assert read(tmp_path, "", env).config.auth.email.smtp is None
    found = read(tmp_path, "[auth.email.smtp]\nport = 25\n", env).config.auth.email.smtp
    assert found is not None
    assert (found.enabled, found.host) == (True, "smtp.example")


def test_what_is_unknown_is_named_once(tmp_path: Path) -> None:
    found = read(tmp_path, '[api]\nbogus = 1\n[new]\nx = 1\n[auth.hook.later]\nuri = "x"\n[functions.a]\nodd = 1\n')
    assert found.warnings == (
        "supabase/config.toml has unknown keys, which are ignored: api.bogus, auth.hook.later, functions.a.odd, new",
    )


def test_what_has_no_effect_is_one_line(tmp_path: Path) -> None:
    found = read(tmp_path, "[studio]\nport = 1\n[analytics]\n[db.pooler]\nenabled = true\n[db]\nmajor_version = 15\n")
    assert found.warnings == (
        "not supported here and without effect: db.pooler, studio, analytics",
        "db.major_version = 15: the database is PostgreSQL 17",
    )


def test_hosted_sections_are_accepted(tmp_path: Path) -> None:
    text = '[remotes.staging]\nproject_id = "abcdefghijklmnopqrst"\n[remotes.staging.api]\nmax_rows = 1\n'
    assert read(tmp_path, text + "[db.network_restrictions]\nenabled = true\n").warnings == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param('[api]\nmax_rows = "abc"\n', '"abc" is not a non-negative integer', id="number"),
        pytest.param("[api]\nmax_rows = true\n", "true is not a non-negative integer", id="number-of-a-boolean"),
        pytest.param("[api]\nport = 70000\n", "70000 is more than 65535", id="port"),
        pytest.param("[auth]\nenable_signup = 3\n", "3 is not a boolean", id="boolean"),
        pytest.param("[auth]\nsite_url = 3\n", "3 is not a string", id="string"),
        pytest.param("[api]\nschemas = [1]\n", r"\[1\] is not a list of strings", id="list"),
        pytest.param("api = 3\n", "Invalid api in supabase/config.toml: 3 is not a table", id="table"),
        pytest.param("functions = 3\n", "3 is not a table", id="table-of-tables"),
        pytest.param("[functions]\nhello = 3\n", "functions.hello in supabase/config.toml: 3 is not a", id="entry"),
        pytest.param("[auth.email]\nmax_frequency = 60\n", "60 is not a duration", id="duration"),
        pytest.param('[storage]\nfile_size_limit = "big"\n', '"big" is not a size', id="size"),
        pytest.param('[auth]\npassword_requirements = "x"\n', '"x" is not one of', id="literal"),
        pytest.param("[auth]\njwt_expiry = 604801\n", "more than 604800", id="limit"),
        pytest.param('[auth.email.template.invite]\ncontent = "x"\n', "use content_path instead", id="content"),
        pytest.param('[auth.email.template.invite]\ncontent_path = "./a"\n', "./a is not a file", id="template"),
        pytest.param(
            '[auth.email.template.invite]\ncontent_path = "../../etc/passwd"\n', "not a file of", id="outside"
        ),
        pytest.param('[auth]\nsigning_keys_path = "./a"\n', "a does not exist", id="keys"),
        pytest.param('[auth.captcha]\nenabled = true\nprovider = "x"\n', "auth.captcha.provider", id="optional"),
        pytest.param('[auth]\nx = "encrypted:AAAA"\n', "auth.x is too short", id="encrypted"),
        pytest.param("[api\n", "can't be parsed", id="toml"),
        pytest.param(
            "[auth.external.github]\nenabled = true\n", "Missing .*auth.external.github.client_id", id="client"
        ),
        pytest.param('[auth.external.x]\nenabled = true\nclient_id = "a"\n', "auth.external.x.secret", id="secret"),
        pytest.param("[auth.hook.send_sms]\nenabled = true\n", "auth.hook.send_sms.uri", id="hook"),
        pytest.param('[auth.hook.send_sms]\nenabled = true\nuri = "http://x"\n', "send_sms.secrets", id="hook-secret"),
        pytest.param("[auth.email.smtp]\nport = 25\n", "auth.email.smtp.host", id="smtp"),
        pytest.param("[auth.passkey]\nenabled = true\n", "auth.webauthn.rp_id", id="passkey"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as refused:
        read(tmp_path, text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("name", "text"), [("config.json", "{"), ("config.json", "[]"), ("config.jsonc", "// x")])
def test_broken_json_is_one_line(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(UserError, match="can't be parsed"):
        read(tmp_path, text, name=name)


def test_other_bytes_and_deep_nesting_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    (tmp_path / "supabase" / "config.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(UserError, match="not UTF-8"):
        load(Project(tmp_path), {})
    (tmp_path / "supabase" / "config.toml").write_text("a = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(UserError, match="can't be parsed"):
        load(Project(tmp_path), {})


def test_the_first_of_two_files_counts(tmp_path: Path) -> None:
    read(tmp_path, "[api]\nport = 2\n")
    found = read(tmp_path, '{"api": {"port": 1}}', name="config.json")
    assert found.config.api.port == 1
    assert found.warnings == ("ignoring config.toml: config.json counts",)


@pytest.mark.parametrize(
    ("given", "want"), [("a b!", "a_b_"), ("._-x", "x"), ("é" * 3, "project"), ("y" * 50, "y" * 40)]
)
def test_the_name_is_corrected_with_a_warning(tmp_path: Path, given: str, want: str) -> None:
    found = read(tmp_path, f'project_id = "{given}"\n')
    assert found.config.project_id == want
    assert found.warnings == (f"project_id field in config is invalid. Auto-fixing to {want!r}",)


@pytest.mark.parametrize(
    ("text", "want"), [('"50MiB"', 52428800), ('"50MB"', 52428800), ('"1GiB"', 2**30), ("77", 77), ('"1.5k"', 1536)]
)
def test_sizes_are_bytes(tmp_path: Path, text: str, want: int) -> None:
    assert read(tmp_path, f"[storage]\nfile_size_limit = {text}\n").config.storage.file_size_limit == want


def test_the_project_of_the_suite_has_every_key() -> None:
    """A new key of the models has to be written there, too; what can't be set without harm is commented out."""
    text = (EVERY_KEY / "supabase" / "config.toml").read_text("utf8")
    written = tomllib.loads(text.replace("\n# ", "\n"))
    missing = []
    for path, _ in leaves(ProjectConfig):
        table: object = written
        for step in path:
            table = table.get(step) if isinstance(table, dict) else None
        if table is None:
            missing.append(".".join(path))
    assert missing == []
