"""Wire shapes of connectors and orders."""
