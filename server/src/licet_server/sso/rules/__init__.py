"""Pure decisions; the clock is passed in."""
