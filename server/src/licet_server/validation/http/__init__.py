"""Routes of validation."""

from licet_server.validation.http import flags, verdicts

ROUTES = [*verdicts.ROUTES, *flags.ROUTES]
