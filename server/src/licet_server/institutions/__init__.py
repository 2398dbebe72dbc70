"""The tenants: institutions, members, roles, invitations, plans, settings, API keys."""
