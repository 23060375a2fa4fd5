"""Names of buckets and objects, media types, and the sizes that buckets are limited to."""

import re

from emulator.storage.errors import (
    bad_robots_tag,
    entity_too_large,
    invalid_bucket_name,
    invalid_key,
    invalid_mime_type,
)  # fmt: skip

_CHARACTERS = r"A-Za-z0-9_!\-.*'() &$@=;:+,?"
_KEY = re.compile(rf"[{_CHARACTERS}/]+")
_BUCKET = re.compile(rf"[{_CHARACTERS}]+")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)(gb|mb|kb|b)", re.IGNORECASE)
_UNITS = {"gb": 10**9, "mb": 10**6, "kb": 10**3, "b": 1}
_TYPE = re.compile(r"[\w!#$&^.+\-]+/(\*|[\w!#$&^.+\-]+)(\s*;\s*charset=[\w\-]+)?")
_MAX_KEY_BYTES = 1024  # as in S3; storage-api has no bound, its file system does
FOLDER_MARK = ".emptyFolderPlaceholder"
_ROBOTS = frozenset(
    "all noindex nofollow none nosnippet indexifembedded notranslate noimageindex".split()
)  # fmt: skip
_DATED_RULE = re.compile(r"unavailable_after:\s*(.+?)(?=,\s*(?:[a-z]+\s*(?:,|$)|[a-zA-Z0-9_-]+:)|$)")
_ROBOTS_WITH_VALUE = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")


def check_key(key: str) -> None:
    """Raises InvalidKey for a name with characters that none may have."""
    if not _KEY.fullmatch(key) or len(key) > _MAX_KEY_BYTES:
        raise invalid_key(key)


def check_segments(bucket: str, key: str) -> None:
    """Raises InvalidKey for a new object whose path would lead elsewhere, where names are paths (the container's)."""
    if any(segment in (".", "..") for segment in key.split("/")):
        raise invalid_key(f"{bucket}/{key} contains dot path segment")


def check_bucket_name(name: str) -> None:
    """Raises InvalidBucketName."""
    if not 1 <= len(name) <= 100 or name != name.strip() or not _BUCKET.fullmatch(name):
        raise invalid_bucket_name()
    if name.endswith("--table-s3"):
        raise invalid_bucket_name()


def parse_size(value: int | str | None, limit: int) -> int | None:
    """A bucket's limit in bytes. Units are decimal. Raises EntityTooLarge above the service's own limit."""
    if value is None:
        return None
    size = value if isinstance(value, int) else _bytes_of(value)
    if size > limit:
        raise entity_too_large()
    return size


def _bytes_of(value: str) -> int:
    match = _SIZE.fullmatch(value)
    assert match is not None, "the schema let another form pass"
    # Three significant digits: 1.2345MB is 1.23MB.
    return int(float(f"{float(match[1]):.3g}") * _UNITS[match[2].lower()])


def check_allowed_types(types: list[str] | None) -> None:
    """The entries of a bucket's allowed_mime_types. Raises InvalidMimeType."""
    for entry in types or ():
        if entry not in ("", "*") and not _TYPE.fullmatch(entry) and entry != "*/*":
            raise invalid_mime_type(entry)


def check_type(mime_type: str, allowed: list[str] | None) -> None:
    """The type of an upload against a bucket's list; parameters count. Raises InvalidMimeType."""
    if not allowed:
        return
    kind, slash, rest = mime_type.partition("/")
    if not slash:
        raise invalid_mime_type(mime_type)
    for entry in allowed:
        entry_kind, entry_slash, entry_rest = entry.partition("/")
        if entry_slash and entry_kind == kind and entry_rest in ("*", rest):
            return
    raise invalid_mime_type(mime_type)


def is_content_type(value: str) -> bool:
    """Whether a Content-Type header has the form type/subtype."""
    return re.match(r"\s*[\w!#$%&'*+.^`|~-]+/[\w!#$%&'*+.^`|~-]+\s*(;|$)", value) is not None


def check_robots_tag(value: str) -> None:
    """An X-Robots-Tag header: rules, each perhaps for one bot. Raises StorageError."""
    if not value.strip():
        raise bad_robots_tag("X-Robots-Tag header value must be a non-empty string")
    for rule in _robots_rules(value.strip()):
        _check_robots_rule(rule)


def _robots_rules(value: str) -> list[str]:
    """Split at commas, except those within a date."""
    rules = []
    while value:
        dated = _DATED_RULE.match(value)
        if dated:
            rules.append(f"unavailable_after: {dated[1].strip()}")
            value = value[dated.end() :].removeprefix(",").strip()
        else:
            rule, _, value = value.partition(",")
            rules.append(rule.strip())
            value = value.strip()
    return rules


def _check_robots_rule(rule: str) -> None:
    name, colon, rest = (part.strip() for part in rule.partition(":"))
    if not rule:
        raise bad_robots_tag("X-Robots-Tag header contains empty rule")
    if colon and name in _ROBOTS_WITH_VALUE:
        _check_robots_value(name, rest)
    elif colon:
        if not rest:
            raise bad_robots_tag(f'X-Robots-Tag user agent "{name}" has no rules specified')
        check_robots_tag(rest)
    elif rule not in _ROBOTS:
        raise bad_robots_tag(f'Invalid X-Robots-Tag rule: "{rule}"')


def _check_robots_value(name: str, value: str) -> None:
    if not value:
        raise bad_robots_tag(f'X-Robots-Tag rule "{name}" requires a value')
    if name == "max-image-preview" and value not in ("none", "standard", "large"):
        raise bad_robots_tag(f'Invalid {name} value: "{value}"')
    if name in ("max-snippet", "max-video-preview") and not re.fullmatch(r"-?\d+", value):
        raise bad_robots_tag(f'Invalid {name} value: "{value}"')


def lock_number(name: str) -> int:
    """The number of the advisory lock of an object, the original's: djb2 with xor, 32 bits."""
    found = 5381
    for unit in _utf16(name):
        found = ((found * 33) ^ unit) & 0xFFFFFFFF
    return found


def _utf16(text: str) -> list[int]:
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[index] | raw[index + 1] << 8 for index in range(0, len(raw), 2)]
