"""Queries of devices."""
