"""The administrator's side of a stack's API: accounts, the waitlist, invitations. Over HTTP with the service key.

The same calls as any client's, so they work on the emulator, the containers and hosted Supabase.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from muster_cli.output import UserError

PAGE = 500
FOREVER = "876000h"


class AdminApi:
    """One stack's API. Every method raises UserError with the service's own words when it is refused."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def users(self, limit: int) -> list[dict[str, Any]]:
        """The newest accounts, `limit` at most."""
        found: list[dict[str, Any]] = []
        for page in self._pages(min(limit, PAGE)):
            found += page
            if len(found) >= limit:
                break
        return found[:limit]

    def user(self, email: str) -> dict[str, Any]:
        """The account of an address. Raises UserError when there is none."""
        wanted = email.strip().lower()
        for page in self._pages(PAGE):
            for user in page:
                if str(user.get("email") or "").lower() == wanted:
                    return user
        raise UserError(f"there is no account with the address {email}")

    def admins(self) -> set[str]:
        """The ids of all administrators' accounts, suspended ones, too."""
        return {row["id"] for row in self._admins()}

    def create_user(self, email: str, password: str, data: dict[str, str]) -> dict[str, Any]:
        """Make a confirmed account."""
        body = {"email": email, "password": password, "email_confirm": True, "user_metadata": data}
        made: dict[str, Any] = self._call("POST", "/auth/v1/admin/users", json=body)
        return made

    def set_admin(self, user_id: str, admin: bool) -> None:
        """Make an account an administrator's, or no longer."""
        self._call("POST", "/rest/v1/rpc/set_admin", json={"uid": user_id, "admin": admin})

    def reset_second_factor(self, user_id: str) -> None:
        """Remove the authenticator apps, passkeys and recovery codes of an account, and end its sessions."""
        self._call("POST", "/rest/v1/rpc/reset_second_factor", json={"uid": user_id})

    def demand_second_factor(self, needed: bool) -> None:
        """Whether administrators need a second factor. Raises UserError when that would shut out all of them."""
        self._call("POST", "/rest/v1/rpc/set_admins_need_second_factor", json={"needed": needed})

    def keep_an_admin(self, user_id: str) -> None:
        """Raises UserError when this account is the only administrator who can sign in."""
        able = {row["id"] for row in self._admins() if not row["suspended"]}
        if able == {user_id}:
            raise UserError(
                "this is the last administrator: make somebody else an administrator first (./muster users grant-admin)"
            )

    def suspend(self, user_id: str, suspended: bool) -> None:
        """Forbid an account to sign in or refresh, or allow it again."""
        body = {"ban_duration": FOREVER if suspended else "none"}
        self._call("PUT", f"/auth/v1/admin/users/{user_id}", json=body)

    def delete_user(self, user_id: str) -> None:
        """Delete an account with everything that goes with it."""
        self._call("DELETE", f"/auth/v1/admin/users/{user_id}")

    def waitlist(self, status: str | None) -> Iterator[dict[str, Any]]:
        """The waitlist with its answers to the quiz, oldest first, all of it or those of one status."""
        answers = (
            "quiz_responses(firefighter_type,firefighter_type_other,current_rank,years_of_service,linkedin_missing)"
        )
        query: dict[str, str] = {
            "select": f"email,status,created_at,updated_at,answers:{answers}",
            "order": "created_at,id",
        }
        if status is not None:
            query["status"] = f"eq.{status}"
        offset = 0
        while True:
            rows = self._call("GET", "/rest/v1/waitlist", params={**query, "offset": str(offset), "limit": str(PAGE)})
            yield from rows
            if len(rows) < PAGE:
                return
            offset += PAGE

    def invite(self, email: str) -> None:
        """Mark a waitlist entry invited. Raises UserError when the address does not wait."""
        rows = self._call(
            "PATCH", "/rest/v1/waitlist", json={"status": "invited"},
            params={"email": f"eq.{email.strip().lower()}", "status": "in.(waitlist,pending,invited)"},
            headers={"Prefer": "return=representation"},
        )  # fmt: skip
        if not rows:
            raise UserError(f"{email} is not on the waitlist, or already has an account")

    def mail_invitation(self, email: str) -> str | None:
        """Send the invitation; the reason when no mail went out."""
        body = {"notification": {"type": "invitation", "title": "", "content": ""}, "recipient": {"email": email}}
        answer = self._call("POST", "/functions/v1/send-notification-email", json=body)
        return None if answer.get("success") else str(answer.get("error"))

    def _admins(self) -> Iterator[dict[str, Any]]:
        offset = 0
        while True:
            body = {"standing": "admins", "page_size": PAGE, "page_offset": offset}
            rows = self._call("POST", "/rest/v1/rpc/admin_members", json=body)
            yield from rows
            if len(rows) < PAGE:
                return
            offset += PAGE

    def _pages(self, size: int) -> Iterator[list[dict[str, Any]]]:
        number = 1
        while True:
            answer = self._call("GET", "/auth/v1/admin/users", params={"page": str(number), "per_page": str(size)})
            yield answer["users"]
            if len(answer["users"]) < size:
                return
            number += 1

    def _call(self, method: str, path: str, **options: Any) -> Any:
        try:
            answer = self._client.request(method, path, **options)
        except httpx.HTTPError as error:
            raise UserError(f"{self._client.base_url} does not answer: {error}") from error
        if answer.is_success:
            return answer.json() if answer.content else None
        raise UserError(f"{method} {path}: {answer.status_code} {_reason(answer)}")


@contextmanager
def admin_api(origin: str, service_key: str) -> Iterator[AdminApi]:
    """A client of one stack for a block."""
    headers = {"apikey": service_key, "Authorization": f"Bearer {service_key}"}
    with httpx.Client(base_url=origin, headers=headers, timeout=30) as client:
        yield AdminApi(client)


def _reason(answer: httpx.Response) -> str:
    try:
        body = answer.json()
    except ValueError:
        return answer.text.strip().splitlines()[0][:200] if answer.text.strip() else answer.reason_phrase
    if isinstance(body, dict) and body.get("message") == "Invalid API key":
        return "Invalid API key (after ./muster keys rotate the stack must be started again)"
    words = [body.get(name) for name in ("msg", "message", "error")] if isinstance(body, dict) else []
    return next((str(word) for word in words if word), answer.reason_phrase)
