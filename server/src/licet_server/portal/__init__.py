"""Portal of end users: the licenses issued to them, and their devices.

It is not limited to an institution: a user's licenses are those issued to their e-mail address or
user ID, by any vendor.
"""
