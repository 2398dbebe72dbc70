"""Use cases of telemetry, and its figures for statistics."""
