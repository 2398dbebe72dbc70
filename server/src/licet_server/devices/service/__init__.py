"""Use cases of devices."""
