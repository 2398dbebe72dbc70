"""Queries of notifications."""
