"""Queries of webhooks and their deliveries."""
