"""Reads exports, and carries their licenses over."""
