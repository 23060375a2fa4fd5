"""What a function may ask for as a parameter: who calls, and the database."""

from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPBearer

from emulator.principal import Principal
from muster_functions.runtime import database, errors

# Only described here: the dispatcher has verified the token before the function runs.
BEARER = HTTPBearer(auto_error=False, scheme_name="token", bearerFormat="JWT")


def _caller(request: Request, _: Annotated[object, Security(BEARER)]) -> Principal:
    caller: Principal | None = request.state.caller
    if caller is None:
        raise errors.missing_token()
    return caller


def _database(request: Request) -> database.Database:
    found: database.Database = request.app.state.database
    return found


Caller = Annotated[Principal, Depends(_caller)]
Database = Annotated[database.Database, Depends(_database)]
