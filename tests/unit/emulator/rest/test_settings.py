"""PGRST_* variables: how they are read, and which values are refused."""

import pytest

from emulator.rest.__main__ import main
from emulator.rest.settings import RestSettings
from emulator.settings import SettingsError


def test_settings_are_read_and_checked() -> None:
    settings = RestSettings.from_env(
        {
            "PGRST_DB_SCHEMAS": "a, b",
            "PGRST_MAX_ROWS": "7",
            "PGRST_APP_SETTINGS_x_Y": "1",
            "PGRST_DB_EXTRA_SEARCH_PATH": "",
            "PGRST_JWT_SECRET": "bG9uZyBlbm91Z2ggZm9yIGFueWJvZHkgdG8gdXNl",
            "PGRST_JWT_SECRET_IS_BASE64": "true",
            "PGRST_DB_TX_END": "rollback-allow-override",
            "OTHER": "x",
        }
    )
    assert (settings.db_schemas, settings.db_max_rows, settings.db_extra_search_path) == (("a", "b"), 7, ())
    assert settings.app_settings == (("app.settings.x_Y", "1"),)
    assert settings.jwt_secret == b"long enough for anybody to use"
    assert settings.rolls_back
    assert settings.tx_override_allowed
    assert settings.overridden({"db_max_rows": "3"}).db_max_rows == 3


@pytest.mark.parametrize(
    "env",
    [
        {"PGRST_JWT_SECRET": "short"},
        {"PGRST_DB_POOL": "many"},
        {"PGRST_DB_TX_END": "maybe"},
        {"PGRST_DB_SCHEMAS": "pg_catalog"},
        {"PGRST_OPENAPI_MODE": "secret"},
    ],
)
def test_bad_settings_are_refused(env: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        RestSettings.from_env(env)


def test_a_secret_file_that_cannot_be_read_is_named() -> None:
    with pytest.raises(SettingsError, match="PGRST_JWT_SECRET names a file that can't be read"):
        RestSettings.from_env({"PGRST_JWT_SECRET": "@/no/such/file"})


def test_old_names_of_variables_are_read_after_the_new_ones() -> None:
    assert RestSettings.from_env({"PGRST_DB_SCHEMA": "old"}).db_schemas == ("old",)
    assert RestSettings.from_env({"PGRST_DB_SCHEMA": "old", "PGRST_DB_SCHEMAS": "new"}).db_schemas == ("new",)


def test_sockets_and_what_is_not_read() -> None:
    settings = RestSettings.from_env(
        {
            "PGRST_SERVER_UNIX_SOCKET": "/tmp/pgrst.sock",
            "PGRST_SERVER_UNIX_SOCKET_MODE": "600",
            "PGRST_LOG_LEVEL": "info",
        }
    )
    assert (str(settings.server_unix_socket), settings.server_unix_socket_mode) == ("/tmp/pgrst.sock", 0o600)
    assert settings.admin_server_unix_socket_mode == 0o600
    assert settings.ignored == ("PGRST_LOG_LEVEL",)


@pytest.mark.parametrize("mode", ["rw", "477", "1000", "888"])
def test_a_socket_has_a_mode_that_lets_somebody_in(mode: str) -> None:
    with pytest.raises(SettingsError, match="PGRST_SERVER_UNIX_SOCKET_MODE must be"):
        RestSettings.from_env({"PGRST_SERVER_UNIX_SOCKET_MODE": mode})


def test_the_command_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["emulator.rest"])
    monkeypatch.setenv("PGRST_DB_TX_END", "sometimes")
    monkeypatch.setattr("emulator.rest.__main__.configure", lambda _: None)
    assert main() == 2
    assert capsys.readouterr().err.startswith("rest: PGRST_DB_TX_END is one of")
