"""`muster bench db`: the database answers every request it measures, and it detects sequential scans."""

from typing import Any

import pytest

from bench.db import bench, read_whole
from bench.db_requests import REQUESTS
from muster_product.database.scale import Scale, seed_scale
from tests.support.postgres import Database

SCAN = {"Node Type": "Seq Scan", "Relation Name": "posts"}


@pytest.mark.parametrize(
    ("plan", "want"),
    [
        pytest.param(SCAN, ["posts"], id="bare"),
        pytest.param({"Node Type": "Aggregate", "Plans": [SCAN]}, ["posts"], id="counted"),
        pytest.param({"Node Type": "Limit", "Plans": [SCAN]}, [], id="limit-stops-it"),
        pytest.param(
            {"Node Type": "Limit", "Plans": [{"Node Type": "Sort", "Plans": [SCAN]}]}, ["posts"], id="sort-reads-all"
        ),
        pytest.param(
            {"Node Type": "Nested Loop", "Plans": [{"Node Type": "Index Scan"}, SCAN]}, ["posts"], id="inner-side"
        ),
    ],
)
def test_tables_read_whole_are_seen(plan: dict[str, Any], want: list[str]) -> None:
    """A sequential scan is reported unless a limit ends it."""
    assert list(read_whole(plan)) == want


@pytest.mark.slow
def test_every_request_is_answered(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """§7.1: each request of the application compiles, runs as its actor and has a plan."""
    monkeypatch.setattr("bench.db.SETTLING", 0)  # how long they take is not what is asked
    seed_scale(database.dsn("supabase_admin"), Scale(100, 500, 1000), lambda *_: None)
    results = list(bench(database.dsn("supabase_admin"), runs=1))
    assert {result.request for result in results} == {request.name for request in REQUESTS}
    members = {request.name for request in REQUESTS if request.actor == "member"}
    assert {(r.request, r.subject) for r in results if r.subject in ("median", "busiest")} == {
        (name, subject) for name in members for subject in ("median", "busiest")
    }
    assert all(result.plan and result.p50_ms > 0 for result in results)
