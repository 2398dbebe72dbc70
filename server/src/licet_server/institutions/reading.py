"""Parts of statements that features above share; the rest of the storage is closed to them."""

from licet_server.institutions.storage.institutions import limits_within, read_limits
