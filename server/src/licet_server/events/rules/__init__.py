"""Kinds of events, the catalog of what follows from each, and the shape of an event: no I/O."""
