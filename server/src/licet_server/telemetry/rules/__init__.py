"""Pure parts of telemetry."""
