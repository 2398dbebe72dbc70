"""Telemetry: what applications tell of their use, kept for a while and counted.

Invariants: what an application sent in one request is stored whole or not at all, and is in the
figures from then on; no hardware id is stored, only a hash that tells devices apart within an
institution. A crash of the database may lose the last moments.
"""
