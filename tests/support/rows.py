"""The data of supabase-py responses, as plain values: the static type is any JSON, which tests cannot index."""

from typing import Any

from postgrest import APIResponse


def data_of(answer: APIResponse) -> Any:
    """The rows, or the single row, that a query returned."""
    return answer.data
