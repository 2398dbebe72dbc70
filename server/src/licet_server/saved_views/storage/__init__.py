"""The queries of saved views."""
