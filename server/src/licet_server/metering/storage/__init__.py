"""Queries of metering."""
