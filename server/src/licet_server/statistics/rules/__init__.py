"""Pure decisions of statistics."""
