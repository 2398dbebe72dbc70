"""Queries of archives and erasures."""
