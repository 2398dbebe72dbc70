"""The prefix by which API keys are recognized."""

API_KEY_PREFIX = "licet_ak_"
"""Begins the secret of every API key, so that scanners find one that leaked."""
