"""Licet: a software licensing service that vendors run on their own machine."""

__version__ = "0.1.0"
