"""Asks the features for what they find."""
