"""The paths and shared parameters of the document."""

from emulator.rest.response.openapi.parameters import shared_parameters
from emulator.rest.response.openapi.paths import paths
from emulator.rest.response.openapi.types import Json
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.routine import Function, Parameter
from emulator.rest.schema_cache.table import Column, Table


def function(*parameters: Parameter, volatility: str = "s") -> Function:
    """Make a function that returns a value."""
    return Function(
        QualifiedIdentifier("api", "f"), parameters, returns_set=False, returns_composite=False,
        volatility=volatility,  # type: ignore[arg-type]
    )  # fmt: skip


def path_of(*functions: Function) -> Json:
    """Return the path of functions that have one name."""
    made: Json = paths([], list(functions), ("api", "Odd"))["/rpc/f"]
    return made


def arguments(path: Json) -> Json:
    """Return the schema of a call's body."""
    schema: Json = path["post"]["parameters"][0]["schema"]
    return schema


def test_a_call_without_parameters_has_no_empty_keys() -> None:
    path = path_of(function())
    assert arguments(path) == {"type": "object"}
    assert "parameters" not in path["get"]
    assert "get" not in path_of(function(volatility="v"))


def test_parameters_are_described_by_type() -> None:
    path = path_of(
        function(
            Parameter("a", "api.color", "api.color", True),
            Parameter("b", '"Odd".x', '"Odd".x', False),
            Parameter("c", "integer[]", "integer[]", True, is_variadic=True),
        )
    )
    assert arguments(path)["required"] == ["a", "c"]
    assert [argument["format"] for argument in arguments(path)["properties"].values()] == ["color", "x", "integer[]"]
    assert path["get"]["parameters"][2] == {
        "name": "c", "in": "query", "required": True, "type": "array", "collectionFormat": "multi",
        "items": {"type": "integer", "format": "int32"},
    }  # fmt: skip


def test_an_unnamed_parameter_has_an_empty_name() -> None:
    assert arguments(path_of(function(Parameter("", "json", "json", True)))) == {
        "type": "object", "properties": {"": {"format": "json"}}, "required": [""]
    }  # fmt: skip


def test_the_last_of_overloads_is_described() -> None:
    longer = function(Parameter("a", "text", "text", True))
    assert "properties" in arguments(path_of(function(), longer))


def test_a_body_is_described_by_its_relation() -> None:
    table = Table(QualifiedIdentifier("api", "t"), {"a": Column("a", "text", "text", True)}, description="Of things")
    assert shared_parameters([table])["body.t"] == {
        "name": "t", "in": "body", "required": False, "description": "t", "schema": {"$ref": "#/definitions/t"}
    }  # fmt: skip
