"""Use cases of licenses: issue, change, revoke, find, and the license file."""
