"""Use cases of metering."""
