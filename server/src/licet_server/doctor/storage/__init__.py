"""The statements of the checks, and of the repairs."""
