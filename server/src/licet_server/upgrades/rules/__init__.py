"""Pure rules of upgrades."""
