"""Ranks what is found."""
