"""Products: releases, features, entitlement sets, product keys and signing keys.

A product never changes its institution. Once generated, exactly one of its signing keys is live. A
product key stops working at the instant that it is revoked or its grace period ends.
"""
