"""The methods of HTTP."""

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that metrics and traces tell apart; clients can send any number of others."""
