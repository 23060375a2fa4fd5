"""A verified token: the database role, its claims, and when it holds. Pure.

How a token is verified, and in which words it is refused, differs between the protocols and stays with them
(rest/auth, auth/tokens, realtime, the functions); what comes out is always this.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID


@dataclass(frozen=True, eq=False)  # compared by identity, which is quick: each service keeps one per token
class Principal:
    """Times are Unix seconds; None: without limit. `claims` holds `role` too, as SQL shall read it."""

    role: str
    claims: Mapping[str, Any]
    expires_at: float | None = None
    valid_from: float | None = None

    @cached_property
    def claims_json(self) -> str:
        """The claims as SQL reads them in `request.jwt.claims`: compact, UTF-8 kept."""
        return json.dumps(self.claims, ensure_ascii=False, separators=(",", ":"))

    @cached_property
    def subject(self) -> str:
        """The `sub` claim; "" when there is none, as in the keys anon and service_role."""
        return str(self.claims.get("sub") or "")

    @cached_property
    def user_id(self) -> UUID | None:
        """The subject as an id of auth.users; None when it is none."""
        try:
            return UUID(self.subject)
        except ValueError:
            return None
