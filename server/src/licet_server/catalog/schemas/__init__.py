"""Wire shapes of the catalog."""
