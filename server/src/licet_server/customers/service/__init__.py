"""Use cases of customers."""
