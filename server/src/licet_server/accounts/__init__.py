"""Institutions, their members and invitations, users, sign-in and roles.

Owns who somebody is and what he may do. Roles are read from the database at each request, so that
a change of role works at once; a signed token only says who speaks.
"""
