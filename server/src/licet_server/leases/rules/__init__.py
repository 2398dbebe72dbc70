"""Pure decisions about leases."""
