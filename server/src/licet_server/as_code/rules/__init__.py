"""Pure decisions: what differs, in which order it is applied, by which requests."""
