"""Use cases of archives: creating, reading and deleting them."""
