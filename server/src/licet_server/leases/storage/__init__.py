"""Queries of leases."""
