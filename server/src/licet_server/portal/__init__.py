"""Portal: what people see of the licenses that are issued to them, and do with their devices.

It knows of no tenant: a person's licenses are those that name him, whoever issued them.
"""
