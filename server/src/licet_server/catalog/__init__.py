"""Products, their releases, features and entitlement sets, their product keys and RSA keys.

A product belongs to one institution for good. Of its RSA keys exactly one is live at a time, and a
product key stops working at the instant that it is revoked or its grace ends.
"""
