"""Pure decisions about sessions."""
