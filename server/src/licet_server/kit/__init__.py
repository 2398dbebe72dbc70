"""The shared foundation, independent of any feature: clock, database, errors, HTTP layer."""
