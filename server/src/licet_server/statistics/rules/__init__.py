"""Pure parts of statistics."""
