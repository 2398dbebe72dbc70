"""Wire shapes of accounts."""
