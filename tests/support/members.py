"""Members of the demo community as real clients of a running stack (supabase-py, signed in with the demo password)."""

from dataclasses import dataclass
from uuid import uuid4

import httpx
from postgrest.types import ReturnMethod
from supabase.lib.client_options import SyncClientOptions

from supabase import Client, create_client
from tests.support.patience import PATIENCE_S
from tests.support.rows import data_of
from tests.support.stack import RunningStack


@dataclass(frozen=True)
class SignedIn:
    """A signed-in member: their client and identity."""

    client: Client
    id: str
    email: str


def sign_in(stack: RunningStack, email: str) -> SignedIn:
    """Sign in a demo account; raises the client's own error on failure."""
    # The client's default timeout is five seconds: too short for a busy machine.
    options = SyncClientOptions(httpx_client=httpx.Client(timeout=PATIENCE_S))
    client = create_client(stack.url, stack.env["PUBLISHABLE_KEY"], options)
    answer = client.auth.sign_in_with_password({"email": email, "password": stack.env["DEMO_PASSWORD"]})
    assert answer.user is not None
    return SignedIn(client, answer.user.id, email)


def request_connection(asker: SignedIn, asked_id: str) -> str:
    """Request a connection and notify the other member, as the application does; returns the connection's id."""
    row = {"user_id": asker.id, "connected_user_id": asked_id, "status": "pending"}
    (made,) = data_of(asker.client.table("connections").insert(row).execute())
    notice = {
        "id": str(uuid4()),
        "user_id": asked_id,
        "type": "connection",
        "title": "New connection request",
        "content": "wants to connect with you",
        "reference_id": made["id"],
        "metadata": {"user_id": asker.id, "url": "/network"},
        "seen": False,
    }
    asker.client.table("notifications").insert(notice, returning=ReturnMethod.minimal).execute()
    return str(made["id"])
