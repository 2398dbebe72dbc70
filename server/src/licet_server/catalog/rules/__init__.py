"""What the catalog is made of, and its pure decisions."""
