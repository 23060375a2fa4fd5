"""The catalogue of refusals, the table of SQLSTATEs, settings, and the reading of view rules."""

import inspect

import pytest

from emulator.db.statement import ConnectionFailed, ConnectionLost, PoolTimeout, StatementError
from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.response.database_errors import to_api_error
from emulator.rest.response.error_response import error_body
from emulator.rest.response.guc_headers import parse_response_headers
from emulator.rest.response.openapi.types import default_of, format_of, items_of, type_of
from emulator.rest.response.respond import content_range
from emulator.rest.schema_cache.view_columns import read_view_columns
from emulator.rest.settings import RestSettings
from emulator.settings import SettingsError


def _constructed() -> list[ApiError]:
    made: list[ApiError] = []
    for name, function in inspect.getmembers(errors, inspect.isfunction):
        if name.startswith("_") or name == "status_of":
            continue
        kinds = [parameter.annotation for parameter in inspect.signature(function).parameters.values()]
        made.append(
            function(
                *(
                    1 if kind is int else ["a"] if "Sequence" in str(kind) else [] if "list" in str(kind) else "a"
                    for kind in kinds
                )
            )
        )
    return made


def test_every_refusal_has_a_code_and_a_client_status() -> None:
    catalogue = _constructed()
    assert len(catalogue) > 35
    for error in catalogue:
        assert error.code.startswith("PGRST") or error.code == "22021"
        assert 300 <= error.status <= 504
        assert error_body(error).startswith(b'{"code":')


@pytest.mark.parametrize(
    ("sqlstate", "message", "anonymous", "status"),
    [
        ("42501", "", True, 401),
        ("42501", "", False, 403),
        ("42883", "", False, 404),
        ("42P01", "", False, 404),
        ("42883", "function xmlagg(x)", False, 406),
        ("23505", "", False, 409),
        ("23502", "", False, 400),
        ("25006", "", False, 405),
        ("25P02", "", False, 500),
        ("57014", "", False, 500),
        ("57P01", "", False, 503),
        ("53300", "", False, 503),
        ("53400", "", False, 500),
        ("40001", "", False, 500),
        ("21000", "x", False, 500),
        ("21000", "DELETE requires a WHERE clause", False, 400),
        ("22023", 'role "x" does not exist', False, 401),
        ("22P02", "", False, 400),
        ("P0001", "", False, 400),
        ("P0002", "", False, 500),
        ("PT418", "", False, 418),
        ("PTxyz", "", False, 500),
        ("08006", "", False, 503),
        ("XX000", "", False, 500),
        ("28000", "", False, 403),
    ],
)
def test_an_sqlstate_has_its_status(sqlstate: str, message: str, anonymous: bool, status: int) -> None:
    assert errors.status_of(sqlstate, message, is_anonymous=anonymous) == status


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PoolTimeout(), "PGRST003"),
        (ConnectionFailed("x"), "PGRST000"),
        (ConnectionLost("x"), "PGRST001"),
        (StatementError({"sqlstate": "PGRST", "message_primary": "no json"}), "PGRST121"),
        (StatementError({"sqlstate": "PGRST", "message_primary": '{"code":"a","message":"b"}'}), "PGRST121"),
        (
            StatementError(
                {
                    "sqlstate": "PGRST",
                    "message_primary": '{"code":"a","message":"b"}',
                    "message_detail": '{"status":402,"headers":{"X":"y"}}',
                }
            ),
            "a",
        ),
    ],
)
def test_database_errors_are_translated(error: Exception, code: str) -> None:
    assert to_api_error(error, is_anonymous=False)[0].code == code


def test_content_range() -> None:
    assert content_range(0, 4, None) == "0-4/*"
    assert content_range(5, 4, 10) == "*/10"
    assert content_range(0, 0, 0) == "*/0"


@pytest.mark.parametrize(
    "text", [b"{}", b"[1]", b'[{"a":1}]', b'[{"a":"b","c":"d"}]', b'[{"a":"x\\r\\nB: y"}]', b"nope"]
)
def test_malformed_header_overrides_are_refused(text: bytes) -> None:
    with pytest.raises(ApiError, match="response.headers"):
        parse_response_headers(text)


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
def test_unsafe_settings_refuse_to_start(env: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        RestSettings.from_env(env)


def test_only_the_outer_target_list_of_a_view_counts() -> None:
    rule = (
        "({QUERY :commandType 1 :rtable ({RANGETBLENTRY :subquery {QUERY :targetList ({TARGETENTRY :expr {VAR :x 1} "
        ":resno 9 :resname inner :resorigtbl 99 :resorigcol 9 :resjunk false})}}) :targetList ({TARGETENTRY :expr "
        "{VAR :varno 1} :resno 1 :resname a\\ \\{b :ressortgroupref 0 :resorigtbl 42 :resorigcol 3 :resjunk false} "
        "{TARGETENTRY :expr {FUNCEXPR :args ({VAR :x 1})} :resno 2 :resname n :resorigtbl 0 :resorigcol 0})"
        " :returningList <>})"
    )
    assert list(read_view_columns(rule)) == [(1, 42, 3)]


def test_types_in_the_words_of_swagger() -> None:
    assert (type_of("integer"), format_of("integer")) == ({"type": "integer"}, "int32")
    assert (type_of("text[]"), items_of("text[]")) == ({"type": "array"}, {"items": {"type": "string"}})
    assert type_of("jsonb") == {}
    assert default_of("text", "'x'::text") == "x"
    assert default_of("integer", "nextval('s')") is None
    assert default_of("boolean", "false") is False
