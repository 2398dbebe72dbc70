"""Use cases of the catalog."""
