"""What channels and connections share: the parts that are one per process."""

import time
from dataclasses import dataclass

from emulator.clock import Clock
from emulator.realtime.database.authorization import Authorizer
from emulator.realtime.database.messages import MessageStore
from emulator.realtime.postgres_changes.changes import PostgresChanges
from emulator.realtime.settings import RealtimeSettings
from emulator.realtime.tasks import BackgroundTasks
from emulator.realtime.token_verifier import TokenVerifier
from emulator.realtime.topics.hub import Hub
from emulator.realtime.topics.load import ClientRates, LoadMeter


@dataclass(frozen=True, slots=True)
class Context:
    """`count_*` are False above the limit. Tokens expire by `clock`."""

    settings: RealtimeSettings
    hub: Hub
    changes: PostgresChanges
    messages: MessageStore
    authorizer: Authorizer
    meter: LoadMeter
    tokens: TokenVerifier
    tasks: BackgroundTasks
    client_rates: ClientRates
    clock: Clock

    def count_messages(self, count: int) -> bool:
        """Count messages received or delivered."""
        return self.meter.count_messages(count, time.monotonic())

    def count_presence(self, count: int) -> bool:
        return self.meter.count_presence(count, time.monotonic())

    def count_join(self) -> bool:
        return self.meter.count_join(time.monotonic())
