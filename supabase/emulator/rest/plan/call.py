"""The plan of a call: which overload is meant, and how its arguments are passed. Pure."""

from collections.abc import Iterable

from emulator.rest import errors
from emulator.rest.api_request.media_types import JSON
from emulator.rest.api_request.payload import RAW_TYPES
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.api_request.types import Value
from emulator.rest.plan.suggestions import suggest
from emulator.rest.plan.types import CallPlan
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.routine import Function, Parameter


def find_function(request: ApiRequest, cache: SchemaCache) -> Function:
    """Return the one overload that takes these arguments. Raises PGRST202, PGRST203."""
    overloads = cache.functions_named(request.schema, request.resource.name)
    names = _argument_names(request)
    found = [function for function in overloads if _takes_arguments(function, names, request)]
    if not found and request.action.is_post:
        found = [function for function in overloads if _takes_body(function, request)]
    if len(found) == 1:
        return found[0]
    if found:
        raise errors.ambiguous_function([_signature_with_types(function) for function in found])
    raise _not_found(request, cache, overloads, names)


def _argument_names(request: ApiRequest) -> frozenset[str]:
    if request.action.is_post:
        return frozenset(request.columns)
    return frozenset(name for name, _ in request.query.arguments)


def _is_raw(request: ApiRequest) -> bool:
    return request.action.is_post and request.content_type in RAW_TYPES


def _takes_arguments(function: Function, names: frozenset[str], request: ApiRequest) -> bool:
    parameters = function.parameters
    if not parameters:
        return not names and not _is_raw(request)
    if len(parameters) == 1 and not parameters[0].name:
        return False
    if _is_raw(request):
        return False
    required = {parameter.name for parameter in parameters if parameter.is_required}
    return required <= names <= {parameter.name for parameter in parameters}


def _takes_body(function: Function, request: ApiRequest) -> bool:
    """Whether the one unnamed parameter takes the whole body."""
    if len(function.parameters) != 1 or function.parameters[0].name:
        return False
    declared = function.parameters[0].type
    if request.content_type in ("", JSON):
        return declared in ("json", "jsonb")
    return RAW_TYPES.get(request.content_type) == declared


def plan_call(request: ApiRequest, function: Function) -> CallPlan:
    """Plan how the arguments are passed."""
    payload = request.payload
    if len(function.parameters) == 1 and not function.parameters[0].name:
        return CallPlan(function, "raw", ((function.parameters[0], ""),))
    if not request.action.is_post or (payload and payload.kind == "arguments"):
        return CallPlan(function, "values", _value_arguments(request.query.arguments, function))
    names = set(request.columns)
    arguments = tuple((parameter, "") for parameter in function.parameters if parameter.name in names)
    return CallPlan(function, "body" if arguments else "none", arguments, bool(payload and payload.is_array))


def _value_arguments(
    given: tuple[tuple[str, Value], ...], function: Function
) -> tuple[tuple[Parameter, Value | tuple[Value, ...]], ...]:
    arguments: list[tuple[Parameter, Value | tuple[Value, ...]]] = []
    for parameter in function.parameters:
        values = [value for name, value in given if name == parameter.name]
        if values:
            arguments.append((parameter, tuple(values) if parameter.is_variadic else values[-1]))
    return tuple(arguments)


def _signature_with_types(function: Function) -> str:
    parameters = ", ".join(f"{p.name} => {p.type}" for p in function.parameters)
    return f"{function.id.schema}.{function.id.name}({parameters})"


def _not_found(
    request: ApiRequest, cache: SchemaCache, overloads: tuple[Function, ...], names: frozenset[str]
) -> Exception:
    name = f"{request.schema}.{request.resource.name}"
    ordered = sorted(names)
    listed = ", ".join(ordered)
    if _is_raw(request):
        message, details = name, f"{name} with a single unnamed {RAW_TYPES[request.content_type]} parameter"
    else:
        message = f"{name}({listed})" if ordered else f"{name} without parameters"
        plural = "parameter" if len(ordered) == 1 else "parameters"
        details = f"{name} with {plural} {listed}" if ordered else f"{name} without parameters"
        if request.action.is_post and request.content_type in ("", JSON):
            details += " or with a single unnamed json/jsonb parameter"
    return errors.function_not_found(message, details, _suggestion(request, cache, overloads, names))


def _suggestion(
    request: ApiRequest, cache: SchemaCache, overloads: tuple[Function, ...], names: Iterable[str]
) -> str | None:
    called = f"{request.schema}.{request.resource.name}"
    if not overloads:
        known = sorted({key.name for key in cache.functions if key.schema == request.schema})
        near = suggest(request.resource.name, known, 0.75)
        called = f"{request.schema}.{near}"
    else:
        near = suggest(_listed(names), [_listed(p.name for p in one.parameters) for one in overloads], 0.33)
        called += near or ""
    return f"Perhaps you meant to call the function {called}" if near else None


def _listed(names: Iterable[str]) -> str:
    return f"({', '.join(sorted(names))})"
