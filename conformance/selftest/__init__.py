"""The test of the suite itself: a broken driver for each requirement."""
