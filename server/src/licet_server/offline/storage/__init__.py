"""Queries of the offline feature."""
