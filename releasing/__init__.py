"""Builds a release from a tag, twice, and signs it; docs/install.md says how others verify it."""
