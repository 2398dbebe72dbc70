"""The statements that cross institutions, and what a distributed database does with each."""

CROSSING: dict[str, str] = {}
