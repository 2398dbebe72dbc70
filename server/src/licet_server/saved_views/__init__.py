"""Saved views of lists in the dashboard, of one user or shared in an institution.

A view says how the page shows a list. The server stores it and does not interpret it: what a list
contains is decided by the route of the list, for each caller.
"""
