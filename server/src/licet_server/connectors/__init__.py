"""Connectors: sales that are made elsewhere and become licenses here.

A shop sends its events to the inbox of a connector, which stores each of them once before it
responds. A job collects the events of an order, however they come, and gives the order the licenses
that follow from all of them together.
"""
