"""Pure rules of imports: reading each kind of export, and mapping it to licenses."""
