"""Notifications: what people are told of what happens in their institutions, here and by mail.

They follow from recorded events, in the transaction that marks the events as told: nobody is told
of an event twice, and of none never.
"""
