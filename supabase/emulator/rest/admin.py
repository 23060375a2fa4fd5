"""The admin port: /live, /ready, /schema_cache and /metrics, as PostgREST's."""

import json
from dataclasses import asdict

from emulator.observe.metrics import MEDIA_TYPE, counter, counters, gauge, to_text
from emulator.rest.response.types import HeaderPairs, Response
from emulator.rest.service import RestService


def answer_admin(service: RestService, method: str, path: str) -> Response:
    """Answer a request on the admin port."""
    if method not in ("GET", "HEAD"):
        return Response(405, [])
    if path == "/live":
        return Response(200, [])
    if path == "/ready":
        return Response(_readiness(service), [])
    if path == "/schema_cache":
        return _schema_cache(service)
    if path == "/metrics":
        return Response(200, [("Content-Type", MEDIA_TYPE)], metrics_text(service).encode())
    return Response(404, [])


def _readiness(service: RestService) -> int:
    if service.snapshot is None:
        return 503
    return 200 if service.is_reachable else 503


def _schema_cache(service: RestService) -> Response:
    headers: HeaderPairs = [("Content-Type", "application/json; charset=utf-8")]
    if service.snapshot is None:
        return Response(503, headers, b"{}")
    cache = service.snapshot.cache
    document = {
        "dbTables": [{"id": list(key), **asdict(table)} for key, table in cache.tables.items()],
        "dbRelationships": [[list(key), [asdict(rel) for rel in rels]] for key, rels in cache.relationships.items()],
        "dbRoutines": [[list(key), [asdict(one) for one in overloads]] for key, overloads in cache.functions.items()],
    }
    return Response(200, headers, json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"))


def metrics_text(service: RestService) -> str:
    """The service's metrics in Prometheus' text format, by PostgREST's names."""
    pool, tokens = service.pool, service.authenticator.tokens
    loads = {"SUCCESS": service.counters.loads, "FAIL": service.counters.failed_loads}
    # As in PostgREST, a status has no series until it has been counted, but for the usual one.
    values = [([status], number) for status, number in loads.items() if number or status == "SUCCESS"]
    query_time = "The query time in seconds of the last schema cache load"
    return to_text(
        [
            gauge("pgrst_schema_cache_query_time_seconds", query_time, service.counters.last_load_s),
            counters(
                "pgrst_schema_cache_loads_total", "The total number of times the schema cache was loaded",
                ["status"], values,
            ),
            counter("pgrst_db_pool_timeouts_total", "The total number of pool connection timeouts", pool.timeouts),
            gauge("pgrst_db_pool_available", "Available connections in the pool", pool.available),
            gauge("pgrst_db_pool_waiting", "Requests waiting to acquire a pool connection", pool.waiting),
            gauge("pgrst_db_pool_max", "Max pool connections", pool.limits.max_size),
            counter("pgrst_jwt_cache_requests_total", "The total number of JWT cache lookups", tokens.lookups),
            counter("pgrst_jwt_cache_hits_total", "The total number of JWT cache hits", tokens.hits),
        ]
    )  # fmt: skip
