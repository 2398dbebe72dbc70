"""Pure decisions about meters."""
