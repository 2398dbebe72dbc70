"""Notifications of users about events in their institutions, in the app and by email.

They are created from recorded events, in the transaction that marks the events as dispatched, so
that no event is missed or causes a second notification.
"""
