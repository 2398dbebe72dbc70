"""Wire shapes of statistics, which the use cases build directly."""
