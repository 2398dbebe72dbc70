"""Queries of connectors, their events and orders."""
