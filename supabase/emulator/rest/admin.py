"""The admin port: /live, /ready, /schema_cache and /metrics, as PostgREST's."""

import json
from dataclasses import asdict

from emulator.observe.metrics import MEDIA_TYPE
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


_METRICS = (
    ("pgrst_schema_cache_query_time_seconds", "gauge", "The query time in seconds of the last schema cache load"),
    ("pgrst_schema_cache_loads_total", "counter", "The total number of times the schema cache was loaded"),
    ("pgrst_db_pool_timeouts_total", "counter", "The total number of pool connection timeouts"),
    ("pgrst_db_pool_available", "gauge", "Available connections in the pool"),
    ("pgrst_db_pool_waiting", "gauge", "Requests waiting to acquire a pool connection"),
    ("pgrst_db_pool_max", "gauge", "Max pool connections"),
    ("pgrst_jwt_cache_requests_total", "counter", "The total number of JWT cache lookups"),
    ("pgrst_jwt_cache_hits_total", "counter", "The total number of JWT cache hits"),
)


def metrics_text(service: RestService) -> str:
    """The service's metrics in Prometheus' text format."""
    pool, counters = service.pool, service.counters
    values: dict[str, object] = {
        "pgrst_schema_cache_query_time_seconds": counters.last_load_s,
        "pgrst_schema_cache_loads_total": counters.loads,
        "pgrst_db_pool_timeouts_total": pool.timeouts,
        "pgrst_db_pool_available": pool.available,
        "pgrst_db_pool_waiting": pool.waiting,
        "pgrst_db_pool_max": pool.limits.max_size,
        "pgrst_jwt_cache_requests_total": service.authenticator.lookups,
        "pgrst_jwt_cache_hits_total": service.authenticator.hits,
    }
    lines: list[str] = []
    for name, kind, text in _METRICS:
        label = '{status="SUCCESS"}' if name == "pgrst_schema_cache_loads_total" else ""
        lines += [f"# HELP {name} {text}", f"# TYPE {name} {kind}", f"{name}{label} {values[name]}"]
    if counters.failed_loads:
        lines.append(f'pgrst_schema_cache_loads_total{{status="FAIL"}} {counters.failed_loads}')
    return "\n".join(lines) + "\n"
