"""Use cases of the audit log."""
