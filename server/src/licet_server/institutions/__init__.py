"""What institutions are: tenants, members, roles, invitations, plans, settings, API keys."""
