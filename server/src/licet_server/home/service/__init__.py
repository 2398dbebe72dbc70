"""Collects what waits from the features that know."""
