"""What follows from the events of a shop: no I/O."""
