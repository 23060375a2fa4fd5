"""What supabase-py answers, as plain values: its static type is any JSON, which no test could index."""

from typing import Any

from postgrest import APIResponse


def data_of(answer: APIResponse) -> Any:
    """The rows, or the single row, that a query returned."""
    return answer.data
