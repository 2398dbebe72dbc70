"""The queries of the audit log."""
