"""Recording events, reading them, dispatching them to subscribers, and sealing them."""
