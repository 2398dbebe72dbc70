"""Queries of licenses."""
