"""Use cases of the portal."""
