"""Licet: a software licensing service that vendors run on their own machine."""

__version__ = "0.2.0"
RELEASE_DATE = "2026-11-22"
"""The day of this release; its notes stand in CHANGELOG.md under the same version and day."""
