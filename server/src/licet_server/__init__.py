"""Licet: a software licensing service that a vendor runs on his own machine."""

__version__ = "0.1.0"
