"""Queries of the catalog."""
