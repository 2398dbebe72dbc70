"""Queries of the audit log."""
