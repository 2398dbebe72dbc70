"""Pure decisions of metering."""
