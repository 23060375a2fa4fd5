"""Requests that schemathesis makes up from the service's own OpenAPI, right and wrong ones: the description holds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.result import Ok

from tests.contract.functions.conftest import ANON, SERVICE, People, token
from tests.contract.functions.test_process import environment
from tests.support.commands import start
from tests.support.mail_server import MailServer
from tests.support.postgres import Database, free_port
from tests.support.stack import answers, wait_until

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
MODES = {
    "as described": (schemathesis.GenerationMode.POSITIVE, CHECKS),
    "otherwise": (schemathesis.GenerationMode.NEGATIVE, [*CHECKS, negative_data_rejection]),
}


@dataclass(frozen=True)
class Described:
    """A running service and what it says of itself."""

    schema: schemathesis.BaseSchema
    callers: dict[str, str]


@pytest.fixture(scope="module")
def described(module_database: Database, mail_server_process: MailServer) -> Iterator[Described]:
    port = free_port()
    limits = {"FUNCTIONS_REQUESTS_PER_MINUTE": "1000000", "MAILS_PER_CALLER_PER_HOUR": "1000000"}
    here = {"SUPABASE_URL": f"http://127.0.0.1:{port}", "SUPABASE_SERVICE_ROLE_KEY": SERVICE}  # no upload is there
    env = {**environment(module_database, mail_server_process.port, port), **limits, **here}
    process = start("muster_functions", env=env)
    try:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz"), 30)
        schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/functions/v1/openapi.json")
        schema.config.update(base_url=f"http://127.0.0.1:{port}")
        rejections = schema.config.checks.negative_data_rejection
        rejections.expected_statuses = [*rejections.expected_statuses, "413"]  # a wrong body may be too large as well
        yield Described(schema, {"visitor": ANON, "service": SERVICE})
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.parametrize("mode", MODES)
def test_the_service_answers_as_its_description_says(described: Described, people: People, mode: str) -> None:
    """Never a 5xx, only documented statuses and bodies, and no body that the description forbids is taken.

    Each request is sent by everybody: making it up takes several times as long as answering it.
    """
    admin, member = people.member("Ada Stone", admin=True), people.member("Ben", emailGlobalMute=True)
    callers = {**described.callers, "member": token(sub=member), "admin": token(sub=admin)}
    generation, checks = MODES[mode]
    for found in described.schema.get_all_operations():
        assert isinstance(found, Ok), "the description is invalid"
        operation = found.ok()

        @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(case=operation.as_strategy(generation_mode=generation))
        def check(case: schemathesis.Case[Any]) -> None:
            for caller, bearer in callers.items():
                try:
                    case.call_and_validate(headers={"Authorization": f"Bearer {bearer}"}, checks=checks)
                except BaseException as error:
                    error.add_note(f"sent by the {caller}")
                    raise

        check()
