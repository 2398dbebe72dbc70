"""Licenses from exports of other licensing products."""
