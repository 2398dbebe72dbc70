"""Portal of end users: the licenses issued to them, and their devices.

It is not limited to an institution: a user's licenses are those issued to their email address or
user ID, by any vendor.
"""
