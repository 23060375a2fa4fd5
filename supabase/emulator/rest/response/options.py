"""OPTIONS: which methods a resource allows. Pure."""

from emulator.rest.api_request.request import ApiRequest
from emulator.rest.plan.planner import Planner
from emulator.rest.response.types import Response


def respond_to_options(request: ApiRequest, planner: Planner) -> Response:
    """Answer OPTIONS. Raises PGRST205, and for a function what a call would raise before the database."""
    headers = [("Allow", ",".join(_methods(request, planner))), ("Access-Control-Allow-Origin", "*")]
    return Response(200, headers)


def _methods(request: ApiRequest, planner: Planner) -> list[str]:
    kind = request.resource.kind
    if kind == "root":
        return ["OPTIONS", "GET", "HEAD"]
    if kind == "call":
        call = planner.plan_call(request).call
        assert call is not None
        return ["OPTIONS", "POST"] if call.function.volatility == "v" else ["OPTIONS", "GET", "HEAD", "POST"]
    table = planner.find_table(request.schema, request.resource.name)
    return [
        "OPTIONS",
        "GET",
        "HEAD",
        *(["POST"] if table.is_insertable else []),
        *(["PUT"] if table.is_insertable and table.is_updatable and table.primary_key else []),
        *(["PATCH"] if table.is_updatable else []),
        *(["DELETE"] if table.is_deletable else []),
    ]
