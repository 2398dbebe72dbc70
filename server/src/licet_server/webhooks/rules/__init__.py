"""Pure parts of webhooks."""
