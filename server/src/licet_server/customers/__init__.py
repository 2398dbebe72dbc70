"""Customers: the people and companies that an institution issues licenses to.

A customer is one email address in an institution, compared without case. A person who
is issued a license becomes one in the same transaction.
"""
