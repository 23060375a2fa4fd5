"""Hooks that are functions of the database: `pg-functions://<any>/<schema>/<function>`."""

import json

import psycopg
from psycopg import sql

from emulator.auth import errors
from emulator.auth.conf.hooks import HookSettings
from emulator.auth.context import RequestContext
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db

TIMEOUT_S = 2.0


async def call_function(ctx: RequestContext, db: Db | None, hook: HookSettings, payload: Json) -> Json:
    """Its result, {} for null, in the transaction `db` or one of its own; raises unexpected_failure."""
    if db is None:
        async with ctx.transaction() as own:
            return await call_function(ctx, own, hook, payload)
    schema, function = hook.function
    statement = sql.SQL("select {}(%s::jsonb)").format(sql.Identifier(schema, function))
    try:
        await db.execute(f"set local statement_timeout to {int(TIMEOUT_S * 1000)}".encode())
        row = await (await db.execute(statement, [json.dumps(payload)])).fetchone()
        await db.execute("set local statement_timeout to default")
    except psycopg.errors.QueryCanceled as error:  # too slow
        raise errors.hook_failed(hook.uri) from error
    except psycopg.OperationalError:
        raise
    except psycopg.DatabaseError as error:
        raise errors.hook_failed(hook.uri) from error
    result = row[0] if row else None
    if result is None or result == "":  # null or void
        return {}
    if not isinstance(result, dict):
        raise errors.unexpected_failure("Error unmarshaling JSON output.")
    return result
