"""What applications and operators do with leases."""
