"""Queries of meters."""
