"""Pure rules of archives."""
