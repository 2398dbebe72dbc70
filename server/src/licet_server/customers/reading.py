"""Queries that the features above share; the rest of the storage is closed to them."""

from licet_server.customers.storage import Holds, worded

__all__ = ["Holds", "worded"]
