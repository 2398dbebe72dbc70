"""Pure parts of the audit log."""
