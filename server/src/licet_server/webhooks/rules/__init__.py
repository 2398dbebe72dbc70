"""Pure decisions about webhooks."""
