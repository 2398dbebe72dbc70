"""The queries over customers."""
