"""The settings of every service of functions."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from emulator.settings import Port, Settings, Variable

Secret = Annotated[str, Field(repr=False)]


class RuntimeSettings(Settings):
    """`timeout_s` and `max_body_bytes` hold for functions without limits of their own.

    `development`: serve the API description, which names `supabase_url`. The two keys are kept for functions that call
    the API.
    """

    jwt_secret: Secret
    database_url: Annotated[Secret, Variable("SUPABASE_DB_URL")]
    supabase_url: Annotated[str, AfterValidator(lambda url: url.rstrip("/"))] = ""
    anon_key: Annotated[Secret, Variable("SUPABASE_ANON_KEY")] = ""
    service_role_key: Annotated[Secret, Variable("SUPABASE_SERVICE_ROLE_KEY")] = ""
    functions_dir: Path
    host: str = "127.0.0.1"
    port: Port = 8000
    development: Annotated[bool, Variable("FUNCTIONS_DEVELOPMENT")] = False
    timeout_s: Annotated[float, Variable("FUNCTIONS_TIMEOUT_S"), Field(ge=1)] = 150.0
    max_body_bytes: Annotated[int, Variable("FUNCTIONS_MAX_BODY_BYTES"), Field(ge=1)] = 10 * 1024 * 1024
