"""The queries of notifications."""
