"""Domain events: the catalog of kinds, the rows that record them, and the outbox.

An event is recorded in the transaction of the change that it describes. Webhooks, notifications and
the audit log are derived from these rows; nothing is sent from inside a request, so nothing is lost
between commit and send.
"""
