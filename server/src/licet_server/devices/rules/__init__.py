"""Pure decisions about devices."""
