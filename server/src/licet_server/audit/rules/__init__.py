"""Pure decisions of the audit log."""
