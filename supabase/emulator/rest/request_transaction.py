"""The transaction of a request: settings of the request, of its role and of its function, and how it ends."""

from collections.abc import Sequence

from emulator.observe import trace
from emulator.principal import Principal
from emulator.rest.api_request.http_request import HttpRequest
from emulator.rest.query.pre_query import transaction_settings
from emulator.rest.query.transaction import TransactionEnd, TransactionPlan, plan_transaction
from emulator.rest.service import Snapshot


def name_caller(principal: Principal, http_request: HttpRequest, anon_role: str | None) -> str | None:
    """Return whose request it is, for the pool: a member, or the address of a visitor. None for trusted roles.

    The gateway writes X-Forwarded-For; without one all visitors would be the same.
    """
    if principal.subject:
        return principal.subject
    address = http_request.headers.by_name.get("x-forwarded-for")
    return address if principal.role == anon_role else None


def plan_request_transaction(
    main: str,
    snapshot: Snapshot,
    http_request: HttpRequest,
    principal: Principal,
    schema: str,
    *,
    is_read_only: bool,
    isolation: str | None = None,
    function_settings: Sequence[tuple[str, str]] = (),
    end: TransactionEnd | None = None,
) -> TransactionPlan:
    """Plan the transaction of a statement for one principal; `isolation` of a function wins over that of the role."""
    settings, role_settings = snapshot.settings, snapshot.role_settings(principal.role)
    return plan_transaction(
        main,
        transaction_settings(
            http_request,
            principal,
            search_path=(schema, *settings.db_extra_search_path),
            role_settings=role_settings,
            function_settings=function_settings,
            app_settings=settings.app_settings,
            application_name=trace.application_name("rest"),
        ),
        principal.role,
        is_read_only=is_read_only,
        isolation=isolation or role_settings.isolation,
        pre_request=settings.db_pre_request,
        end=end,
        is_prepared=settings.db_prepared_statements,
    )
