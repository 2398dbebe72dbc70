"""Pure decisions of the catalog."""
