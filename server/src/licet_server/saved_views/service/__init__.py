"""The use cases of saved views."""
