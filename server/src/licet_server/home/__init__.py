"""The home page: what waits for an operator, and how things go; read-only.

The use case builds the wire shapes in `schemas` directly, as those of statistics do.
"""
