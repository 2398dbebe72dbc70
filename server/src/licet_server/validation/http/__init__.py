"""Routes of validation."""

from litestar.handlers import HTTPRouteHandler

from licet_server.validation.http import flags, verdicts

ROUTES: list[HTTPRouteHandler] = [*verdicts.ROUTES, *flags.ROUTES]
