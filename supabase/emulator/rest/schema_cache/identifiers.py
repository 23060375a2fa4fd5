"""Names of database objects, and the only quoting of identifiers and constants in the service. Pure."""

from typing import NamedTuple


class QualifiedIdentifier(NamedTuple):
    """A schema and a name in it; an empty schema leaves the lookup to the search path."""

    schema: str
    name: str

    @classmethod
    def parse(cls, text: str) -> "QualifiedIdentifier":
        """Split `schema.name` or `name`, as settings spell them."""
        schema, dot, name = text.partition(".")
        return cls(schema, name) if dot else cls("", text)

    @property
    def sql(self) -> str:
        """The quoted form."""
        return f"{quote(self.schema)}.{quote(self.name)}" if self.schema else quote(self.name)


def quote(name: str) -> str:
    """Quote an identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """Quote a constant that is part of a statement's text. Never for a client's values: those are parameters."""
    escaped = text.replace("'", "''")
    return "E'" + escaped.replace("\\", "\\\\") + "'" if "\\" in text else f"'{escaped}'"
