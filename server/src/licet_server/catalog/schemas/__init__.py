"""Wire shapes of the catalog, a module per kind of thing."""
