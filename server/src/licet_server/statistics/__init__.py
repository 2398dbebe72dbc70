"""Figures across all features; read-only.

The use cases build the wire shapes in `schemas` directly: a figure has no other form.
"""
