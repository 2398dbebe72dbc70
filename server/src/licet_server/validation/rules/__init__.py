"""The rules of validation: pure decisions about what was read."""
