"""Collects what waits for an operator from the features below."""
