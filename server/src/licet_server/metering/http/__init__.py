"""Routes of metering."""

from litestar.handlers import HTTPRouteHandler

from licet_server.metering.http import operators, prices, runtime

ROUTES: list[HTTPRouteHandler] = [*runtime.ROUTES, *operators.ROUTES, *prices.ROUTES]
