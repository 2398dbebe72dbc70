"""Pure decisions about archives."""
