"""What the service reads. The names are those of the edge runtime's container in the official CLI, where it has one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from emulator.settings import Port, Settings, Variable

Secret = Annotated[str, Field(repr=False)]


class FunctionRules(BaseModel):
    """`[functions.<slug>]` of config.toml. Paths are absolute; None means the usual place."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, extra="ignore")

    enabled: bool = True
    verify_jwt: Annotated[bool, Field(alias="verifyJWT")] = True
    entrypoint_path: Path | None = None
    import_map_path: Path | None = None
    static_files: tuple[str, ...] = ()
    env: Mapping[str, str] = Field(default_factory=dict, repr=False)


def _read_json(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ValueError("must be a JSON object") from error


def _read_rules(value: dict[str, Any]) -> dict[str, FunctionRules]:
    return {slug: FunctionRules.model_validate(rules) for slug, rules in value.items()}


Rules = Annotated[dict[str, Any], BeforeValidator(_read_json), AfterValidator(_read_rules)]
Variables = Annotated[dict[str, str], BeforeValidator(_read_json), Field(repr=False)]


class FunctionsSettings(Settings):
    """Without `directory` there are no functions, without `deno` they answer BOOT_ERROR.

    `memory_mb`, `cpu_s`, `wall_clock_s` and `boot_s` are the edge runtime's limits: of a process, of a request's
    processor time, of a request, of a start. `idle_s`: a process that has served nothing for so long is stopped.
    `secrets` are the values of `[edge_runtime.secrets]`, `env_file` replaces all .env files of the project.
    """

    directory: Annotated[Path | None, Variable("FUNCTIONS_DIR")] = None
    rules: Annotated[Rules, Variable("SUPABASE_INTERNAL_FUNCTIONS_CONFIG")] = Field(default_factory=dict)
    secrets: Annotated[Variables, Variable("FUNCTIONS_SECRETS")] = Field(default_factory=dict)
    env_file: Annotated[Path | None, Variable("FUNCTIONS_ENV_FILE")] = None
    deno: Annotated[Path | None, Variable("FUNCTIONS_DENO")] = None
    # Where downloaded modules stay, and below it what is made for each process.
    cache: Annotated[Path, Variable("FUNCTIONS_CACHE_DIR")] = Path("~/.cache/muster/deno")
    jwt_secret: Secret = ""
    jwks: Annotated[Secret, Variable("SUPABASE_JWKS")] = '{"keys":[]}'
    supabase_url: str = ""
    anon_key: Annotated[Secret, Variable("SUPABASE_ANON_KEY")] = ""
    service_role_key: Annotated[Secret, Variable("SUPABASE_SERVICE_ROLE_KEY")] = ""
    publishable_keys: Annotated[Secret, Variable("SUPABASE_PUBLISHABLE_KEYS")] = "{}"
    secret_keys: Annotated[Secret, Variable("SUPABASE_SECRET_KEYS")] = "{}"
    database_url: Annotated[Secret, Variable("SUPABASE_DB_URL")] = ""
    memory_mb: Annotated[int, Variable("FUNCTIONS_MEMORY_MB"), Field(ge=32)] = 256
    cpu_s: Annotated[float, Variable("FUNCTIONS_CPU_S"), Field(gt=0)] = 2.0
    wall_clock_s: Annotated[float, Variable("FUNCTIONS_WALL_CLOCK_S"), Field(gt=0)] = 150.0
    boot_s: Annotated[float, Variable("FUNCTIONS_BOOT_S"), Field(gt=0)] = 10.0
    idle_s: Annotated[float, Variable("FUNCTIONS_IDLE_S"), Field(gt=0)] = 300.0
    max_workers: Annotated[int, Variable("FUNCTIONS_MAX_WORKERS"), Field(ge=1)] = 20
    host: str = "127.0.0.1"
    port: Port = 9000
    serve_socket: Annotated[Path | None, Variable("FUNCTIONS_SERVE_SOCKET")] = None
    inspect: Annotated[str, Variable("FUNCTIONS_INSPECT")] = ""
