"""The queries over connectors, their events and orders."""
