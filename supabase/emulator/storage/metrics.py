"""The service's numbers in Prometheus' text format."""

from dataclasses import dataclass

from emulator.observe.metrics import counter, gauge, to_text
from emulator.storage.service import Service


@dataclass
class Counters:
    """Bytes of bodies since the start; requests by status are counted where the service is mounted."""

    sent: int = 0

    def text(self, service: Service) -> str:
        """The text for /metrics."""
        pool = service.db.pool
        return to_text(
            [
                counter("storage_sent_bytes_total", "Bytes of objects sent", self.sent),
                counter("storage_received_bytes_total", "Bytes of objects written", service.disk.written),
                gauge("storage_files_bytes", "Bytes of all versions on this disk", service.disk.used),
                gauge("storage_db_pool_size", "Connections of the pool", pool.size),
                gauge("storage_db_pool_available", "Connections that are free", pool.available),
                gauge("storage_db_pool_waiting", "Requests waiting for a connection", pool.waiting),
                counter("storage_db_pool_timeouts_total", "Requests that got no connection in time", pool.timeouts),
            ]
        )
