"""Pure rules of connectors: from the events of providers to licenses."""
