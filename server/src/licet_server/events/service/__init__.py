"""Recording events, and dispatching them to their subscribers."""
