"""Pure decisions about offline requests."""
