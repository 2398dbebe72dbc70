"""Portal: the licenses issued to an end user, and what they can do with their devices.

It is not limited to an institution: a user's licenses are those issued to their e-mail address or
user ID, by any vendor.
"""
