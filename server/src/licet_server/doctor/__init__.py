"""Looks for what is wrong with the data and the surroundings of the service, and mends some of it.

One list of checks serves the command, the API and the dashboard. A check says what its finding
means and what to do about it.
"""
