"""Use cases of statistics."""
