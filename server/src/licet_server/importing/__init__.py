"""Imports licenses from exports of other licensing products."""
