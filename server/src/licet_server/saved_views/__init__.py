"""Saved views: what lists of the dashboard show, kept for one user or for an institution.

A view says how the page shows a list. The server stores it and does not interpret it: what a list
contains is decided by the list's own route, for whoever opens it.
"""
