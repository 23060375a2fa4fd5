"""Why a handshake, a join or a channel is refused, with the codes and texts of the original."""

from dataclasses import dataclass
from typing import Any

from emulator.errors import ApiError


@dataclass(eq=False)
class Refused(Exception):
    """A join is refused, or a channel closed. `code` is empty where the original has none."""

    code: str
    text: str
    handshake: str = ""  # the same reason where a connection is refused
    inspected: str = ""  # and where a joined channel's new token is, if that differs

    @property
    def reason(self) -> str:
        """Of a join's error reply."""
        return f"{self.code}: {self.text}" if self.code else self.text


def token_expired(seconds_ago: int) -> Refused:
    return Refused("InvalidJWTToken", f"Token has expired {seconds_ago} seconds ago", "Token has expired")


def token_lacks_fields() -> Refused:
    text = "Fields `role` and `exp` are required in JWT"
    return Refused("InvalidJWTToken", text, text)


def token_time_invalid() -> Refused:
    return Refused("InvalidJWTToken", "Token expiration time is invalid", "The token provided is not a valid JWT")


def token_not_yet_valid() -> Refused:
    return Refused("InvalidJWTToken", "Token is not valid yet", "Token is not valid yet")


def token_malformed() -> Refused:
    text = "The token provided is not a valid JWT"
    return Refused("MalformedJWT", text, text)


def token_signature() -> Refused:
    text = "Failed to validate JWT signature"
    return Refused("JwtSignatureError", text, text, ":signature_error")


def token_signer() -> Refused:
    text = "Failed to generate JWT signer, check your JWT secret or JWKS configuration"
    return Refused("JwtSignerError", text, text, ":error_generating_signer")


def of_a_new_token(refused: Refused) -> Refused:
    """The same reason where a joined channel's new token is refused: the original prints its own name for some."""
    return Refused("", refused.inspected or refused.text)


def topic_name_required() -> Refused:
    return Refused("TopicNameRequired", "You must provide a topic name")


def may_not_read(topic: str) -> Refused:
    return Refused("Unauthorized", f"You do not have permissions to read from this Channel topic: {topic}")


def no_longer_may_read(topic: str) -> Refused:
    return Refused("Unauthorized", f"You no longer have permission to read from this Channel topic: {topic}")


def private_only() -> Refused:
    return Refused("PrivateOnly", "This project only allows private channels")


def too_many_channels() -> Refused:
    return Refused("ChannelRateLimitReached", "Too many channels")


def too_many_users() -> Refused:
    return Refused("ConnectionRateLimitReached", "Too many connected users", "Too many connected users")


def too_many_joins() -> Refused:
    return Refused("ClientJoinRateLimitReached", "Too many joins per second", "Too many joins per second")


def too_many_messages() -> Refused:
    return Refused("", "Too many messages per second")


def too_many_presence_messages() -> Refused:
    return Refused("", "Too many presence messages per second")


def too_many_presence_calls() -> Refused:
    return Refused("", "Client presence rate limit exceeded")


def track_too_large() -> Refused:
    return Refused("", "Track message size exceeded")


def replay_invalid() -> Refused:
    return Refused("UnableToReplayMessages", "Replay params are not valid")


def replay_public() -> Refused:
    return Refused("UnableToReplayMessages", "Replay is not allowed for public channels")


def replay_failed() -> Refused:
    return Refused("UnableToReplayMessages", "Realtime was unable to replay messages")


def replication_late() -> Refused:
    return Refused("", "Replication connection was not established in time")


def subscribe_timeout(timeout_ms: int) -> Refused:
    text = f"Timed out after {timeout_ms}ms waiting for the postgres_changes subscription"
    return Refused("PostgresChangesSubscribeTimeout", text)


def database_unavailable() -> Refused:
    return Refused("UnableToConnectToProject", "Realtime was unable to connect to the project database")


def query_canceled() -> Refused:
    return Refused("QueryCanceled", "Query was canceled by the database")


def missing_partition() -> Refused:
    return Refused("MissingPartition", "Partition of realtime.messages is missing")


def unknown_error() -> Refused:
    return Refused("", "Unknown Error on Channel")


@dataclass(eq=False)
class SubscriptionRefused(Exception):
    """Row changes can't be subscribed to; the text goes out as a system message, the channel stays."""

    text: str


def filter_unparsable(parts: str) -> SubscriptionRefused:
    return SubscriptionRefused(f"Error parsing `filter` params: {parts}")


def filter_segment_empty() -> SubscriptionRefused:
    return filter_unparsable("filter must not contain empty segments (check for extra commas)")


def filter_in_unwrapped() -> SubscriptionRefused:
    return filter_unparsable("`in` filter value must be wrapped by parentheses")


def no_subscription_params(params: str) -> SubscriptionRefused:
    return SubscriptionRefused(
        "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: " + params
    )


def select_unparsable() -> SubscriptionRefused:
    return SubscriptionRefused(
        'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]'
    )


def select_with_wildcard() -> SubscriptionRefused:
    return SubscriptionRefused(
        "Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name."
    )


def table_not_published(params: str) -> SubscriptionRefused:
    return SubscriptionRefused(
        "Unable to subscribe to changes with given parameters. "
        f"Please check Realtime is enabled for the given connect parameters: {params}"
    )


def subscription_exception(params: str, exception: str) -> SubscriptionRefused:
    return SubscriptionRefused(
        "Unable to subscribe to changes with given parameters. "
        f"An exception happened so please check your connect parameters: {params}. Exception: {exception}"
    )


# HTTP


@dataclass(eq=False)
class Invalid(Exception):
    """A request's body does not validate; `problems` by field."""

    problems: dict[str, Any]


def unauthorized() -> ApiError:
    return ApiError(401, "unauthorized", "Unauthorized")


def forbidden_topic() -> ApiError:
    return ApiError(403, "forbidden", "Unauthorized")


def rate_exceeded() -> ApiError:
    return ApiError(429, "rate_limit", "You have exceeded your rate limit")


def batch_too_large() -> ApiError:
    return ApiError(429, "batch_too_large", "Too many messages to broadcast, please reduce the batch size")


def public_not_persisted() -> ApiError:
    return ApiError(422, "public_topic", "Only messages of private topics can be persisted")


def not_persisted() -> ApiError:
    return ApiError(503, "not_persisted", "The message could not be persisted")
