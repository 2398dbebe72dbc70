"""Use cases of notifications."""
