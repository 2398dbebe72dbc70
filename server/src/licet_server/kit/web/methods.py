"""The methods of HTTP."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that metrics and traces distinguish; clients can send any number of others."""
