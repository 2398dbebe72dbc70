"""Pure decisions of telemetry."""
