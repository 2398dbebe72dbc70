"""Use cases of sessions, and the counts that other features ask for."""
