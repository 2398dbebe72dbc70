"""Licenses: their terms, their life, their keys, and the signed file that an application verifies.

The status of a license is never stored: it follows from its dates and the clock, so that it is
true at the moment of reading.
"""
