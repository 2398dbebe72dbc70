"""Pure rules of as-code: differences, the order of steps, and their requests."""
