"""The queries of webhooks and their deliveries."""
