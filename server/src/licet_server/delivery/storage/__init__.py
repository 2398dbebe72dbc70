"""Queries of templates and of e-mails about licenses."""
