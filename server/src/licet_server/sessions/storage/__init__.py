"""Queries of sessions and their slots."""
