"""Use cases of connectors and orders."""
