"""The plan of a request: everything it names found in the schema cache, or the error for what is missing. Pure.

When several things are wrong, the error is that of the first check in PostgREST's order: table or function, tree of
reads, negotiation, strict preferences.
"""

from dataclasses import dataclass

from emulator.rest import errors
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.plan.call import find_function, plan_call
from emulator.rest.plan.mutation import plan_mutation
from emulator.rest.plan.negotiate import NegotiatedMedia, negotiate
from emulator.rest.plan.read import PlanOptions, plan_read
from emulator.rest.plan.suggestions import suggest
from emulator.rest.plan.types import DbPlan, ReadNode
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.table import Table

# Comparing a name with more tables than this would take too long for an error message; PostgREST's limit.
_MAX_TABLES_TO_SUGGEST = 500


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans requests with one schema cache and its settings."""

    cache: SchemaCache
    options: PlanOptions
    plan_enabled: bool = False

    def plan(self, request: ApiRequest) -> DbPlan:
        """Plan a read, a mutation or a call."""
        if request.action.verb == "call":
            return self.plan_call(request)
        if request.action.verb == "read":
            return self._plan_read(request)
        return self._plan_mutation(request)

    def check_target(self, request: ApiRequest) -> None:
        """Raise what is wrong apart from the body of a write or a call: PGRST202, PGRST205, and of plan_read()."""
        if request.action.verb != "call":
            table = self.find_table(request.schema, request.resource.name)
            plan_read(request, table.id, self.cache, self.options)
        elif not self.cache.functions_named(request.schema, request.resource.name):
            find_function(request, self.cache)

    def find_table(self, schema: str, name: str) -> Table:
        """Return a relation. Raises table_not_found (PGRST205)."""
        table = self.cache.tables.get(QualifiedIdentifier(schema, name))
        if table is None:
            raise self._table_not_found(schema, name)
        return table

    def _table_not_found(self, schema: str, name: str) -> Exception:
        names = [table.id.name for table in self.cache.tables_in(schema)]
        near = suggest(name, names, 0.75) if len(names) < _MAX_TABLES_TO_SUGGEST else None
        return errors.table_not_found(schema, name, f"Perhaps you meant the table '{schema}.{near}'" if near else None)

    def _plan_read(self, request: ApiRequest) -> DbPlan:
        table = self.find_table(request.schema, request.resource.name)
        tree = plan_read(request, table.id, self.cache, self.options)
        negotiated = self._negotiate(request, table.id, tree.root)
        _check_strict(request)
        return DbPlan(
            root=tree.root,
            negotiated=negotiated,
            preferences=request.preferences,
            schema=request.schema,
            is_read_only=True,
            is_headers_only=request.action.is_headers_only,
            warnings=tree.legacy_targets,
            hides_rows=self._hides_rows(tree.root),
        )

    def _hides_rows(self, node: ReadNode) -> bool:
        table = self.cache.tables.get(node.table)
        return (table is not None and table.hides_rows) or any(self._hides_rows(child) for child in node.children)

    def _plan_mutation(self, request: ApiRequest) -> DbPlan:
        table = self.find_table(request.schema, request.resource.name)
        tree = plan_read(request, table.id, self.cache, self.options)
        mutation = plan_mutation(request, table, tree.root, self.cache)
        _check_strict(request)
        return DbPlan(
            root=tree.root,
            negotiated=self._negotiate(request, table.id, tree.root),
            preferences=request.preferences,
            schema=request.schema,
            is_read_only=False,
            mutation=mutation,
            warnings=tree.legacy_targets,
        )

    def plan_call(self, request: ApiRequest) -> DbPlan:
        """Plan a call; OPTIONS of a function is planned like one without arguments."""
        function = find_function(request, self.cache)
        origin = QualifiedIdentifier(request.schema, function.row_name or function.id.name)
        tree = plan_read(request, origin, self.cache, self.options)
        call = plan_call(request, function, tree.root)
        negotiated = self._negotiate(request, origin, tree.root)
        _check_strict(request)
        preferences = request.preferences
        if preferences.is_strict and preferences.max_affected is not None and not function.returns_set:
            raise errors.max_affected_needs_set()
        return DbPlan(
            root=tree.root,
            negotiated=negotiated,
            preferences=preferences,
            schema=request.schema,
            is_read_only=not request.action.is_post or function.volatility != "v",
            is_headers_only=request.action.is_headers_only,
            call=call,
            isolation=function.isolation,
            hoisted_settings=function.settings,
            warnings=tree.legacy_targets,
        )

    def _negotiate(self, request: ApiRequest, target: QualifiedIdentifier, root: ReadNode) -> NegotiatedMedia:
        found = negotiate(
            request.accept,
            self.cache.handlers,
            target,
            has_default_select=not root.children and [term.field.name for term in root.select] == ["*"],
            plan_enabled=self.plan_enabled,
        )
        if found is None:
            raise errors.not_acceptable([str(media_type) for media_type in request.accept])
        return found


def _check_strict(request: ApiRequest) -> None:
    if request.preferences.is_strict and request.preferences.invalid:
        raise errors.invalid_preferences(request.preferences.invalid)
