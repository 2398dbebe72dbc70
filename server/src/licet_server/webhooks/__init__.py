"""Webhooks: events sent to the addresses that an institution names, signed, until they arrive.

Each event that a webhook wants becomes a row, a delivery, in the transaction that tells of the
event; the rows are sent in the background. The invariants are that no delivery is lost, however
often a process is killed, and that nothing is sent to an address that is not public.
"""
