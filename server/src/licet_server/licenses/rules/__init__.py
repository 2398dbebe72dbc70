"""Pure decisions about licenses; the clock is handed in."""
