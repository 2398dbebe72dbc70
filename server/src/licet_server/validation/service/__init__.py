"""Use cases of validation: validate, refresh a license file, explain."""
