"""Comments on database objects as OpenAPI summaries and descriptions. Pure."""


def split_comment(comment: str | None) -> tuple[str | None, str | None]:
    """Split a comment into its first line and what follows after blank lines."""
    if not comment:
        return None, None
    first, _, rest = comment.partition("\n")
    return first, rest.lstrip("\n") or None


def summary_and_description(comment: str | None) -> dict[str, str]:
    """Return the keys `summary` and `description`, as far as there is text for them."""
    summary, description = split_comment(comment)
    return {key: text for key, text in (("summary", summary), ("description", description)) if text is not None}
