"""Use cases of telemetry, and the figures that statistics ask for."""
