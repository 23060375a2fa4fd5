"""The plan of a call: which overload is meant, and how its arguments are passed. Pure."""

from collections.abc import Iterable, Iterator

from emulator.rest import errors
from emulator.rest.api_request.media_types import JSON
from emulator.rest.api_request.payload import RAW_TYPES
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.api_request.types import Value
from emulator.rest.plan.mutation import columns_needed
from emulator.rest.plan.suggestions import suggest
from emulator.rest.plan.types import CallPlan, PlannedCondition, PlannedLogic, PresenceFilter, ReadNode
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
    """Whether these are arguments of the function; an unnamed parameter is one with an empty name."""
    parameters = function.parameters
    if not parameters:
        return not names and not _is_raw(request)
    required = {parameter.name for parameter in parameters if parameter.is_required}
    return required <= names <= {parameter.name for parameter in parameters}


def _takes_body(function: Function, request: ApiRequest) -> bool:
    """Whether the one unnamed parameter takes the whole body."""
    if not function.is_unnamed:
        return False
    declared = function.parameters[0].type
    if request.content_type in ("", JSON):
        return declared in ("json", "jsonb")
    return RAW_TYPES.get(request.content_type) == declared


def plan_call(request: ApiRequest, function: Function, root: ReadNode) -> CallPlan:
    """Plan how the arguments are passed, and which columns of the rows are needed."""
    payload, returning = request.payload, _returning(root)
    has_values = not request.action.is_post or (payload is not None and payload.kind == "arguments")
    if function.is_unnamed:
        if not has_values:
            return CallPlan(function, "raw", ((function.parameters[0], ""),), returning=returning)
        return CallPlan(function, "unnamed", _value_arguments(request.query.arguments, function), returning=returning)
    if has_values:
        return CallPlan(function, "values", _value_arguments(request.query.arguments, function), returning=returning)
    names = set(request.columns)
    arguments = tuple((parameter, "") for parameter in function.parameters if parameter.name in names)
    is_array = payload is not None and payload.is_array
    return CallPlan(function, "body" if arguments else "none", arguments, is_array, returning)


def _returning(root: ReadNode) -> tuple[str, ...]:
    """Return the selected columns and those of every filter in the tree, even of embeds, as PostgREST does."""
    selected = columns_needed(root)
    if selected == ("*",) or not selected:
        return ()
    return tuple(sorted({*selected, *_filtered(root)}))


def _filtered(node: ReadNode) -> Iterator[str]:
    for condition in node.where:
        yield from _names_in(condition)
    for child in node.children:
        yield from _filtered(child)


def _names_in(condition: PlannedCondition) -> Iterator[str]:
    if isinstance(condition, PlannedLogic):
        for child in condition.children:
            yield from _names_in(child)
    else:
        yield condition.aggregate_alias if isinstance(condition, PresenceFilter) else condition.field.name


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
    suggestion = None if _is_raw(request) else _suggestion(request, cache, overloads, names)
    return errors.function_not_found(message, details, suggestion)


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
