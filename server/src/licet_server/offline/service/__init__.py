"""Use cases of the offline feature."""
