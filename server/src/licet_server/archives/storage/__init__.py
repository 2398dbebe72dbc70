"""The queries of archives."""
