"""Pure decisions about notifications."""
