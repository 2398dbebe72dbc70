"""What a template may say, how it is rendered, and which one applies."""
