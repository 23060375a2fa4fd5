"""The port where Prometheus reads the metrics of a service that runs alone."""

from typing import Annotated

from pydantic import model_validator

from emulator.auth.conf.values import GoBool, GoTrueSettings
from emulator.settings import Variable

MAX_PORT = 65535


class MetricsSettings(GoTrueSettings):
    """By GoTrue's variables, which leave host and port to OpenTelemetry's."""

    enabled: Annotated[GoBool, Variable("METRICS_ENABLED")] = False
    exporter: Annotated[str, Variable("METRICS_EXPORTER")] = "opentelemetry"
    host: Annotated[str, Variable("OTEL_EXPORTER_PROMETHEUS_HOST", prefix=False)] = "0.0.0.0"
    port: Annotated[str, Variable("OTEL_EXPORTER_PROMETHEUS_PORT", prefix=False)] = "9100"

    @model_validator(mode="after")
    def _is_usable(self) -> "MetricsSettings":
        if self.enabled and self.exporter != "prometheus":
            raise ValueError("GOTRUE_METRICS_EXPORTER must be prometheus, the only exporter there is")
        if self.enabled and not (self.port.isdecimal() and int(self.port) <= MAX_PORT):
            raise ValueError("OTEL_EXPORTER_PROMETHEUS_PORT must be a port number")
        return self

    @property
    def address(self) -> tuple[str, int] | None:
        """Host and port; None when the metrics are off."""
        return (self.host, int(self.port)) if self.enabled else None
