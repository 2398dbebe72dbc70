"""Queries of telemetry."""
