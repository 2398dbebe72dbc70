"""Connectors: turn sales at payment providers into licenses.

A provider sends its events to the inbox of a connector, which stores each event once before it
responds. A job collects the events of an order, in whatever order they arrive, and derives the
licenses of the order from all of them.
"""
