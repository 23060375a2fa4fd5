"""The Python client's query builder against the service: what an application writes, end to end."""

from collections.abc import Iterator
from typing import Any

import pytest
from postgrest import CountMethod, ReturnMethod, SyncPostgrestClient
from postgrest.exceptions import APIError

from tests.contract.rest.conftest import Rest
from tests.support.rows import data_of


@pytest.fixture(scope="module")
def client(rest: Rest) -> Iterator[SyncPostgrestClient]:
    """A client of the module's service."""
    with SyncPostgrestClient(rest.url, schema="api", headers=rest.token(sub="ada")) as made:
        yield made


def test_filters_order_and_count(client: SyncPostgrestClient) -> None:
    answer = (
        client.from_("people").select("id,name", count=CountMethod.exact).gt("id", 1).order("id").limit(2).execute()
    )
    assert (answer.data, answer.count) == ([{"id": 2, "name": "Ben"}, {"id": 3, "name": "Cleo"}], 3)


def test_logic_arrays_and_text(client: SyncPostgrestClient) -> None:
    people = client.from_("people").select("id")
    assert people.or_("id.eq.1,name.eq.Ben").execute().data == [{"id": 1}, {"id": 2}]
    assert client.from_("people").select("id").contains("tags", ["first aid"]).execute().data == [{"id": 1}]
    assert client.from_("people").select("id").ilike("name", "%EO").execute().data == [{"id": 3}]
    assert client.from_("people").select("id").in_("id", [1, 4]).execute().data == [{"id": 1}, {"id": 4}]


def test_embedding(client: SyncPostgrestClient) -> None:
    answer = client.from_("people").select("name, stations!inner(name)").eq("stations.name", "South").execute()
    assert answer.data == [{"name": "Cleo", "stations": {"name": "South"}}]


def test_single_and_maybe_single(client: SyncPostgrestClient) -> None:
    assert client.from_("people").select("name").eq("id", 1).single().execute().data == {"name": "Ada"}
    assert client.from_("people").select("name").eq("id", 99).maybe_single().execute() is None
    with pytest.raises(APIError) as refused:
        client.from_("people").select("name").single().execute()
    assert refused.value.code == "PGRST116"


def test_writes(client: SyncPostgrestClient) -> None:
    stations = client.from_("stations")
    assert data_of(stations.insert({"id": 300, "name": "Client"}).execute())[0]["name"] == "Client"
    assert data_of(stations.upsert({"id": 300, "name": "Merged"}).execute())[0]["name"] == "Merged"
    assert data_of(stations.update({"name": "Changed"}).eq("id", 300).execute())[0]["name"] == "Changed"
    assert stations.insert({"id": 301, "name": "x"}, returning=ReturnMethod.minimal).execute().data == []
    gone = stations.delete(count=CountMethod.exact).gte("id", 300).execute()
    assert gone.count == 2


def test_calls(client: SyncPostgrestClient) -> None:
    numbers: Any = {"a": 2, "b": 5}  # the client types them as text, and sends what it is given
    assert client.rpc("add", numbers).execute().data == 7
    assert client.rpc("everyone", {}).select("name").eq("id", 1).execute().data == [{"name": "Ada"}]
    assert client.rpc("nothing", {}).execute().data in (None, "", [])


def test_csv_and_explain(client: SyncPostgrestClient) -> None:
    assert client.from_("people").select("id").eq("id", 1).csv().execute().data == "id\n1"
    assert "Scan" in client.from_("people").select("id").explain().execute()


def test_errors_carry_code_and_hint(client: SyncPostgrestClient) -> None:
    with pytest.raises(APIError) as refused:
        client.from_("peopl").select("*").execute()
    assert refused.value.code == "PGRST205"
    assert refused.value.hint == "Perhaps you meant the table 'api.people'"
