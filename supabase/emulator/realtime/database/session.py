"""How every connection of the service formats values: the log, the catalog and clients must agree on the texts."""

SESSION_OPTIONS = (
    "-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=1 -c bytea_output=hex"
)
