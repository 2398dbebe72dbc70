"""Wire shapes."""
