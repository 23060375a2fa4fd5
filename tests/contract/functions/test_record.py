"""A member's record as a PDF (§16.6): for who issued it, while it is on."""

import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from psycopg.types.json import Jsonb

from tests.contract.functions.conftest import ANON, People, token

DOCUMENT = {
    "version": 1, "issued_at": "2026-11-20T10:00:00Z",
    "member": {"name": "Ada", "rank": None, "position": None, "department": None, "state": None,
               "years_of_service": None},
    "certifications": [], "milestones": [], "awards": [], "trainings": [],
}  # fmt: skip


def bearer(of: str) -> dict[str, str]:
    return {"authorization": f"Bearer {of}"}


async def test_a_record_is_downloaded_by_its_member(serve: Callable[..., Any], people: People) -> None:
    """§16.6: as a PDF with its code in the name, which nobody keeps; not by others, and not once it is turned off."""
    ada, ben = people.member("Ada"), people.member("Ben")
    id = people.add("issued_records", user_id=ada, code="7K2Q-XT94-DFM0-A8CE", document=Jsonb(DOCUMENT), digest="")
    client = await serve()
    response = await client.get(f"record/{id}", headers=bearer(token(sub=ada)))
    assert response.status_code == 200
    assert io.BytesIO(response.content).read(5) == b"%PDF-"
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["cache-control"] == "private, no-store"
    assert 'filename="muster-record-7K2Q-XT94-DFM0-A8CE.pdf"' in response.headers["content-disposition"]
    assert (await client.get(f"record/{id}", headers=bearer(token(sub=ben)))).status_code == 404
    people.connection.execute("update issued_records set document = null, revoked_at = now()")
    assert (await client.get(f"record/{id}", headers=bearer(token(sub=ada)))).json()["code"] == "NO_RECORD"


@pytest.mark.parametrize("id", ["x", "%00", "..%2F..", "00000000-0000-4000-8000-000000000000"])
async def test_other_records_are_not_found(serve: Callable[..., Any], people: People, id: str) -> None:
    """§16.6: unknown and hostile ids."""
    ada = people.member("Ada")
    client = await serve()
    assert (await client.get(f"record/{id}", headers=bearer(token(sub=ada)))).status_code == 404


async def test_visitors_get_no_record(serve: Callable[..., Any]) -> None:
    """§16.6: the check is theirs."""
    client = await serve()
    response = await client.get(f"record/{uuid4()}", headers=bearer(ANON))
    assert (response.status_code, response.json()["code"]) == (401, "MEMBERS_ONLY")
