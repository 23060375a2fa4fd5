"""Verified tokens as every service sees them."""

from uuid import UUID

import pytest

from emulator.principal import Principal

ID = "6f1ed002-ab5f-4d1d-9b7e-9b4f1c1f9e0a"


def test_claims_are_written_as_sql_reads_them() -> None:
    assert Principal("anon", {"role": "anon", "name": "Zoë"}).claims_json == '{"role":"anon","name":"Zoë"}'


@pytest.mark.parametrize(
    ("claims", "subject", "user_id"),
    [
        ({"sub": ID}, ID, UUID(ID)),
        ({"sub": "a-service"}, "a-service", None),
        ({"sub": None}, "", None),
        ({"sub": 7}, "7", None),
        ({}, "", None),
    ],
)
def test_the_subject_is_a_user_when_it_is_a_uuid(claims: dict[str, object], subject: str, user_id: UUID | None) -> None:
    principal = Principal("authenticated", claims)
    assert (principal.subject, principal.user_id) == (subject, user_id)
