"""Use cases of imports: reading exports and importing their licenses."""
