"""How the credentials of callers are told apart."""

API_KEY_PREFIX = "licet_ak_"
"""Begins the secret of every API key, so that scanners find one that leaked."""
