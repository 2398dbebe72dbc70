"""Telemetry: events that applications report about their use, kept for a while and counted.

Invariants: the events of a request are stored completely or not at all, and are in the figures
from then on. No hardware ID is stored, only a hash that distinguishes devices within an
institution. A crash of the database may lose the last moments.
"""
