"""What a saved view is."""
