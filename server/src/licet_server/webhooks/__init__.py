"""Webhooks: signed events, sent to the URLs that an institution registers, until they arrive.

Each event that a webhook subscribes to becomes a delivery, a row written in the transaction that
dispatches the event; a background job sends the rows. No delivery is lost, however often a process
is killed, and nothing is sent to an address that is not public.
"""
